package model

// What generated code links against. The compiler knows the runtime by these
// names alone.
const (
	ToolPath   = "github.com/aiongen/aiongen/runtime/tool"
	WirePath   = "github.com/aiongen/aiongen/runtime/wire"
	MemoryPath = "github.com/aiongen/aiongen/runtime/memory"
	LogPath    = "github.com/aiongen/aiongen/runtime/toollog"

	// Generated is the constant that stands for the contract between generated
	// code and the runtime; generated code refers to it, so that a runtime that
	// no longer keeps the contract fails the build by name.
	Generated = "Generated2"
)

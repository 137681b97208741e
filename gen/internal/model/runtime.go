package model

// What generated code links against. The compiler knows the runtime by these
// names alone.
const (
	ToolPath   = "github.com/aiongen/aiongen/runtime/tool"
	WirePath   = "github.com/aiongen/aiongen/runtime/wire"
	MemoryPath = "github.com/aiongen/aiongen/runtime/memory"
	LogPath    = "github.com/aiongen/aiongen/runtime/middleware"

	// SequencePath is imported if functions return sequences.
	SequencePath = "github.com/aiongen/aiongen/runtime/sequence"

	// ProtoJSONPath is not a part of the runtime. Generated code imports it if messages of Protocol Buffers
	// occur in it.
	ProtoJSONPath = "google.golang.org/protobuf/encoding/protojson"

	// Generated is the constant that represents the contract between generated
	// code and the runtime; generated code refers to it, so that a runtime that
	// no longer keeps the contract fails the build by name.
	Generated = "Generated2"
)

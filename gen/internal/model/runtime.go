package model

// Names by which generated code refers to the runtime and to protobuf. The compiler uses no others.
const (
	ToolPath   = "github.com/aiongen/aiongen/runtime/tool"
	WirePath   = "github.com/aiongen/aiongen/runtime/wire"
	MemoryPath = "github.com/aiongen/aiongen/runtime/memory"
	LogPath    = "github.com/aiongen/aiongen/runtime/middleware"

	// SequencePath is imported if functions return sequences.
	SequencePath = "github.com/aiongen/aiongen/runtime/sequence"

	// ProtoJSONPath is imported if tools use messages of Protocol Buffers. It is not part of the runtime.
	ProtoJSONPath = "google.golang.org/protobuf/encoding/protojson"

	// Generated is a constant of package wire that represents the version of the contract between generated
	// code and the runtime. Generated code refers to it, so that the build fails with a runtime that
	// implements another version.
	Generated = "Generated2"
)

package gen

import (
	"context"
	"encoding/json"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/contract"
	"github.com/aiongen/aiongen/runtime/schema"
)

// Tool is what callers of a tool go by, and where the source says so. As JSON it
// has the members name, title, description, link, arguments, input, output, example,
// variables, annotations, package and place, whose names are stable.
type Tool = contract.Tool

// Tools returns what the packages promise the callers of their tools, in the
// order of packages and .aion files; nothing when the list holds an error. What
// generated files would clash with does not matter, nor does Config.Output.
func Tools(ctx context.Context, cfg Config) ([]Tool, diag.List) {
	promises, faults := Promises(ctx, cfg)
	return promises.Tools, faults
}

// Definitions returns the tools as a target receives them, in their order: the
// elements of the list of tools of a request.
func Definitions(receiver schema.Target, tools []Tool) ([]json.RawMessage, error) {
	return contract.Definitions(receiver, tools)
}

// Lint warns of what targets will refuse or drop of the tools, one by one and of
// those of a package together, as in one request. What is only written in another
// way, or told in words, is not lost: the tool gets it back, and insists on it.
// Where that way is JSON text in a string, there is a note.
func Lint(tools []Tool, targets ...schema.Target) diag.List { return contract.Lint(tools, targets...) }

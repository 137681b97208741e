package gen

import (
	"context"
	"encoding/json"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/contract"
	"github.com/aiongen/aiongen/gen/internal/promise"
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
	promises, faults := promise.Of(ctx, cfg.find())
	return promises.Tools, faults.Short()
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

// Compare says what changed for the callers of the tools since a snapshot, if there
// is a file of that name, seen from the current directory, else since a git
// revision: an error for what breaks some of them, a warning where the same call
// means something else, a note for the rest. [Definitions] for MCP are a snapshot.
// Neither the checkout nor the index changes.
func Compare(ctx context.Context, cfg Config, against string) diag.List {
	return promise.Compare(ctx, cfg.find(), against).Short()
}

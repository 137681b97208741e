package gen

import (
	"context"
	"encoding/json"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/contract"
	"github.com/aiongen/aiongen/runtime/schema"
)

// Tool describes a tool as its callers see it, with positions in the source. As JSON it has
// the members name, title, description, link, arguments, input, output, example, variables,
// annotations, package, place and source. These names are stable.
type Tool = contract.Tool

// Tools returns the tools of packages, in the order of packages and .aion files, or nothing
// if there are errors. It ignores Config.Output and clashes with generated files.
func Tools(ctx context.Context, cfg Config) ([]Tool, diag.List) {
	promises, faults := readPromises(ctx, cfg, false)
	return promises.Tools, faults.Short()
}

// Definitions returns the JSON definitions of tools that a target receives: the elements of the
// list of tools in a request, in the order of tools.
func Definitions(receiver schema.Target, tools []Tool) ([]json.RawMessage, error) {
	return contract.Definitions(receiver, tools)
}

// Lint reports the parts of tools that targets reject or drop. It checks each tool, and all
// tools of a package in one request. It does not report parts that are only expressed
// differently or moved to the description, because the tool still checks them. It adds a note
// where a value must be sent as JSON text in a string.
func Lint(tools []Tool, targets ...schema.Target) diag.List { return contract.Lint(tools, targets...) }

// Compare reports what has changed for callers of the tools since a snapshot or a git revision:
// against is the name of a file with a snapshot or, if there is no such file, a revision. It
// reports an error for each breaking change, a warning where the same call has another meaning,
// and a note for other changes. To write a snapshot, use [Definitions] for MCP. Compare changes
// neither the checkout nor the index.
func Compare(ctx context.Context, cfg Config, against string) diag.List {
	now, faults := readPromises(ctx, cfg, false)
	if faults.Err() == nil {
		faults = append(withoutCosts(faults, now), comparePromises(ctx, cfg, against, now)...)
	}
	return faults.Short()
}

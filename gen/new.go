package gen

import (
	"context"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/scaffold"
)

// NewConfig selects the functions for which [New] writes tools.
type NewConfig = scaffold.Config

// New returns the text of an .aion file with a tool for each function. The text is empty if
// there are errors. If a function cannot be a tool, New reports an error if the function is
// listed by name; if it only matches a pattern, New skips it and adds a note. Relative import
// paths are resolved against the current directory.
func New(ctx context.Context, cfg NewConfig) ([]byte, diag.List) {
	return scaffold.Write(ctx, cfg)
}

// Function is a function or method for which [New] can write a tool.
type Function = scaffold.Function

// Functions lists the functions for which [New] can write tools: the exported functions of a
// package, then the methods of its exported types, each sorted by name.
func Functions(ctx context.Context, cfg NewConfig) ([]Function, diag.List) {
	return scaffold.Functions(ctx, cfg)
}

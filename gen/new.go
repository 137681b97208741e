package gen

import (
	"context"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/scaffold"
)

// NewConfig says for which functions [New] writes tools.
type NewConfig = scaffold.Config

// New returns the text of an .aion file with a tool for each function. The text is empty if
// there are errors. A function that is listed by name and cannot be a tool is an error; one
// that only matches a pattern is left out with a note. Relative import paths are resolved
// against the current directory.
func New(ctx context.Context, cfg NewConfig) ([]byte, diag.List) {
	return scaffold.Write(ctx, cfg)
}

// Function is a function or method that a tool can be made of.
type Function = scaffold.Function

// Functions lists what [New] can make tools of: the exported functions of a package, then
// the methods of its exported types, each sorted by name.
func Functions(ctx context.Context, cfg NewConfig) ([]Function, diag.List) {
	return scaffold.Functions(ctx, cfg)
}

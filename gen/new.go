package gen

import (
	"context"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/scaffold"
)

// NewConfig says what [New] writes. The file is meant for a directory, whose
// package need not be the one that the functions are of.
type NewConfig struct {
	Dir       string   // directory of the file; "" is the current one
	Tags      string   // build tags; where there are none, those of the package's go:generate line
	Package   string   // of the functions, as the go command takes it
	Functions []string // as the property function names them, or patterns: Find, Store.Find, Store.*
	All       bool     // all that is exported, as far as it can be a tool
}

// New returns the text of a .aion file with a tool for each function. It is empty
// when the list holds an error, as it does for a function that is named and cannot be
// a tool; of those that patterns match, a note tells it. Packages that are given by a
// relative path are relative to the current directory.
func New(ctx context.Context, cfg NewConfig) ([]byte, diag.List) {
	return scaffold.Write(ctx, scaffold.Config(cfg))
}

// Function is what a tool can be made of.
type Function = scaffold.Function

// Functions lists what [New] can make tools of: the exported functions of a package,
// and the methods of its exported types, both in the order of their names.
func Functions(ctx context.Context, cfg NewConfig) ([]Function, diag.List) {
	return scaffold.Functions(ctx, scaffold.Config(cfg))
}

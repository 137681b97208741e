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
	Functions []string // as the property function names them: Find, Store.Find
}

// New returns the text of a .aion file with a tool for each function. It is empty
// when the list holds an error. Packages that are given by a relative path are
// relative to the current directory.
func New(ctx context.Context, cfg NewConfig) ([]byte, diag.List) {
	return scaffold.Write(ctx, scaffold.Config(cfg))
}

package gen

import (
	"context"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/contract"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
)

// readPromises returns the tools and prompts on which callers of packages rely, in the order of
// packages and .aion files, or nothing if there are errors. It ignores conflicts with existing
// files. With allowNoMatch, patterns may match no package.
func readPromises(ctx context.Context, cfg Config, allowNoMatch bool) (promises contract.Promises, faults diag.List) {
	cfg.Output = ""
	f := newFinder(cfg, nil, nil, load.NewMemory())
	f.ignoreOutput, f.allowNoMatch = true, allowNoMatch
	for _, s := range f.findSources(ctx) {
		if m, ok := f.bindPackage(s, shape.Target{Path: s.Package.Path, Name: s.Package.Name}); ok {
			promises.Tools = contract.AppendTools(promises.Tools, newBoundPackage(s, m))
			promises.Costs = append(promises.Costs, m.Notes()...)
			if !s.Repeated { // prompts do not depend on build tags
				promises.Prompts = append(promises.Prompts, contract.PromptsOf(newBoundPackage(s, m))...)
			}
		}
	}
	f.Faults = append(f.Faults, f.Failures...)
	f.Faults.Sort()
	if f.Faults.Err() != nil {
		return contract.Promises{}, f.Faults
	}
	return promises, f.Faults
}

// newBoundPackage converts a source package and its model to the input of package contract.
func newBoundPackage(s *sourcePackage, m *model.Package) contract.BoundPackage {
	return contract.BoundPackage{Path: s.Package.Path, Docs: s.Docs, Model: m, Repeated: s.Repeated}
}

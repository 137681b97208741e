package resolve

import (
	"fmt"
	"go/types"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// readContextOptions reads the calls of tool.PassContext. Each names a function that makes an option for a
// variadic parameter from the context.
func (s *Supply) readContextOptions() diag.List {
	write := s.write
	options, faults := source.ReadContextOptions(write.Package, func(obj types.Object) error {
		if write.IsForeign() && !obj.Exported() {
			return fmt.Errorf("%s is not exported, so package %s, where the generated code goes, cannot use it", obj.Name(), write.Target.Name)
		}
		return write.CheckImport(obj.Pkg())
	})
	for _, o := range options {
		s.contextOptions = append(s.contextOptions, &contextOption{ContextOption: o})
	}
	return faults
}

// A contextOption is a function that makes an option from the context, and whether a tool uses it.
type contextOption struct {
	source.ContextOption
	used bool
}

// ContextOption returns the function that makes an option of a type from the context of a call, or
// nil if no such function is declared. It marks the function as used.
func (s *Supply) ContextOption(elem types.Type) *source.ContextOption {
	for _, o := range s.contextOptions {
		if types.Identical(o.Type, types.Unalias(elem)) {
			o.used = true
			return &o.ContextOption
		}
	}
	return nil
}

// UnusedContextOptions returns the declared functions for which ContextOption was not called.
func (s *Supply) UnusedContextOptions() (unused []source.ContextOption) {
	for _, o := range s.contextOptions {
		if !o.used {
			unused = append(unused, o.ContextOption)
		}
	}
	return unused
}

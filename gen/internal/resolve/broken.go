// Functions whose types do not type-check, and why.

package resolve

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/godoc"
)

func invalid(sig *types.Signature) bool {
	for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range tuple.Variables() {
			if hasInvalid(v.Type()) {
				return true
			}
		}
	}
	return false
}

// hasInvalid looks through type literals, not into named types.
func hasInvalid(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() == types.Invalid
	case *types.Map:
		return hasInvalid(t.Key()) || hasInvalid(t.Elem())
	case *types.Named:
		return t.Underlying() == types.Typ[types.Invalid]
	case interface{ Elem() types.Type }:
		return hasInvalid(t.Elem())
	}
	return false
}

// AddCauses says why a type in a signature is invalid: the Go errors within the
// Declaration of the function and of the types that it takes and returns, what
// only cgo knows there, else the errors of the imports above: what these do not
// bring in is no error where it is used.
func (s *Scope) AddCauses(d *diag.Diagnostic, t Function) {
	source := s.docs.Of(s.pkg.Types)
	var declared []godoc.Extent
	if t.Pkg() == s.pkg.Types {
		declared = append(declared, source.Extents[t.DocKey])
	}
	for _, name := range s.ownTypes(t.Sig) {
		declared = append(declared, source.Extents[name])
	}
	for _, causes := range []func(godoc.Extent) []diag.Related{s.faultsWithin, s.cgoWithin, s.importFaults} {
		var found []diag.Related
		for _, where := range declared {
			found = append(found, causes(where)...)
		}
		if len(found) > 0 {
			d.Related = append(d.Related, found...)
			return
		}
	}
}

// ownTypes are the named types of the source package that a type is made of, in
// the order in which they are met.
func (s *Scope) ownTypes(t types.Type) (found []string) {
	seen := map[types.Type]bool{}
	var visit func(t types.Type)
	visit = func(t types.Type) {
		if t = types.Unalias(t); seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Named:
			if t.Obj().Pkg() == s.pkg.Types {
				found = append(found, t.Obj().Name())
				visit(t.Underlying())
			}
		case *types.Signature:
			for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
				for v := range tuple.Variables() {
					visit(v.Type())
				}
			}
		case *types.Struct:
			for v := range t.Fields() {
				visit(v.Type())
			}
		case *types.Map:
			visit(t.Key())
			visit(t.Elem())
		case interface{ Elem() types.Type }:
			visit(t.Elem())
		}
	}
	visit(t)
	return found
}

// importFaults are the Go errors of the imports of the file that holds a
// declaration.
func (s *Scope) importFaults(where godoc.Extent) (related []diag.Related) {
	if file := s.fileOf(where); file != nil {
		for _, spec := range file.Imports {
			related = append(related, s.faultsWithin(godoc.Extent{From: spec.Pos(), To: spec.End()})...)
		}
	}
	return related
}

func (s *Scope) fileOf(where godoc.Extent) *ast.File {
	for _, file := range s.pkg.Files {
		if file.FileStart <= where.From && where.From < file.FileEnd {
			return file
		}
	}
	return nil
}

// cgoWithin are the types of C in a declaration: no Go error tells of them, since
// cgo would put Go types in their place.
func (s *Scope) cgoWithin(where godoc.Extent) (related []diag.Related) {
	file := s.fileOf(where)
	if file == nil || !slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"C"` }) {
		return nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && where.Holds(sel.Pos()) {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "C" {
				related = append(related, diag.Related{
					Span:    s.pkg.Span(sel.Pos(), sel.End()),
					Message: "C." + sel.Sel.Name + " is a type that only cgo knows: take a Go type, and convert it within the function",
				})
			}
		}
		return true
	})
	return related
}

func (s *Scope) faultsWithin(where godoc.Extent) (related []diag.Related) {
	for _, fault := range s.pkg.Faults {
		if where.Holds(fault.Pos) {
			message := strings.Join(strings.Fields(fault.Msg), " ") // it may have several lines
			related = append(related, diag.Related{Span: s.pkg.Span(fault.Pos, fault.Pos+1), Message: "the Go error: " + message})
		}
	}
	return related
}

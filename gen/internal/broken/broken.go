// Package broken finds out why the types of a function do not type-check: the code
// generator goes on where the Go compiler would have ended.
package broken

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/godoc"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// Signature reports whether a function takes or returns what is no type.
func Signature(sig *types.Signature) bool {
	for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range tuple.Variables() {
			if Type(v.Type()) {
				return true
			}
		}
	}
	return false
}

// Type reports whether a type is invalid. It looks through type literals, not into
// named types.
func Type(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() == types.Invalid
	case *types.Map:
		return Type(t.Key()) || Type(t.Elem())
	case *types.Named:
		return t.Origin().Underlying() == types.Typ[types.Invalid]
	case interface{ Elem() types.Type }:
		return Type(t.Elem())
	}
	return false
}

// A Search looks for causes in the files of a package.
type Search struct {
	Package *load.Package
	Docs    *godoc.Reader
}

// Causes says why a type in a signature is invalid: the Go errors within the declaration
// of the function and of the types that it takes and returns, what only cgo knows there,
// else the errors of the imports above: what these do not bring in is no error where it
// is used. The key is that of the function in the source of the package, "" if it is
// declared elsewhere.
func (s Search) Causes(sig *types.Signature, key string) []diag.Related {
	source := s.Docs.Of(s.Package.Types)
	var declared []godoc.Extent
	if key != "" {
		declared = append(declared, source.Extents[key])
	}
	for _, name := range s.ownTypes(sig) {
		declared = append(declared, source.Extents[name])
	}
	for _, causes := range []func(godoc.Extent) []diag.Related{s.faultsWithin, s.cgoWithin, s.importFaults} {
		var found []diag.Related
		for _, where := range declared {
			found = append(found, causes(where)...)
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// ownTypes are the named types of the source package that a type is made of, in
// the order in which they are met.
func (s Search) ownTypes(t types.Type) (found []string) {
	seen := map[types.Type]bool{}
	var visit func(t types.Type)
	visit = func(t types.Type) {
		if t = types.Unalias(t); seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Named:
			for arg := range t.TypeArgs().Types() {
				visit(arg)
			}
			if origin := t.Origin(); t != origin {
				visit(origin) // whose instances may go on without end
			} else if t.Obj().Pkg() == s.Package.Types {
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
func (s Search) importFaults(where godoc.Extent) (related []diag.Related) {
	if file := s.fileOf(where); file != nil {
		for _, spec := range file.Imports {
			related = append(related, s.faultsWithin(godoc.Extent{From: spec.Pos(), To: spec.End()})...)
		}
	}
	return related
}

func (s Search) fileOf(where godoc.Extent) *ast.File {
	for _, file := range s.Package.Files {
		if file.FileStart <= where.From && where.From < file.FileEnd {
			return file
		}
	}
	return nil
}

// cgoWithin are the types of C in a declaration: no Go error tells of them, since
// cgo would put Go types in their place.
func (s Search) cgoWithin(where godoc.Extent) (related []diag.Related) {
	file := s.fileOf(where)
	if file == nil || !slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"C"` }) {
		return nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && where.Holds(sel.Pos()) {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "C" {
				related = append(related, diag.Related{
					Span:    s.Package.Span(sel.Pos(), sel.End()),
					Message: "C." + sel.Sel.Name + " is a type that only cgo knows: take a Go type, and convert it within the function",
				})
			}
		}
		return true
	})
	return related
}

func (s Search) faultsWithin(where godoc.Extent) (related []diag.Related) {
	for _, fault := range s.Package.Faults {
		if where.Holds(fault.Pos) {
			message := strings.Join(strings.Fields(fault.Msg), " ") // it may have several lines
			related = append(related, diag.Related{Span: s.Package.Span(fault.Pos, fault.Pos+1), Message: "the Go error: " + message})
		}
	}
	return related
}

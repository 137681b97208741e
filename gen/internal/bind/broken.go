// Functions whose types do not type-check, and why.

package bind

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
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

// addCauses says why a type in a signature is invalid: the Go errors within the
// declaration of the function and of the types that it takes and returns, what
// only cgo knows there, else the errors of the imports above: what these do not
// bring in is no error where it is used.
func (b *binder) addCauses(d *diag.Diagnostic, t target) {
	source := b.docsOf(b.pkg.Types)
	var declared []extent
	if t.pkg() == b.pkg.Types {
		declared = append(declared, source.extent[t.docKey])
	}
	for _, name := range b.ownTypes(t.sig) {
		declared = append(declared, source.extent[name])
	}
	for _, causes := range []func(extent) []diag.Related{b.faultsWithin, b.cgoWithin, b.importFaults} {
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
func (b *binder) ownTypes(t types.Type) (found []string) {
	seen := map[types.Type]bool{}
	var visit func(t types.Type)
	visit = func(t types.Type) {
		if t = types.Unalias(t); seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Named:
			if t.Obj().Pkg() == b.pkg.Types {
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
func (b *binder) importFaults(where extent) (related []diag.Related) {
	if file := b.fileOf(where); file != nil {
		for _, spec := range file.Imports {
			related = append(related, b.faultsWithin(extent{spec.Pos(), spec.End()})...)
		}
	}
	return related
}

func (b *binder) fileOf(where extent) *ast.File {
	for _, file := range b.pkg.Files {
		if file.FileStart <= where.from && where.from < file.FileEnd {
			return file
		}
	}
	return nil
}

// cgoWithin are the types of C in a declaration: no Go error tells of them, since
// cgo would put Go types in their place.
func (b *binder) cgoWithin(where extent) (related []diag.Related) {
	file := b.fileOf(where)
	if file == nil || !slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"C"` }) {
		return nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && where.holds(s.Pos()) {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "C" {
				related = append(related, diag.Related{
					Span:    b.pkg.Span(s.Pos(), s.End()),
					Message: "C." + s.Sel.Name + " is a type that only cgo knows: take a Go type, and convert it within the function",
				})
			}
		}
		return true
	})
	return related
}

func (b *binder) faultsWithin(where extent) (related []diag.Related) {
	for _, fault := range b.pkg.Faults {
		if where.holds(fault.Pos) {
			message := strings.Join(strings.Fields(fault.Msg), " ") // it may have several lines
			related = append(related, diag.Related{Span: b.pkg.Span(fault.Pos, fault.Pos+1), Message: "the Go error: " + message})
		}
	}
	return related
}

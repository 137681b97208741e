package resolve

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/source"
	"github.com/aiongen/aiongen/internal/lazyregexp"
)

// isBrokenSignature reports whether a parameter or result of a function has an invalid type.
func isBrokenSignature(sig *types.Signature) bool {
	for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range tuple.Variables() {
			if isBrokenType(v.Type()) {
				return true
			}
		}
	}
	return false
}

// isBrokenType reports whether a type is invalid. It checks keys and elements, but not the fields
// of structs, and not the inside of valid named types.
func isBrokenType(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() == types.Invalid
	case *types.Map:
		return isBrokenType(t.Key()) || isBrokenType(t.Elem())
	case *types.Named:
		return t.Origin().Underlying() == types.Typ[types.Invalid]
	case interface{ Elem() types.Type }:
		return isBrokenType(t.Elem())
	}
	return false
}

// A causeSearch finds out why types of a package are invalid.
type causeSearch struct {
	Package *load.Package
	Docs    *source.DocReader
}

// findCauses returns why a type in a signature is invalid. It searches the declarations of the
// function and of its types for the following causes, and returns those of the first kind that it
// finds:
//   - Go errors
//   - types that only cgo knows
//   - Go errors in the imports of the file
//
// The string key is the DocKey of the function, or "" if another package declares the function.
func (s causeSearch) findCauses(sig *types.Signature, key string) []diag.Related {
	goSource := s.Docs.PackageDoc(s.Package.Types)
	var extents []source.Extent
	if key != "" {
		extents = append(extents, goSource.Extents[key])
	}
	for _, name := range s.ownTypes(sig) {
		extents = append(extents, goSource.Extents[name])
	}
	for _, causes := range []func(source.Extent) []diag.Related{s.faultsWithin, s.cgoWithin, s.importFaults} {
		var found []diag.Related
		for _, extent := range extents {
			found = append(found, causes(extent)...)
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// ownTypes returns the names of the types in t that the package declares, in the order in which
// they occur.
func (s causeSearch) ownTypes(t types.Type) (found []string) {
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
				visit(origin) // not the instance: a type can contain ever larger instances of itself
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

// importFaults returns the Go errors in the imports of the file that contains a declaration.
func (s causeSearch) importFaults(where source.Extent) (related []diag.Related) {
	if file := s.fileOf(where); file != nil {
		for _, spec := range file.Imports {
			related = append(related, s.faultsWithin(source.Extent{From: spec.Pos(), To: spec.End()})...)
		}
	}
	return related
}

func (s causeSearch) fileOf(where source.Extent) *ast.File {
	for _, file := range s.Package.Files {
		if file.FileStart <= where.From && where.From < file.FileEnd {
			return file
		}
	}
	return nil
}

// cgoWithin returns the C types in a declaration. The type checker reports no errors about them,
// because cgo would replace them.
func (s causeSearch) cgoWithin(where source.Extent) (related []diag.Related) {
	file := s.fileOf(where)
	if file == nil || !slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"C"` }) {
		return nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && where.Contains(sel.Pos()) {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "C" {
				related = append(related, diag.Related{
					Span:    s.Package.Span(sel.Pos(), sel.End()),
					Message: "C." + sel.Sel.Name + " is a type that only cgo knows: take a Go type and convert it in the function",
				})
			}
		}
		return true
	})
	return related
}

func (s causeSearch) faultsWithin(where source.Extent) (related []diag.Related) {
	for _, fault := range s.Package.Faults {
		if where.Contains(fault.Pos) {
			message := strings.Join(strings.Fields(fault.Msg), " ") // on one line
			related = append(related, diag.Related{Span: s.Package.Span(fault.Pos, fault.Pos+1), Message: "the Go error: " + message})
		}
	}
	return related
}

// syntaxErrorPosition matches the file, line and column at the end of a syntax error.
var syntaxErrorPosition = lazyregexp.Regexp{Text: `\(([^()]+):(\d+):(\d+)\)$`}

// findSyntaxError returns the syntax error in the signature of a function of the package, or "" if there
// is none. The signature is then unreliable, because the parser guesses its rest.
func (s *Scope) findSyntaxError(t Function) string {
	if t.Pkg() != s.pkg.Types || t.DocKey == "" {
		return ""
	}
	where, ok := s.docs.PackageDoc(s.pkg.Types).Extents[t.DocKey]
	if !ok {
		return ""
	}
	from, to := s.pkg.Fset.Position(where.From), s.pkg.Fset.Position(where.To-1)
	for _, fault := range s.pkg.Faults {
		m := syntaxErrorPosition.Get().FindStringSubmatch(fault.Msg)
		if fault.Pos.IsValid() || m == nil || m[1] != from.Filename {
			continue
		}
		line, _ := strconv.Atoi(m[2])
		column, _ := strconv.Atoi(m[3])
		at := []int{line, column}
		if slices.Compare([]int{from.Line, from.Column}, at) <= 0 && slices.Compare(at, []int{to.Line, to.Column}) <= 0 {
			return fault.Msg
		}
	}
	return ""
}

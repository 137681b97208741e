// Package lower prints the typed code of a lambda as a Go function. Call Write.
//
// The printed code evaluates steps in their order. A step that is used once is printed at its use if that does
// not change the order. The values of other steps are stored in variables.
package lower

import (
	"go/ast"
	"go/types"
	"maps"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
)

// Func is a printed Go function.
type Func struct {
	Lit          *ast.FuncLit
	Uses         map[*ast.Ident]types.Object // the package-level objects that it uses
	Locals       []*ast.Ident                // the identifiers that declare variables
	Signature    *types.Signature
	UnnamedTypes []types.Type // the types that the function needs, but that cannot be written in Go source
}

// Write prints a program as a function of package pkg.
func Write(p *ir.Program, pkg *types.Package) *Func {
	w := &writer{
		nameTable: &nameTable{objects: map[*ast.Ident]types.Object{}},
		uses:      countUses(p.Body), variables: map[*ir.Step]*localVariable{}, operands: map[*ir.Step]*operand{},
		results: p.Results, fails: p.Fails,
	}
	for _, s := range p.Params {
		w.declareVariable(s)
	}
	lit := &ast.FuncLit{Type: w.funcType(p), Body: w.writeBlock(p.Body)}
	if n := len(lit.Body.List); len(p.Results) == 0 && !p.Fails { // omit the final return of a function without results
		lit.Body.List = lit.Body.List[:n-1]
	}
	printed := map[*ast.Ident]bool{} // identifiers that were created but replaced are not in lit
	ast.Inspect(lit, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			printed[id] = true
		}
		return true
	})
	maps.DeleteFunc(w.nameTable.objects, func(id *ast.Ident, _ types.Object) bool { return !printed[id] })
	f := &Func{Lit: lit, Uses: w.nameTable.objects, UnnamedTypes: w.nameTable.unnamedTypes}
	for _, l := range w.nameTable.assignNames() {
		if printed[l.declaringIdent()] {
			f.Locals = append(f.Locals, l.declaringIdent())
		}
	}
	f.Signature = w.signature(p, pkg)
	return f
}

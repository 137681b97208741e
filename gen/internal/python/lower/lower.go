// Package lower writes typed code as a function of Go. It knows nothing of Python but
// the order of the steps, and keeps that:
//
//	lower.go            a whole lambda
//	block.go            statements, of the steps that are some
//	function.go         the function, its type, and what is returned
//	order.go, uses.go   which steps become variables, and how often each is used
//	expr.go, writer.go  expressions of Go, and the text of one
//	names.go, goast.go  variables and packages; shapes of syntax
package lower

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/python/code"
)

// A Func is a function of Go.
type Func struct {
	Lit       *ast.FuncLit
	Uses      map[*ast.Ident]types.Object // the names of packages in it
	Locals    []*ast.Ident                // the variables that it declares
	Signature *types.Signature
	Nameless  []types.Type // the types that no Go can be written for
}

// Write writes a program as a function of a package.
func Write(p *code.Program, pkg *types.Package) *Func {
	w := &writer{
		names: &names{uses: map[*ast.Ident]types.Object{}, packages: map[string]*types.Package{}},
		uses:  count(p.Body), variables: map[*code.Step]*local{}, operands: map[*code.Step]*operand{},
		results: p.Results, fails: p.Fails,
	}
	for _, s := range slices.Concat(p.Supplied, p.Params) {
		w.declare(s)
	}
	lit := &ast.FuncLit{Type: w.funcType(p), Body: w.block(p.Body)}
	if n := len(lit.Body.List); len(p.Results) == 0 && !p.Fails { // it ends without a word
		lit.Body.List = lit.Body.List[:n-1]
	}
	left := map[*ast.Ident]bool{}
	ast.Inspect(lit, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			left[id] = true
		}
		return true
	})
	maps.DeleteFunc(w.names.uses, func(id *ast.Ident, _ types.Object) bool { return !left[id] })
	f := &Func{Lit: lit, Uses: w.names.uses, Nameless: w.names.nameless}
	for _, l := range w.names.settle() {
		if left[l.declaration()] {
			f.Locals = append(f.Locals, l.declaration())
		}
	}
	f.Signature = w.signature(p, pkg)
	return f
}

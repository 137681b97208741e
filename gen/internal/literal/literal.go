// Package literal makes a declared function of a function literal, in the words of the
// package that code is generated into: which may name less than the package of the
// literal, and knows other packages by other names.
package literal

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
)

// A Literal is a function literal, and what it is generated as.
type Literal struct {
	*resolve.Literal
	Made     *model.Literal
	Mentions []types.Object // what it refers to at package level
}

// Declare makes a declaration of a literal, which is yet to be named. The error says
// what the generated package cannot name.
func Declare(w gotype.Writer, from *resolve.Literal) (*Literal, error) {
	l := &Literal{Literal: from}
	check := l.nameable
	if l.Lambda != nil {
		check = l.mentionAll
	}
	if err := check(w); err != nil {
		return nil, err
	}
	l.Made = &model.Literal{
		Decl:    &ast.FuncDecl{Name: ast.NewIdent(""), Type: l.Type, Body: l.Body},
		Fset:    w.Package.Fset,
		Imports: l.imports(w.Target.Path),
	}
	if l.Lambda != nil {
		l.Made.Lambda = modelLambda(w, l.Lambda)
	}
	return l, nil
}

// imports are the paths of the packages that a literal needs in the target package.
func (l *Literal) imports(target string) []string {
	needed := map[string]bool{}
	for _, obj := range l.Info.Uses {
		if isPackageLevel(obj) && obj.Pkg().Path() != target {
			needed[obj.Pkg().Path()] = true
		}
	}
	return slices.Sorted(maps.Keys(needed))
}

// nameable reports why generated code cannot say what a literal says, and notes
// the packages that it mentions.
func (l *Literal) nameable(w gotype.Writer) (err error) {
	ast.Inspect(l.FuncLit, func(n ast.Node) bool {
		if err != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.Ident:
			err = l.usable(w, l.Info.Uses[n])
		case *ast.CompositeLit:
			err = l.fillable(w, n)
		}
		return true
	})
	return err
}

// usable reports why generated code cannot mention an object.
func (l *Literal) usable(w gotype.Writer, obj types.Object) error {
	switch {
	case obj == nil, obj.Pkg() == nil, obj.Pkg().Path() == w.Target.Path, l.holds(obj):
		return nil
	case !isPackageLevel(obj) && !isMember(obj):
		return nil
	case !obj.Exported():
		return fmt.Errorf("%s is not exported, so package %s cannot use it", obj.Name(), w.Target.Name)
	case isMember(obj):
		return nil
	}
	return l.mention(w, obj)
}

// fillable reports why generated code cannot write a composite literal without
// field names.
func (l *Literal) fillable(w gotype.Writer, lit *ast.CompositeLit) error {
	s, ok := l.Info.TypeOf(lit).Underlying().(*types.Struct)
	if !ok || len(lit.Elts) == 0 {
		return nil
	}
	if _, named := lit.Elts[0].(*ast.KeyValueExpr); named {
		return nil
	}
	for v := range s.Fields() {
		if err := l.usable(w, v); err != nil {
			return err
		}
	}
	return nil
}

// holds reports whether an object is declared in the literal.
func (l *Literal) holds(obj types.Object) bool {
	return l.Pos() <= obj.Pos() && obj.Pos() < l.End()
}

func isPackageLevel(obj types.Object) bool {
	return obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()
}

// isMember reports whether an object is a field or a method.
func isMember(obj types.Object) bool {
	switch obj := obj.(type) {
	case *types.Var:
		return obj.IsField()
	case *types.Func:
		return obj.Signature().Recv() != nil
	}
	return false
}

// Declared are the names of what the literal declares.
func (l *Literal) Declared() []string {
	var names []string
	for id := range l.Info.Defs {
		if id.Pos() >= l.Pos() { // what is before it are imports
			names = append(names, id.Name)
		}
	}
	return names
}

// Qualify rewrites what a literal takes from packages to the names that generated
// code knows these by. What needed none, being of the package of the .aion files
// or a dot import, may need one there.
func (l *Literal) Qualify(names map[string]string, target string) {
	qualified := map[*ast.Ident]bool{} // a lambda's tree may have a node in several places
	astutil.Apply(l.Made.Decl, func(c *astutil.Cursor) bool {
		switch n := c.Node().(type) {
		case *ast.SelectorExpr:
			if qualified[n.Sel] {
				return false
			}
			x, _ := n.X.(*ast.Ident)
			if pkg, ok := l.Info.Uses[x].(*types.PkgName); ok {
				x.Name = names[pkg.Imported().Path()]
				return false
			}
		case *ast.Ident:
			if obj := l.Info.Uses[n]; obj != nil && isPackageLevel(obj) && obj.Pkg().Path() != target {
				qualified[n] = true
				c.Replace(&ast.SelectorExpr{X: &ast.Ident{NamePos: n.Pos(), Name: names[obj.Pkg().Path()]}, Sel: n})
				return false
			}
		}
		return true
	}, nil)
}

// mentionAll notes the packages that the function of a lambda mentions, or reports
// why it cannot.
func (l *Literal) mentionAll(w gotype.Writer) error {
	uses := slices.SortedFunc(maps.Values(l.Info.Uses), func(a, b types.Object) int {
		return cmp.Or(cmp.Compare(a.Pkg().Path(), b.Pkg().Path()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, obj := range uses {
		if obj.Pkg().Path() != w.Target.Path && !obj.Exported() {
			return fmt.Errorf("%s is not exported, so package %s cannot use it", obj.Name(), w.Target.Name)
		}
		if err := l.mention(w, obj); err != nil {
			return err
		}
	}
	return nil
}

// mention notes an object that the literal refers to, or returns why it cannot.
func (l *Literal) mention(w gotype.Writer, obj types.Object) error {
	if err := w.Importable(obj.Pkg()); err != nil {
		return err
	}
	l.Mentions = append(l.Mentions, obj)
	return nil
}

// modelLambda is a lambda with the functions that it calls at their types.
func modelLambda(w gotype.Writer, l *resolve.Lambda) *model.Lambda {
	m := &model.Lambda{Text: l.Source}
	for _, obj := range l.Calls {
		if exact, err := w.Type(obj.Type()); err == nil { // else it cannot be written, but called
			m.Calls = append(m.Calls, &model.Func{Path: obj.Pkg().Path(), Name: obj.Name(), Type: exact})
		}
	}
	return m
}

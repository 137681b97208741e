package bind

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
)

// A literal is a function literal, and what it is generated as.
type literal struct {
	*resolve.Literal
	made *model.Literal
}

// bindLiteral makes a function of a literal.
func (b *binder) bindLiteral(el *element) error {
	l := &literal{Literal: el.fn.Literal}
	check := b.nameable
	if l.Lambda != nil {
		check = b.mentionAll
	}
	if err := check(el, l); err != nil {
		return err
	}
	f := el.tool.Func
	f.Path = b.write.Target.Path
	f.Literal = &model.Literal{
		Decl:    &ast.FuncDecl{Name: ast.NewIdent(""), Type: l.Type, Body: l.Body},
		Fset:    b.pkg.Fset,
		Imports: l.imports(f.Path),
	}
	if l.Lambda != nil {
		f.Literal.Lambda = b.modelLambda(l.Lambda)
	}
	l.made, el.literal = f.Literal, l
	return nil
}

// imports are the paths of the packages that a literal needs in the target package.
func (l *literal) imports(target string) []string {
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
func (b *binder) nameable(el *element, l *literal) (err error) {
	ast.Inspect(l.FuncLit, func(n ast.Node) bool {
		if err != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.Ident:
			err = b.usable(el, l, l.Info.Uses[n])
		case *ast.CompositeLit:
			err = b.fillable(el, l, n)
		}
		return true
	})
	return err
}

// usable reports why generated code cannot mention an object.
func (b *binder) usable(el *element, l *literal, obj types.Object) error {
	switch {
	case obj == nil, obj.Pkg() == nil, obj.Pkg().Path() == b.write.Target.Path, l.holds(obj):
		return nil
	case !isPackageLevel(obj) && !isMember(obj):
		return nil
	case !obj.Exported():
		return fmt.Errorf("%s is not exported, so package %s cannot use it", obj.Name(), b.write.Target.Name)
	case isMember(obj):
		return nil
	}
	return b.mention(el, obj)
}

// fillable reports why generated code cannot write a composite literal without
// field names.
func (b *binder) fillable(el *element, l *literal, lit *ast.CompositeLit) error {
	s, ok := l.Info.TypeOf(lit).Underlying().(*types.Struct)
	if !ok || len(lit.Elts) == 0 {
		return nil
	}
	if _, named := lit.Elts[0].(*ast.KeyValueExpr); named {
		return nil
	}
	for v := range s.Fields() {
		if err := b.usable(el, l, v); err != nil {
			return err
		}
	}
	return nil
}

// holds reports whether an object is declared in the literal.
func (l *literal) holds(obj types.Object) bool {
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

// declared are the names of what the literal declares.
func (l *literal) declared() []string {
	var names []string
	for id := range l.Info.Defs {
		if id.Pos() >= l.Pos() { // what is before it are imports
			names = append(names, id.Name)
		}
	}
	return names
}

// qualify rewrites what a literal takes from packages to the names that generated
// code knows these by. What needed none, being of the package of the .aion files
// or a dot import, may need one there.
func (l *literal) qualify(names map[string]string, target string) {
	qualified := map[*ast.Ident]bool{} // a lambda's tree may have a node in several places
	astutil.Apply(l.made.Decl, func(c *astutil.Cursor) bool {
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
func (b *binder) mentionAll(el *element, l *literal) error {
	for _, obj := range l.Info.Uses {
		if obj.Pkg().Path() != b.write.Target.Path && !obj.Exported() {
			return fmt.Errorf("%s is not exported, so package %s cannot use it", obj.Name(), b.write.Target.Name)
		}
		if err := b.mention(el, obj); err != nil {
			return err
		}
	}
	return nil
}

// modelLambda is a lambda with the functions that it calls at their types.
func (b *binder) modelLambda(l *resolve.Lambda) *model.Lambda {
	m := &model.Lambda{Text: l.Source}
	for _, obj := range l.Calls {
		if exact, err := b.write.Type(obj.Type()); err == nil { // else it cannot be written, but called
			m.Calls = append(m.Calls, &model.Func{Path: obj.Pkg().Path(), Name: obj.Name(), Type: exact})
		}
	}
	return m
}

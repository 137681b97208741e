package resolve

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
)

// A DeclaredLiteral is a function literal and its generated declaration.
type DeclaredLiteral struct {
	*Literal
	Generated *model.Literal
	Mentions  []types.Object // package-level objects that the literal refers to
}

// DeclareLiteral returns a declaration of a function with the content of a literal. The function
// has no name yet. It fails if the generated package cannot refer to something in the literal.
func DeclareLiteral(w shape.TypeWriter, from *Literal) (*DeclaredLiteral, error) {
	l := &DeclaredLiteral{Literal: from}
	check := l.checkNames
	if l.Lambda != nil {
		check = l.addMentions
	}
	if err := check(w); err != nil {
		return nil, err
	}
	l.Generated = &model.Literal{
		Decl:    &ast.FuncDecl{Name: ast.NewIdent(""), Type: l.Type, Body: l.Body},
		Fset:    w.Package.Fset,
		Imports: l.listImports(w.Target.Path),
	}
	if l.Lambda != nil {
		l.Generated.Lambda = newModelLambda(w, l.Lambda)
	}
	return l, nil
}

// listImports returns the paths of the packages that a literal needs in the target package.
func (l *DeclaredLiteral) listImports(target string) []string {
	needed := map[string]bool{}
	for _, obj := range l.Info.Uses {
		if isPackageLevel(obj) && obj.Pkg().Path() != target {
			needed[obj.Pkg().Path()] = true
		}
	}
	return slices.Sorted(maps.Keys(needed))
}

// checkNames records the objects that the literal refers to. It returns an error if generated code
// cannot refer to one of them.
func (l *DeclaredLiteral) checkNames(w shape.TypeWriter) (err error) {
	ast.Inspect(l.FuncLit, func(n ast.Node) bool {
		if err != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.Ident:
			err = l.checkObject(w, l.Info.Uses[n])
		case *ast.CompositeLit:
			err = l.checkComposite(w, n)
		}
		return true
	})
	return err
}

// checkObject records an object that the literal refers to. It returns an error if generated code
// cannot refer to the object.
func (l *DeclaredLiteral) checkObject(w shape.TypeWriter, obj types.Object) error {
	switch {
	case obj == nil, obj.Pkg() == nil, obj.Pkg().Path() == w.Target.Path, l.declaresObject(obj):
		return nil
	case !isPackageLevel(obj) && !isFieldOrMethod(obj):
		return nil
	case !obj.Exported():
		return fmt.Errorf("%s is not exported, so package %s cannot use it", obj.Name(), w.Target.Name)
	case isFieldOrMethod(obj):
		return nil
	}
	return l.addMention(w, obj)
}

// checkComposite checks a composite literal without field names. It returns an error if generated
// code cannot set one of the fields.
func (l *DeclaredLiteral) checkComposite(w shape.TypeWriter, lit *ast.CompositeLit) error {
	s, ok := l.Info.TypeOf(lit).Underlying().(*types.Struct)
	if !ok || len(lit.Elts) == 0 {
		return nil
	}
	if _, isKeyed := lit.Elts[0].(*ast.KeyValueExpr); isKeyed {
		return nil
	}
	for v := range s.Fields() {
		if err := l.checkObject(w, v); err != nil {
			return err
		}
	}
	return nil
}

// declaresObject reports whether the literal declares an object.
func (l *DeclaredLiteral) declaresObject(obj types.Object) bool {
	return l.Pos() <= obj.Pos() && obj.Pos() < l.End()
}

func isPackageLevel(obj types.Object) bool {
	return obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()
}

// isFieldOrMethod reports whether an object is a field or a method.
func isFieldOrMethod(obj types.Object) bool {
	switch obj := obj.(type) {
	case *types.Var:
		return obj.IsField()
	case *types.Func:
		return obj.Signature().Recv() != nil
	}
	return false
}

// DeclaredNames returns the names that the literal declares.
func (l *DeclaredLiteral) DeclaredNames() []string {
	var names []string
	for id := range l.Info.Defs {
		if id.Pos() >= l.Pos() { // names that are defined before the literal are imports
			names = append(names, id.Name)
		}
	}
	return names
}

// Qualify rewrites the package names in a literal to those of the generated code. A name from the source
// package or from a dot import gets a package name if the generated code is in another package.
func (l *DeclaredLiteral) Qualify(names map[string]string, target string) {
	qualified := map[*ast.Ident]bool{} // the tree of a lambda may contain a node several times
	astutil.Apply(l.Generated.Decl, func(c *astutil.Cursor) bool {
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

// addMentions records the objects that the function of a lambda refers to. It fails if
// generated code cannot refer to one of them.
func (l *DeclaredLiteral) addMentions(w shape.TypeWriter) error {
	uses := slices.SortedFunc(maps.Values(l.Info.Uses), func(a, b types.Object) int {
		return cmp.Or(cmp.Compare(a.Pkg().Path(), b.Pkg().Path()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, obj := range uses {
		if obj.Pkg().Path() != w.Target.Path && !obj.Exported() {
			return fmt.Errorf("%s is not exported, so package %s cannot use it", obj.Name(), w.Target.Name)
		}
		if err := l.addMention(w, obj); err != nil {
			return err
		}
	}
	return nil
}

// addMention records an object that the literal refers to. It fails if generated code cannot
// import the package.
func (l *DeclaredLiteral) addMention(w shape.TypeWriter, obj types.Object) error {
	if err := w.CheckImport(obj.Pkg()); err != nil {
		return err
	}
	l.Mentions = append(l.Mentions, obj)
	return nil
}

// newModelLambda returns a lambda with the types of the functions that it calls.
func newModelLambda(w shape.TypeWriter, l *Lambda) *model.Lambda {
	m := &model.Lambda{Text: l.Source}
	for _, obj := range l.Calls {
		if goType, err := w.GoType(obj.Type()); err == nil { // otherwise generated code can call it, but cannot name its type
			m.Calls = append(m.Calls, &model.Func{Path: obj.Pkg().Path(), Name: obj.Name(), Type: goType})
		}
	}
	return m
}

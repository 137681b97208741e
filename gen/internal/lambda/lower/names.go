package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
)

// nameTable collects the names that a function uses and declares.
type nameTable struct {
	objects      map[*ast.Ident]types.Object
	locals       []*localVariable
	unnamedTypes []types.Type
}

// localVariable is a variable or parameter. assignNames chooses its name, after all names that it must not shadow
// are known.
type localVariable struct {
	base   string       // preferred name
	idents []*ast.Ident // the first one declares the variable
}

func (n *nameTable) newLocal(s *ir.Step) *localVariable {
	l := &localVariable{base: s.Name}
	if l.base == "" {
		l.base = ir.VariableName(s.Type)
	}
	n.locals = append(n.locals, l)
	l.addUse() // the declaration
	return l
}

func (l *localVariable) declaringIdent() *ast.Ident { return l.idents[0] }

// addUse returns an identifier for another use of the variable.
func (l *localVariable) addUse() *ast.Ident {
	id := ast.NewIdent(l.base)
	l.idents = append(l.idents, id)
	return id
}

// assignNames gives every variable a unique name that does not shadow anything that the function refers to.
// Generated code may import package strings as strings2, so variables cannot have such names either.
func (n *nameTable) assignNames() []*localVariable {
	taken := map[string]bool{"err": true}
	for _, name := range types.Universe.Names() {
		taken[name] = true
	}
	packageNames := map[string]bool{}
	for _, obj := range n.objects {
		taken[obj.Name()] = true
		packageNames[obj.Pkg().Name()] = true
	}
	for _, l := range n.locals {
		free := l.base
		for i := 2; taken[free] || token.IsKeyword(free) || packageNames[strings.TrimRight(free, "0123456789")]; i++ {
			free = l.base + strconv.Itoa(i)
			if packageNames[l.base] {
				free = strings.TrimSuffix(l.base+"Value"+strconv.Itoa(i-1), "1")
			}
		}
		taken[free] = true
		for _, id := range l.idents {
			id.Name = free
		}
	}
	return n.locals
}

// refExpr returns the expression for a Ref step: a name of a package, a predeclared name or a type.
func (n *nameTable) refExpr(ref *ir.Step) ast.Expr {
	if ref.Name == "" {
		return n.typeExpr(ref.Type)
	}
	var x ast.Expr = ast.NewIdent(ref.Name)
	if ref.Path != "" {
		x = n.objectIdent(newPlaceholder(ref.Path, ref.Name))
	}
	if ref.Type != nil {
		return &ast.IndexExpr{X: x, Index: n.typeExpr(ref.Type)}
	}
	return x
}

// newPlaceholder returns an object for a name of an imported package.
func newPlaceholder(path, name string) types.Object {
	p := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	p.Scope().Insert(types.NewFunc(token.NoPos, p, name, types.NewSignatureType(nil, nil, nil, nil, nil, false)))
	return p.Scope().Lookup(name)
}

// objectIdent returns an identifier that refers to a package-level object.
func (n *nameTable) objectIdent(obj types.Object) ast.Expr {
	id := ast.NewIdent(obj.Name())
	n.objects[id] = obj
	return id
}

// typeExpr returns the Go source of a type. It records a type that has none in unnamedTypes.
func (n *nameTable) typeExpr(t types.Type) ast.Expr {
	switch t := t.(type) {
	case *types.Named:
		return n.typeNameExpr(t.Obj(), t.TypeArgs())
	case *types.Alias:
		return n.typeNameExpr(t.Obj(), t.TypeArgs())
	case *types.Basic:
		return ast.NewIdent(t.Name())
	case *types.Pointer:
		return &ast.StarExpr{X: n.typeExpr(t.Elem())}
	case *types.Slice:
		return &ast.ArrayType{Elt: n.typeExpr(t.Elem())}
	case *types.Array:
		return &ast.ArrayType{Len: intLit(t.Len()), Elt: n.typeExpr(t.Elem())}
	case *types.Map:
		return &ast.MapType{Key: n.typeExpr(t.Key()), Value: n.typeExpr(t.Elem())}
	case *types.Interface:
		if t.Empty() {
			return ast.NewIdent("any")
		}
	}
	n.unnamedTypes = append(n.unnamedTypes, t)
	return ast.NewIdent("any")
}

func (n *nameTable) typeNameExpr(obj *types.TypeName, args *types.TypeList) ast.Expr {
	if obj.Pkg() == nil {
		return ast.NewIdent(obj.Name())
	}
	name := n.objectIdent(obj)
	switch args.Len() {
	case 0:
		return name
	case 1:
		return &ast.IndexExpr{X: name, Index: n.typeExpr(args.At(0))}
	}
	list := &ast.IndexListExpr{X: name}
	for arg := range args.Types() {
		list.Indices = append(list.Indices, n.typeExpr(arg))
	}
	return list
}

// writer writes a function and the function literals inside it.
type writer struct {
	*nameTable
	uses      useTable
	variables map[*ir.Step]*localVariable
	operands  map[*ir.Step]*operand
	results   []types.Type // of the current function, without the error
	fails     bool
}

// declareVariable creates the variable that holds the value of a step.
func (w *writer) declareVariable(s *ir.Step) *localVariable {
	l := w.newLocal(s)
	w.variables[s] = l
	return l
}

// operand is the expression of a step that has not been printed, because it will be part of the expression or
// statement that uses it.
type operand struct {
	expr   ast.Expr
	inTurn bool // must keep its position among the other steps
	calls  bool // calls a function that the lambda names
	reads  bool // reads a variable that such a function may set, outside of the arguments of calls
}

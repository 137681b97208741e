package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
)

// names are the names that a function uses and declares.
type names struct {
	uses     map[*ast.Ident]types.Object
	packages map[string]*types.Package // made up, for what generated code imports
	locals   []*local
	nameless []types.Type
}

// A local is a variable or parameter, which is named when all that it must not
// hide is known.
type local struct {
	base   string
	idents []*ast.Ident // the first is that of the declaration
}

func (n *names) newLocal(s *code.Step) *local {
	l := &local{base: s.Name}
	if l.base == "" {
		l.base = kind.Variable(s.Type)
	}
	n.locals = append(n.locals, l)
	l.use() // where it is declared
	return l
}

func (l *local) declaration() *ast.Ident { return l.idents[0] }

// use is an occurrence of the variable.
func (l *local) use() *ast.Ident {
	id := ast.NewIdent(l.base)
	l.idents = append(l.idents, id)
	return id
}

// settle settles the names of variables: none hides what the function refers to, be
// it under its own name or under one with a number that an import got.
func (n *names) settle() []*local {
	taken := map[string]bool{"err": true}
	for _, name := range types.Universe.Names() {
		taken[name] = true
	}
	numbered := map[string]bool{}
	for _, obj := range n.uses {
		taken[obj.Name()] = true
		numbered[obj.Pkg().Name()] = true
	}
	for _, l := range n.locals {
		free := l.base
		for i := 2; taken[free] || token.IsKeyword(free) || numbered[strings.TrimRight(free, "0123456789")]; i++ {
			free = l.base + strconv.Itoa(i)
			if numbered[l.base] {
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

// imported is a name of a package that is known by its path alone, or of Go itself.
func (n *names) imported(ref *code.Step) ast.Expr {
	if ref.Name == "" {
		return n.typeExpr(ref.Type)
	}
	var x ast.Expr = ast.NewIdent(ref.Name)
	if ref.Path != "" {
		x = n.ref(n.object(ref.Path, ref.Name))
	}
	if ref.Type != nil {
		return &ast.IndexExpr{X: x, Index: n.typeExpr(ref.Type)}
	}
	return x
}

func (n *names) object(path, name string) types.Object {
	p := n.packages[path]
	if p == nil {
		p = types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
		n.packages[path] = p
	}
	obj := p.Scope().Lookup(name)
	if obj == nil {
		obj = types.NewFunc(token.NoPos, p, name, types.NewSignatureType(nil, nil, nil, nil, nil, false))
		p.Scope().Insert(obj)
	}
	return obj
}

// ref is a name of a package.
func (n *names) ref(obj types.Object) ast.Expr {
	id := ast.NewIdent(obj.Name())
	n.uses[id] = obj
	return id
}

// typeExpr writes a type.
func (n *names) typeExpr(t types.Type) ast.Expr {
	switch t := t.(type) {
	case *types.Named:
		return n.typeName(t.Obj(), t.TypeArgs())
	case *types.Alias:
		return n.typeName(t.Obj(), t.TypeArgs())
	case *types.Basic:
		return ast.NewIdent(t.Name())
	case *types.Pointer:
		return &ast.StarExpr{X: n.typeExpr(t.Elem())}
	case *types.Slice:
		return &ast.ArrayType{Elt: n.typeExpr(t.Elem())}
	case *types.Array:
		return &ast.ArrayType{Len: integer(t.Len()), Elt: n.typeExpr(t.Elem())}
	case *types.Map:
		return &ast.MapType{Key: n.typeExpr(t.Key()), Value: n.typeExpr(t.Elem())}
	case *types.Interface:
		if t.Empty() {
			return ast.NewIdent("any")
		}
	}
	n.nameless = append(n.nameless, t)
	return ast.NewIdent("any")
}

func (n *names) typeName(obj *types.TypeName, args *types.TypeList) ast.Expr {
	if obj.Pkg() == nil {
		return ast.NewIdent(obj.Name())
	}
	name := n.ref(obj)
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

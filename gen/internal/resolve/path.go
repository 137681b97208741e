package resolve

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/words"
)

// A chain is names with dots between, with the type arguments of one of them.
type chain struct {
	names []string
	args  []ast.Expr
	at    int // how many names the type arguments stand behind
}

// chainOf takes an expression apart that selects names; T also of (T), (*T) and *T.
func chainOf(e ast.Expr) (c chain, ok bool) {
	owner, args := receiver(e)
	switch x := owner.(type) {
	case *ast.Ident:
		c.names = []string{x.Name}
	case *ast.SelectorExpr:
		if c, ok = chainOf(x.X); !ok || len(c.args) > 0 && len(args) > 0 {
			return c, false
		}
		c.names = append(c.names, x.Sel.Name)
	default:
		return c, false
	}
	if len(args) > 0 {
		c.args, c.at = args, len(c.names)
	}
	return c, true
}

// receiver is T, with its type arguments, of T, (T), (*T) and *T.
func receiver(e ast.Expr) (owner ast.Expr, args []ast.Expr) {
	e = ast.Unparen(e)
	if star, ok := e.(*ast.StarExpr); ok {
		e = ast.Unparen(star.X)
	}
	return typeArguments(e)
}

// behind is a chain without its first name.
func (c chain) behind() chain { return chain{c.names[1:], c.args, c.at - 1} }

// walk follows the names of fields from a type, and returns the way with what is at its
// end.
func (r *resolving) walk(ref reference, t types.Type, names []string) (way []model.Step, end types.Type, ok bool) {
	for _, name := range names {
		v := r.fieldOf(t, name)
		if v == nil {
			r.ghostField(ref, t, name)
			return nil, nil, false
		}
		_, index, _ := types.LookupFieldOrMethod(t, true, r.pkg.Types, v.Name())
		for holder := t; len(index) > 0; index = index[1:] {
			f := structOf(holder).Underlying().(*types.Struct).Field(index[0])
			if f.Exported() || f.Pkg() == r.pkg.Types {
				way = append(way, model.Step{Name: f.Name(), Nilable: isPointer(f.Type().Underlying()) || types.IsInterface(f.Type())})
			}
			holder = f.Type()
		}
		t = v.Type()
	}
	return way, t, true
}

// fieldOf is the field of a type that a name means, nil if there is none, or more than
// one.
func (r *resolving) fieldOf(t types.Type, name string) *types.Var {
	find := func(name string) types.Object {
		obj, _, _ := types.LookupFieldOrMethod(t, true, r.pkg.Types, name)
		return obj
	}
	found := find(name)
	if _, isField := found.(*types.Var); !isField {
		var rivals []types.Object
		if found, rivals = lookup(name, r.fieldNames(t), find); len(rivals) > 1 {
			return nil
		}
	}
	v, _ := found.(*types.Var)
	if v != nil && r.write.Foreign() && !v.Exported() {
		return nil
	}
	return v
}

// fieldNames are the fields that can be selected from a type.
func (r *resolving) fieldNames(t types.Type) []string {
	return slices.DeleteFunc(allFields(structOf(t), map[types.Type]bool{}), func(name string) bool {
		obj, _, _ := types.LookupFieldOrMethod(t, true, r.pkg.Types, name)
		_, isField := obj.(*types.Var)
		return !isField
	})
}

// ghostField reports a field on the way to a method that is not there.
func (r *resolving) ghostField(ref reference, t types.Type, name string) {
	owner := strings.TrimPrefix(r.pkg.TypeName(t), "*")
	d := r.faults.Errorf("ghost-tool", ref.text.Span, "ghost tool: there is no field %s in %s", name, owner)
	known := r.fieldNames(t)
	if near := words.Nearest(name, known); near != "" {
		place := ""
		if v := r.fieldOf(t, near); v != nil {
			place = r.pkg.Beside(v)
		}
		d.Help = []string{fmt.Sprintf("did you mean %s%s?", near, place)}
		d.WithGuess(ref.text.Replace(name, near)...)
	} else if len(known) > 0 {
		d.WithHelp("%s has %s", owner, words.Sample(known))
	}
}

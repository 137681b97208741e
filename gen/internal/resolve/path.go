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

// A selectorChain holds names separated by dots, with the type arguments of one of them.
type selectorChain struct {
	names     []string
	args      []ast.Expr
	argsIndex int // number of names before args
}

// parseChain parses an expression such as pkg.Store.Users. A name T may be written as (T), (*T) or
// *T.
func parseChain(e ast.Expr) (c selectorChain, ok bool) {
	owner, args := splitReceiver(e)
	switch x := owner.(type) {
	case *ast.Ident:
		c.names = []string{x.Name}
	case *ast.SelectorExpr:
		if c, ok = parseChain(x.X); !ok || len(c.args) > 0 && len(args) > 0 {
			return c, false
		}
		c.names = append(c.names, x.Sel.Name)
	default:
		return c, false
	}
	if len(args) > 0 {
		c.args, c.argsIndex = args, len(c.names)
	}
	return c, true
}

// splitReceiver returns T and its type arguments for T, (T), (*T) and *T.
func splitReceiver(e ast.Expr) (owner ast.Expr, args []ast.Expr) {
	e = ast.Unparen(e)
	if star, ok := e.(*ast.StarExpr); ok {
		e = ast.Unparen(star.X)
	}
	return splitTypeArguments(e)
}

// followFields follows the names of fields from the receiver of root to the field that has the method. It
// returns the steps and the type of the last field.
func (r *resolver) followFields(ref reference, root Function, names []string, method string) (steps []model.Step, end types.Type, ok bool) {
	t := root.Receiver
	for _, name := range names {
		v := r.findField(t, name)
		if v == nil {
			if m := r.memberOf(t, name); m != nil {
				r.reportMethodInPath(ref, root, append(slices.Clip(names), method), m, t)
			} else {
				r.reportMissingField(ref, t, name)
			}
			return nil, nil, false
		}
		_, index, _ := types.LookupFieldOrMethod(t, true, r.pkg.Types, v.Name())
		for holder := t; len(index) > 0; index = index[1:] {
			f := derefStruct(holder).Underlying().(*types.Struct).Field(index[0])
			if f.Exported() || f.Pkg() == r.pkg.Types {
				steps = append(steps, model.Step{Name: f.Name(), Nilable: isPointer(f.Type().Underlying()) || types.IsInterface(f.Type())})
			}
			holder = f.Type()
		}
		t = v.Type()
	}
	return steps, t, true
}

// findField returns the field of a type whose name is a spelling of name. It returns nil if there
// is none or more than one.
func (r *resolver) findField(t types.Type, name string) *types.Var {
	find := func(name string) types.Object {
		obj, _, _ := types.LookupFieldOrMethod(t, true, r.pkg.Types, name)
		return obj
	}
	found := find(name)
	if _, isField := found.(*types.Var); !isField {
		var rivals []types.Object
		if found, rivals = lookupSpelling(name, r.fieldNames(t), find); len(rivals) > 1 {
			return nil
		}
	}
	v, _ := found.(*types.Var)
	if v != nil && r.write.IsForeign() && !v.Exported() {
		return nil
	}
	return v
}

// fieldNames returns the names of the fields that can be selected from a type.
func (r *resolver) fieldNames(t types.Type) []string {
	return slices.DeleteFunc(allFields(derefStruct(t), map[types.Type]bool{}), func(name string) bool {
		obj, _, _ := types.LookupFieldOrMethod(t, true, r.pkg.Types, name)
		_, isField := obj.(*types.Var)
		return !isField
	})
}

// reportMissingField reports a missing field on the path to a method.
func (r *resolver) reportMissingField(ref reference, t types.Type, name string) {
	owner := strings.TrimPrefix(r.pkg.TypeName(t), "*")
	d := r.reportGhost(ref.text, "field", name, owner)
	fields := r.fieldNames(t)
	if near := words.Nearest(name, fields); near != "" {
		position := ""
		if v := r.findField(t, near); v != nil {
			position = r.pkg.DescribePlace(v)
		}
		d.Help = []string{fmt.Sprintf("did you mean %s%s?", near, position)}
		d.WithGuess(ref.text.Replace(name, near)...)
	} else if len(fields) > 0 {
		d.WithHelp("%s has %s", owner, words.Sample(fields))
	}
}

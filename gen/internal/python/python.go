// Package python types a lambda, given what its names stand for in Go, and
// turns it into a Go function with the same meaning. Where Go means something
// else than Python, the function calls the packages runtime/py and
// runtime/py/dyn; everything else is Go as one would write it.
package python

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"maps"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// A Scope says what the names of a lambda stand for.
type Scope struct {
	Package *types.Package // whose functions, variables and constants it names

	// Find returns the object of a package that a name stands for, exactly or
	// in another spelling, or several that it may stand for.
	Find func(pkg *types.Package, name string) []types.Object
	// Import returns the package that goes by a name in the package's files.
	Import func(name string) *types.Package
	// Member returns the selectors that lead to a field of a type, or its
	// method, by its Go name, its JSON name, or another spelling.
	Member func(t types.Type, name string) ([]string, types.Object)
	// Members lists the names of fields and methods of a type.
	Members func(t types.Type) []string
	// LeftOut adds why a package does not have a function that is declared beside
	// it, and reports whether that is so.
	LeftOut func(d *diag.Diagnostic, pkg *types.Package, name string) bool
	// Supplied reports whether the runtime supplies the parameters of a type.
	Supplied func(t types.Type) bool
	// Usable returns why generated code cannot name an object.
	Usable func(obj types.Object) error

	Snake    func(goName string) string // of a parameter, as Python spells it
	Local    func(name string) string   // of a variable, as Go spells it
	TypeName func(t types.Type) string  // in messages
	Declared func(types.Object) []diag.Related
	At       func(syntax.Place) diag.Span
	Position func(syntax.Place) string // as messages at run time give it
}

// A Param says what is known of a parameter of a lambda.
type Param struct {
	Type     types.Type // nil for that of the Go parameter which receives it
	Optional bool       // it is None where it is left out
	Origin   string     // what says so, such as `by arg-1`
	Property string     // its name where its note stands, if it has one: arg-1, or a key of args_schema
	Span     diag.Span  // of the note
}

// A Func is a function that a lambda became.
type Func struct {
	Lit       *ast.FuncLit
	Uses      map[*ast.Ident]types.Object // the names of packages in it
	Locals    []*ast.Ident                // the variables that it declares
	Signature *types.Signature
	Calls     []types.Object // the functions of Go that it calls
}

// Compile turns a lambda into a Go function. There is one Param for each of its
// parameters; want is the type that the result shall have if that is not plain
// from the lambda, or nil. The function is sound only where the list holds no
// error.
func Compile(l *syntax.Lambda, params []Param, want types.Type, scope *Scope) (*Func, diag.List) {
	g := &generator{
		scope:    scope,
		env:      map[string]*value{},
		uses:     map[*ast.Ident]types.Object{},
		packages: map[string]*types.Package{},
		checked:  map[*local]bool{},
		foreign:  map[*ast.CallExpr]bool{},
	}
	fn := &function{block: &block{}}
	g.fn, g.block = fn, fn.block
	received := g.receivers(l)
	for i, p := range l.Params {
		g.param(p, i, params[i], received[p.Name])
	}
	(&scale{g: g, names: map[string]int{}}).of(l.Body)
	g.tail(l.Body, want)
	results := g.finish(want)
	if g.faults.Err() != nil {
		return nil, g.faults
	}
	lit := &ast.FuncLit{Type: g.funcType(results), Body: fn.block}
	g.tidy(fn.block)
	g.prune(lit)
	g.nameLocals()
	var locals []*ast.Ident
	for _, l := range g.locals {
		locals = append(locals, l.declaration())
	}
	return &Func{
		Locals:    locals,
		Lit:       lit,
		Uses:      g.uses,
		Signature: g.signature(results),
		Calls:     g.calls,
	}, g.faults
}

// prune forgets the names that did not make it into the function.
func (g *generator) prune(lit *ast.FuncLit) {
	left := map[*ast.Ident]bool{}
	markIdents(lit, left)
	maps.DeleteFunc(g.uses, func(id *ast.Ident, _ types.Object) bool { return !left[id] })
}

// param puts a parameter into scope. One whose type nothing says is a string, as
// every argument is to AIONS.
func (g *generator) param(p syntax.Param, i int, said Param, received *receiver) {
	v := &value{typ: said.Type, fixed: true, pure: true, whole: true}
	v.origin = origin{what: "parameter " + p.Name}
	switch {
	case said.Type != nil:
		if said.Optional {
			v.typ = optional(v.typ)
		}
		v.origin.why = said.Origin
		v.origin.related = []diag.Related{{Span: said.Span, Message: p.Name + " is " + g.name(v.typ) + " by this note"}}
	case received != nil:
		v.typ = received.typ
		v.origin.why = "as " + received.function.Name() + " takes it"
		v.origin.related = g.scope.Declared(received.function)
	default:
		v.typ = types.Typ[types.String]
		v.origin.why = "as every argument is whose note names no type"
		v.origin.help = fmt.Sprintf("list its type, as in %s --> \"int\"", cmp.Or(said.Property, fmt.Sprintf("arg-%d", i+1)))
	}
	if said.Optional {
		v.typ = optional(v.typ)
	}
	v.local = g.newLocal(g.scope.Local(p.Name))
	v.expr = v.local.use()
	g.params = append(g.params, v)
	g.env[p.Name] = v
}

// A receiver is a parameter of a Go function that takes a parameter of the lambda
// as it is.
type receiver struct {
	typ      types.Type
	function types.Object
}

// receivers finds, for each parameter of a lambda, the first parameter of a Go
// function that it is handed to.
func (g *generator) receivers(l *syntax.Lambda) map[string]*receiver {
	found := map[string]*receiver{}
	syntax.Walk(l.Body, func(e syntax.Expr) {
		call, ok := e.(*syntax.Call)
		if !ok {
			return
		}
		fn, sig := g.plainFunction(call.Func, l.Params)
		if fn == nil {
			return
		}
		visible := g.visible(sig)
		for i, arg := range call.Args {
			name, ok := arg.Value.(*syntax.Name)
			if !ok || arg.Star || found[name.Name] != nil {
				continue
			}
			if v := parameterOf(g, sig, visible, i, arg.Name); v != nil {
				found[name.Name] = &receiver{v, fn}
			}
		}
	})
	return found
}

// parameterOf is the type of the parameter that an argument goes to, given by
// position or by name; nil if there is none.
func parameterOf(g *generator, sig *types.Signature, visible []*types.Var, i int, name string) types.Type {
	if name != "" {
		i = g.paramIndex(visible, name)
	}
	last := len(visible) - 1
	switch {
	case i < 0 || last < 0:
		return nil
	case sig.Variadic() && i >= last:
		return visible[last].Type().(*types.Slice).Elem()
	case i > last:
		return nil
	}
	return visible[i].Type()
}

// plainFunction resolves the function of a call if that hangs on no parameter: a
// function of a package, or a method of one of its variables.
func (g *generator) plainFunction(e syntax.Expr, params []syntax.Param) (types.Object, *types.Signature) {
	bound := func(name string) bool {
		for _, p := range params {
			if p.Name == name {
				return true
			}
		}
		return false
	}
	switch e := e.(type) {
	case *syntax.Name:
		if found := g.scope.Find(g.scope.Package, e.Name); !bound(e.Name) && len(found) == 1 {
			return asFunction(found[0])
		}
	case *syntax.Attr:
		x, ok := e.X.(*syntax.Name)
		if !ok || bound(x.Name) {
			return nil, nil
		}
		if found := g.scope.Find(g.scope.Package, x.Name); len(found) == 1 {
			if v, ok := found[0].(*types.Var); ok {
				if _, member := g.scope.Member(v.Type(), e.Name.Name); member != nil {
					return asFunction(member)
				}
			}
		} else if pkg := g.scope.Import(x.Name); pkg != nil && len(found) == 0 {
			if found := g.scope.Find(pkg, e.Name.Name); len(found) == 1 {
				return asFunction(found[0])
			}
		}
	}
	return nil, nil
}

// asFunction is an object that can be called, with its signature.
func asFunction(obj types.Object) (types.Object, *types.Signature) {
	switch obj.(type) {
	case *types.Func, *types.Var:
		if sig, ok := obj.Type().Underlying().(*types.Signature); ok {
			return obj, sig
		}
	}
	return nil, nil
}

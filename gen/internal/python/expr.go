package python

import (
	"go/ast"
	"go/constant"
	"go/types"
	"math"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// tail translates the expression that a function ends with.
func (g *generator) tail(e syntax.Expr, want types.Type) {
	if c, ok := e.(*syntax.Cond); ok {
		test := g.condition(c.If)
		if test.known != nil {
			g.tail(map[bool]syntax.Expr{true: c.Then, false: c.Else}[test.known.(bool)], want)
			return
		}
		then := g.within(func() { g.narrowed(test.then, func() { g.tail(c.Then, want) }) })
		g.emit(&ast.IfStmt{Cond: test.expr, Body: then})
		g.narrowed(test.otherwise, func() { g.tail(c.Else, want) })
		return
	}
	v := g.expr(e, want)
	if v.kind() == noneKind && v.expr == nil {
		v = g.none()
	}
	g.fn.returns = append(g.fn.returns, &pending{g.block, v, e.At()})
}

// single translates an expression that has one value.
func (g *generator) single(e syntax.Expr, want types.Type) *value {
	v := g.expr(e, want)
	if v.kind() == tupleKind {
		because(g.mismatch(e.At(), "%s: a function with several results can only be the whole of a lambda", g.describe(v)), v).
			WithHelp("write a Go function that returns one of them")
		return bad()
	}
	if v.kind() == noneKind && v.expr == nil {
		none := g.none()
		none.origin = v.origin
		return none
	}
	return v
}

// expr translates an expression. The type is a wish, for displays and conditional
// expressions, whose parts else have no type in common.
func (g *generator) expr(e syntax.Expr, want types.Type) *value {
	switch e := e.(type) {
	case *syntax.Name:
		return g.nameExpr(e)
	case *syntax.Int:
		if !e.Value.IsInt64() {
			g.fault("lambda-number", e.At(), "%v does not fit a 64-bit integer", e.Value)
			return bad()
		}
		return g.intConst(e.Value.Int64())
	case *syntax.Float:
		return g.floatConst(e.Value)
	case *syntax.Str:
		return g.strConst(e.Value)
	case *syntax.Bool:
		return g.boolConst(e.Value)
	case *syntax.None:
		return g.none()
	case *syntax.FString:
		return g.fstring(e)
	case *syntax.List:
		return g.shallow(g.list(e, want), e.At())
	case *syntax.Dict:
		return g.shallow(g.dict(e, want), e.At())
	case *syntax.Attr:
		return g.attribute(e)
	case *syntax.Call:
		return g.call(e, want)
	case *syntax.Index:
		return g.index(e)
	case *syntax.Slice:
		return g.slice(e)
	case *syntax.Cond:
		return g.cond(e, want)
	case *syntax.Unary:
		return g.unary(e)
	case *syntax.Binary:
		if e.Op.Text == "and" || e.Op.Text == "or" {
			return g.logical(e, want)
		}
		return g.arithmetic(e)
	case *syntax.Compare:
		return g.compare(e)
	case *syntax.Comp:
		return g.shallow(g.comprehension(e, want), e.At())
	}
	return bad() // a fault was reported
}

// nameExpr translates a name that is no function: a parameter, a variable or a
// constant.
func (g *generator) nameExpr(e *syntax.Name) *value {
	if v, ok := g.env[e.Name]; ok {
		return again(v)
	}
	obj := g.global(e.Name, e.At())
	if obj == nil {
		return bad()
	}
	return g.object(obj, e.At())
}

// again is a value of the environment where it is used.
func again(v *value) *value {
	if v.bad() {
		return bad()
	}
	use := *v
	if v.local != nil {
		use.expr = v.local.use()
	}
	if v.narrowed {
		use.expr, use.local, use.narrowed = &ast.StarExpr{X: use.expr}, nil, false
	}
	return &use
}

// global finds what a name stands for in the package; nil, and a fault, if there
// is nothing.
func (g *generator) global(name string, at syntax.Place) types.Object {
	found := g.scope.Find(g.scope.Package, name)
	switch len(found) {
	case 1:
		if err := g.scope.Usable(found[0]); err != nil {
			g.fault("lambda-name", at, "%v", err).Related = g.scope.Declared(found[0])
			return nil
		}
		return found[0]
	case 0:
		g.undefined(name, at)
	default:
		d := g.fault("ambiguous-function", at, "%q may be %s or %s", name, found[0].Name(), found[1].Name())
		d.WithHelp("write the Go name exactly")
		for _, obj := range found {
			d.Related = append(d.Related, g.scope.Declared(obj)...)
		}
	}
	return nil
}

func (g *generator) undefined(name string, at syntax.Place) {
	if outside[name] {
		d := g.unsupported(at, "Python's "+name)
		insteadOfFunction[name].helps(d)
		return
	}
	d := g.fault("lambda-name", at, "there is no %s: no parameter of the lambda, and nothing in package %s", name, g.scope.Package.Name())
	var names []string
	for known := range g.env {
		names = append(names, known)
	}
	for _, known := range g.scope.Package.Scope().Names() {
		names = append(names, known, g.scope.Snake(known))
	}
	near := diag.Nearest(name, names)
	switch {
	case builtins[name] != nil:
		d.WithHelp("%s is a function of Python: call it", name)
	case spellings[name] != "":
		d.WithHelp("write %s", spellings[name])
	case g.scope.Import(name) != nil:
		d.WithHelp("it is a package: write %s.Name for what it has", name)
	case near != "":
		d.WithHelp("did you mean %s?", near)
	}
}

// spellings are Python's for what other languages have.
var spellings = map[string]string{
	"null": "None", "nil": "None", "none": "None", "undefined": "None", "true": "True", "false": "False",
}

// outside are the functions and types of Python that lambdas here do not have.
var outside = map[string]bool{
	"all": false, "ascii": true, "bin": true, "bytes": true, "callable": true, "chr": true, "complex": true, "dict": true,
	"divmod": true, "enumerate": true, "eval": true, "exec": true, "filter": true, "format": true, "frozenset": true,
	"getattr": true, "globals": true, "hasattr": true, "hash": true, "hex": true, "id": true, "input": true,
	"isinstance": true, "iter": true, "list": true, "locals": true, "map": true, "next": true, "object": true, "oct": true,
	"open": true, "ord": true, "pow": true, "print": true, "range": true, "repr": true, "reversed": true, "set": true,
	"setattr": true, "slice": true, "tuple": true, "type": true, "vars": true, "zip": true, "__import__": true,
}

// object is a variable or a constant of a package as a value.
func (g *generator) object(obj types.Object, at syntax.Place) *value {
	v := &value{expr: nil, typ: obj.Type(), origin: origin{what: obj.Name(), why: "as Go declares it", related: g.scope.Declared(obj)}}
	switch obj := obj.(type) {
	case *types.Const:
		if !g.constantOf(v, obj) {
			g.fault("lambda-number", at, "%s, which is %v, does not fit Go's %s", obj.Name(), obj.Val(), v.typ).Related = g.scope.Declared(obj)
			return bad()
		}
	case *types.Var:
	case *types.Func:
		g.mismatch(at, "%s is a function: call it, as in %s(…)", obj.Name(), g.scope.Snake(obj.Name()))
		return bad()
	default:
		d := g.mismatch(at, "%s is a type, and no value", obj.Name())
		d.Related = g.scope.Declared(obj)
		return bad()
	}
	v.expr = g.ref(obj)
	g.fromGo(v.typ)
	return v
}

// constantOf fills in what is known of a constant. One without a type may fit none.
func (g *generator) constantOf(v *value, obj *types.Const) bool {
	v.typ, v.fixed, v.pure = types.Default(obj.Type()), true, true
	if types.Identical(v.typ, types.Typ[types.Rune]) {
		v.typ = intType
	}
	if !types.Identical(v.typ, plainType(v.typ)) {
		return true
	}
	switch value := obj.Val(); v.kind() {
	case intKind:
		n, exact := constant.Int64Val(constant.ToInt(value))
		v.known, v.bits = n, g.intConst(n).bits
		return exact
	case floatKind:
		f, _ := constant.Float64Val(value)
		v.known = f
		return !math.IsInf(f, 0)
	case strKind:
		v.known = constant.StringVal(value)
	case boolKind:
		v.known = constant.BoolVal(value)
	}
	return true
}

// operands translates expressions one after the other, and holds them until done
// is called.
func (g *generator) operands(list ...syntax.Expr) (values []*value, done func()) {
	for _, e := range list {
		values = append(values, g.hold(g.single(e, nil)))
	}
	return values, func() { g.release(len(list)) }
}

func anyBad(values ...*value) bool {
	for _, v := range values {
		if v.bad() {
			return true
		}
	}
	return false
}

func (g *generator) list(e *syntax.List, want types.Type) *value {
	if len(e.Elems) == 0 {
		return &value{typ: emptyList, pure: true, whole: true, expr: &ast.CompositeLit{Type: g.typeExpr(anyList)}}
	}
	var elem types.Type
	if want != nil && kindOf(want) == listKind {
		elem = elemType(want)
	}
	values := g.elements(e.Elems, elem)
	defer g.release(len(values))
	if anyBad(values...) {
		return bad()
	}
	elem = g.common(values, elem)
	if kindOf(elem) == noneKind {
		elem = anyType
	}
	lit := &ast.CompositeLit{Type: g.typeExpr(types.NewSlice(elem))}
	for i, v := range values {
		*v = *g.convert(v, elem, e.Elems[i].At(), "an element of the list")
	}
	if anyBad(values...) {
		return bad()
	}
	for _, v := range values {
		lit.Elts = append(lit.Elts, v.expr)
	}
	return g.wholeIf(made(lit, types.NewSlice(elem), values...), values)
}

// wholeIf says that no list in a display is nil if none is in its values.
func (g *generator) wholeIf(display *value, values []*value) *value {
	display.whole = !slices.ContainsFunc(values, func(v *value) bool { return !v.whole && g.mayHoldNil(v.typ) })
	return display
}

// elements translates expressions and holds their values.
func (g *generator) elements(list []syntax.Expr, want types.Type) []*value {
	var values []*value
	for _, e := range list {
		values = append(values, g.hold(g.single(e, want)))
	}
	return values
}

// common is the type for all values: the wanted one where Python would see no
// difference, else the one that holds all of them as they are.
func (g *generator) common(values []*value, want types.Type) types.Type {
	var t types.Type
	for i, v := range values {
		if i == 0 {
			t = v.typ
		} else {
			t = join(t, v.typ)
		}
	}
	if want != nil {
		return want
	}
	return settled(t)
}

func (g *generator) dict(e *syntax.Dict, want types.Type) *value {
	if len(e.Items) == 0 {
		return &value{typ: emptyDict, pure: true, whole: true, expr: &ast.CompositeLit{Type: g.typeExpr(anyDict)}}
	}
	var elem types.Type
	if want != nil && kindOf(want) == dictKind {
		elem = elemType(want)
	}
	var keys, values []*value
	for _, item := range e.Items {
		keys = append(keys, g.hold(g.single(item.Key, nil)))
		values = append(values, g.hold(g.single(item.Value, elem)))
	}
	defer g.release(2 * len(keys))
	if anyBad(keys...) || anyBad(values...) {
		return bad()
	}
	elem = g.common(values, elem)
	if kindOf(elem) == noneKind {
		elem = anyType
	}
	for i, item := range e.Items {
		if k := keys[i].kind(); k != strKind && k != anyKind {
			g.mismatch(item.Key.At(), "the keys of a dict are strings, but %s", g.describeThis(keys[i]))
			return bad()
		}
		if keys[i].kind() == anyKind {
			*keys[i] = *g.try("key", call(g.dyn("Key"), keys[i].expr), stringType, item.Key.At())
		} else {
			*keys[i] = *g.convert(keys[i], stringType, item.Key.At(), "a key of the dict")
		}
		*values[i] = *g.convert(values[i], elem, item.Value.At(), "a value of the dict")
	}
	if anyBad(keys...) || anyBad(values...) {
		return bad()
	}
	lit := &ast.CompositeLit{Type: g.typeExpr(types.NewMap(stringType, elem))}
	for i := range keys {
		if again := repeated(keys, i); again { // Go has no constant keys twice; Python takes the last
			g.discard(values[i])
			continue
		}
		lit.Elts = append(lit.Elts, &ast.KeyValueExpr{Key: keys[i].expr, Value: values[i].expr})
	}
	return g.wholeIf(made(lit, types.NewMap(stringType, elem), append(keys, values...)...), values)
}

// repeated reports whether a known key comes again further behind.
func repeated(keys []*value, i int) bool {
	for _, later := range keys[i+1:] {
		if keys[i].known != nil && keys[i].known == later.known {
			return true
		}
	}
	return false
}

func (g *generator) attribute(e *syntax.Attr) *value {
	if v, known := g.env[pathOf(e)]; known {
		return again(v)
	}
	if pkg := g.packageOf(e.X); pkg != nil {
		obj := g.member(pkg, e)
		if obj == nil {
			return bad()
		}
		return g.object(obj, e.At())
	}
	x := g.owner(e)
	if x.bad() {
		return bad()
	}
	path, obj := g.scope.Member(x.typ, e.Name.Name)
	field, isField := obj.(*types.Var)
	if !isField {
		g.noMember(x, e, obj)
		return bad()
	}
	x = g.there(x, e)
	v := read(selector(x.expr, path...), field.Type())
	g.fromGo(v.typ)
	v.hint = lowered(field.Name())
	v.fixed = x.fixed && !isPointer(x.typ)
	v.pure = x.pure && !isPointer(x.typ)
	v.origin = origin{what: "field " + field.Name(), why: "as Go declares it", related: g.scope.Declared(field)}
	return v
}

// owner is the value whose attribute is asked for. A name that is nothing else may
// have been meant as a package.
func (g *generator) owner(e *syntax.Attr) *value {
	name, ok := e.X.(*syntax.Name)
	if ok && g.env[name.Name] == nil && !outside[name.Name] && builtins[name.Name] == nil && len(g.scope.Find(g.scope.Package, name.Name)) == 0 {
		g.fault("lambda-name", name.At(), "there is no %s: no parameter of the lambda, nothing in package %s, and no package that its files import", name.Name, g.scope.Package.Name()).
			WithHelp("to use a package, import it in a Go file of package %s", g.scope.Package.Name())
		return bad()
	}
	return g.single(e.X, nil)
}

// there returns an object whose fields and methods can be used: one that is not nil.
func (g *generator) there(x *value, e *syntax.Attr) *value {
	if !isPointer(x.typ) && !types.IsInterface(x.typ) || x.present || x.local != nil && g.checked[x.local] {
		return x
	}
	x = g.notNone(x, e.At(), call(g.py("NoAttribute"), quoted(e.Name.Name)))
	if x.local != nil {
		g.checked[x.local] = true
	}
	return x
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// packageOf is the package that an expression names, if it does.
func (g *generator) packageOf(e syntax.Expr) *types.Package {
	name, ok := e.(*syntax.Name)
	if !ok || g.env[name.Name] != nil || len(g.scope.Find(g.scope.Package, name.Name)) > 0 {
		return nil
	}
	return g.scope.Import(name.Name)
}

// member finds an object of an imported package.
func (g *generator) member(pkg *types.Package, e *syntax.Attr) types.Object {
	found := g.scope.Find(pkg, e.Name.Name)
	if len(found) == 0 {
		d := g.fault("lambda-name", e.Name.Place, "there is no %s in package %s", e.Name.Name, pkg.Name())
		if near := diag.Nearest(e.Name.Name, pkg.Scope().Names()); !g.scope.LeftOut(d, pkg, e.Name.Name) && near != "" {
			d.WithHelp("did you mean %s?", near)
		}
		return nil
	}
	return found[0]
}

// noMember reports an attribute that a value does not have, or a method that is
// not called.
func (g *generator) noMember(x *value, e *syntax.Attr, obj types.Object) {
	if obj != nil {
		g.mismatch(e.At(), "%s is a method: call it, as in .%s(…)", obj.Name(), e.Name.Name)
		return
	}
	switch k := x.kind(); k {
	case strKind, listKind, dictKind, intKind, floatKind, boolKind, noneKind:
		if k == strKind && methods[e.Name.Name] != nil {
			g.mismatch(e.At(), "%s is a method: call it, as in .%s(…)", e.Name.Name, e.Name.Name)
			return
		}
		if types.Identical(plainType(x.typ), x.typ) || k == listKind || k == dictKind {
			d := g.unsupported(e.Name.Place, "the attribute "+e.Name.Name+" of "+article(kindNames[k]))
			if k == dictKind {
				d.WithHelp("a dict is indexed: x['%s']", e.Name.Name)
			} else {
				insteadOf(k, e.Name.Name).helps(d)
			}
			return
		}
	case anyKind:
		g.unsupported(e.Name.Place, "the attribute "+e.Name.Name+" of a value of any type").
			WithHelp("index it, x['%s'], or give the argument a Go type in its note", e.Name.Name)
		return
	}
	d := because(g.fault("lambda-name", e.Name.Place, "%s has no field or method %s", g.scope.TypeName(x.typ), e.Name.Name), x)
	if near := diag.Nearest(e.Name.Name, g.scope.Members(x.typ)); near != "" {
		d.WithHelp("did you mean %s?", near)
	}
}

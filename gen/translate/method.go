package translate

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/aion/lambda"
)

// A method is one of Python's strings. Its arguments are texts, then integers;
// trailing ones may be left out. A nil argument was left out, or is None.
type method struct {
	params string // a letter each: s for a text, i for an integer, l for a list
	least  int
	names  []string // by which the arguments may be given, if they may
	build  func(g *generator, s *value, args []*value, at lambda.Place) *value
}

var methods map[string]*method

func init() { // what they do calls functions that look here
	trim := func(whole, set string) *method {
		return &method{params: "s", build: func(g *generator, s *value, args []*value, _ lambda.Place) *value {
			if args[0] == nil {
				return made(call(g.imported("strings", whole), s.expr, g.py("IsSpace")), stringType, s)
			}
			return made(call(g.imported("strings", set), s.expr, args[0].expr), stringType, s, args[0])
		}}
	}
	of := func(function string) *method {
		return &method{build: func(g *generator, s *value, _ []*value, _ lambda.Place) *value {
			return made(call(g.py(function), s.expr), stringType, s)
		}}
	}
	search := func(pkg, function, within string, t types.Type) *method {
		return &method{params: "sii", least: 1, build: func(g *generator, s *value, args []*value, _ lambda.Place) *value {
			return g.search(pkg, function, within, t, s, args)
		}}
	}
	methods = map[string]*method{
		"upper": of("Upper"), "lower": of("Lower"), "title": of("Title"),
		"strip": trim("TrimFunc", "Trim"), "lstrip": trim("TrimLeftFunc", "TrimLeft"), "rstrip": trim("TrimRightFunc", "TrimRight"),
		"startswith": search("strings", "HasPrefix", "StartsWithIn", boolType),
		"endswith":   search("strings", "HasSuffix", "EndsWithIn", boolType),
		"count":      search("strings", "Count", "CountIn", intType),
		"find":       search(pyPath, "Find", "FindIn", intType),
		"split":      {params: "si", names: []string{"sep", "maxsplit"}, build: (*generator).split},
		"replace":    {params: "ssi", least: 2, build: (*generator).replace},
		"join":       {params: "l", least: 1, build: (*generator).joinTexts},
		"format":     {},
	}
}

// callText translates the call of a method of a string.
func (g *generator) callText(e *lambda.Call, f *lambda.Attr, x *value, m *method) *value {
	name := f.Name.Name
	complaint := "AttributeError: 'NoneType' object has no attribute '" + name + "'"
	*x = *g.deref(x, f.At(), "%s", complaint)
	if x.kind() == anyKind {
		*x = *g.try("text", call(g.dyn("Receiver"), x.expr, quoted(name)), stringType, f.At())
	}
	if x.kind() != strKind {
		g.noMember(x, f, nil)
		return bad()
	}
	*x = *g.text(x, f.At())
	if name == "format" {
		if template, ok := x.known.(string); ok {
			return g.format(e, template, f.X.At())
		}
		return g.formatUnknown(e, x)
	}
	args := g.methodArgs(e, name, m)
	if args == nil {
		return bad()
	}
	defer g.release(len(args))
	return m.build(g, x, args, e.At())
}

// methodArgs translates the arguments of a method, and holds them. There is one for
// each parameter.
func (g *generator) methodArgs(e *lambda.Call, name string, m *method) []*value {
	args := make([]*value, len(m.params))
	position := 0
	furthest, swapped := 0, false
	sound := true
	for _, a := range e.Args {
		i := position
		if a.Name == "" {
			position++
		} else {
			i = slices.Index(m.names, a.Name)
		}
		v := g.hold(g.single(a.Value, nil))
		furthest, swapped = max(furthest, i), swapped || i < furthest
		switch {
		case a.Star:
			g.unsupported(a.Place, "a starred argument of "+name)
			sound = false
		case i < 0:
			g.unsupported(a.Place, "the argument "+a.Name+" of "+name)
			sound = false
		case i >= len(args):
			g.fault("lambda-call", a.Place, "the method %s takes %s", name, counted(m.least, len(m.params)))
			sound = false
		case v.bad() || !g.methodArg(v, name, m, i, a.Value.At()):
			sound = false
		case v.kind() != noneKind:
			args[i] = v
		}
	}
	given := len(e.Args)
	if sound && swapped {
		g.inTurn(g.held[len(g.held)-given:]...)
	}
	if sound && position < m.least {
		g.fault("lambda-call", e.At(), "the method %s takes %s, not %d", name, counted(m.least, len(m.params)), position)
		sound = false
	}
	if !sound {
		g.release(given)
		return nil
	}
	for range len(args) - given {
		g.hold(g.none()) // so that one is held for each parameter
	}
	return args
}

// methodArg makes an argument the text or the integer that a method takes.
func (g *generator) methodArg(v *value, name string, m *method, i int, at lambda.Place) bool {
	if v.kind() == noneKind && i >= m.least && m.params != "ssi" {
		return true
	}
	switch m.params[i] {
	case 's':
		*v = *g.convert(v, stringType, at, "the argument of "+name)
		return !v.bad()
	case 'i':
		return g.bound(v, at) && v.kind() != noneKind
	}
	if v.kind() != anyKind {
		*v = *g.iterable(v, at)
	}
	return !v.bad()
}

func (g *generator) search(pkg, function, within string, t types.Type, s *value, args []*value) *value {
	if args[1] == nil && args[2] == nil {
		found := made(call(g.imported(pkg, function), s.expr, args[0].expr), t, s, args[0])
		found.bits = lengthBits
		return found
	}
	from, to := ast.Expr(integer(0)), g.py("End")
	if args[1] != nil {
		from = args[1].expr
	}
	if args[2] != nil {
		to = args[2].expr
	}
	found := made(call(g.py(within), s.expr, args[0].expr, from, to), t, append(present(args...), s)...)
	found.bits = lengthBits
	return found
}

func (g *generator) split(s *value, args []*value, at lambda.Place) *value {
	limit := g.intConst(-1)
	if args[1] != nil {
		limit = args[1]
	}
	list := types.NewSlice(stringType)
	if args[0] == nil {
		return made(call(g.py("Fields"), s.expr, limit.expr), list, s, limit)
	}
	if separator, ok := args[0].known.(string); ok && separator != "" && args[1] == nil {
		return made(call(g.imported("strings", "Split"), s.expr, args[0].expr), list, s)
	}
	return g.try("list", call(g.py("Split"), s.expr, args[0].expr, limit.expr), list, at)
}

func (g *generator) replace(s *value, args []*value, _ lambda.Place) *value {
	if args[2] == nil {
		return made(call(g.imported("strings", "ReplaceAll"), s.expr, args[0].expr, args[1].expr), stringType, s, args[0], args[1])
	}
	return made(call(g.imported("strings", "Replace"), s.expr, args[0].expr, args[1].expr, args[2].expr), stringType, s, args[0], args[1], args[2])
}

func (g *generator) joinTexts(s *value, args []*value, at lambda.Place) *value {
	list := args[0]
	g.inTurn(s, list)
	if list.kind() == anyKind {
		list = g.try("texts", call(g.dyn("Strings"), list.expr), types.NewSlice(stringType), at)
	}
	switch elem := elemType(list.typ); {
	case types.Identical(elem, stringType):
	case kindOf(elem) == anyKind:
		list = g.try("texts", call(g.dyn("Strings"), list.expr), types.NewSlice(stringType), at)
	case kindOf(elem) == strKind:
		list = g.convert(list, types.NewSlice(stringType), at, "the list")
	default:
		because(g.mismatch(at, "join takes a list of str, but %s", g.describeThis(list)), list).
			WithHelp("write ', '.join([str(x) for x in xs])")
		return bad()
	}
	return read(call(g.imported("strings", "Join"), list.expr, s.expr), stringType)
}

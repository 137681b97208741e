package python

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// A method is one of Python's strings. Trailing arguments may be left out.
type method struct {
	params string // a letter each, as convertArg knows them
	least  int
	names  []string                                                            // by which the arguments may be given, if they may
	build  func(g *generator, s *value, args []*value, at syntax.Place) *value // nil is an argument that was left out, or None
}

var methods map[string]*method

func init() { // what they do calls functions that look here
	trim := func(whole, set string) *method {
		return &method{params: "c", build: func(g *generator, s *value, args []*value, _ syntax.Place) *value {
			if args[0] == nil {
				return made(call(g.imported("strings", whole), s.expr, g.py("IsSpace")), stringType, s)
			}
			return made(call(g.imported("strings", set), s.expr, args[0].expr), stringType, s, args[0])
		}}
	}
	of := func(function string) *method {
		return &method{build: func(g *generator, s *value, _ []*value, _ syntax.Place) *value {
			return made(call(g.py(function), s.expr), stringType, s)
		}}
	}
	search := func(looked, pkg, function, within string, t types.Type) *method {
		return &method{params: looked + "bb", least: 1, build: func(g *generator, s *value, args []*value, _ syntax.Place) *value {
			return g.search(pkg, function, within, t, s, args)
		}}
	}
	methods = map[string]*method{
		"upper": of("Upper"), "lower": of("Lower"), "title": of("Title"),
		"strip": trim("TrimFunc", "Trim"), "lstrip": trim("TrimLeftFunc", "TrimLeft"), "rstrip": trim("TrimRightFunc", "TrimRight"),
		"startswith": search("p", "strings", "HasPrefix", "StartsWithIn", boolType),
		"endswith":   search("p", "strings", "HasSuffix", "EndsWithIn", boolType),
		"count":      search("t", "strings", "Count", "CountIn", intType),
		"find":       search("t", pyPath, "Find", "FindIn", intType),
		"split":      {params: "si", names: []string{"sep", "maxsplit"}, build: (*generator).split},
		"replace":    {params: "rri", least: 2, build: (*generator).replace},
		"join":       {params: "l", least: 1, build: (*generator).joinTexts},
		"format":     {},
	}
}

// callText translates the call of a method of a string.
func (g *generator) callText(e *syntax.Call, f *syntax.Attr, x *value, m *method) *value {
	name := f.Name.Name
	complaint := "AttributeError: 'NoneType' object has no attribute '" + name + "'"
	*x = *g.deref(x, f.At(), "%s", complaint)
	if x.kind() == anyKind && name == "count" {
		return g.countDynamic(e, x, m)
	}
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

// countDynamic translates the call of count, which lists have, too.
func (g *generator) countDynamic(e *syntax.Call, x *value, m *method) *value {
	if slices.ContainsFunc(e.Args, func(a syntax.Arg) bool { return len(syntax.Parts(a.Value)) > 0 }) {
		*x = *g.try("value", call(g.dyn("Sequence"), x.expr), anyType, e.At()) // before its arguments may fail
	}
	args := g.methodArgs(e, "count", &method{params: "aaa", least: m.least})
	if args == nil {
		return bad()
	}
	defer g.release(len(args))
	f := call(g.dyn("Count"), x.expr)
	for _, v := range args[:len(e.Args)] {
		f.Args = append(f.Args, g.dynamic(v))
	}
	return sized(g.try("count", f, intType, e.At()), lengthBits)
}

// methodArgs translates the arguments of a method, and holds them. There is one for
// each parameter.
func (g *generator) methodArgs(e *syntax.Call, name string, m *method) []*value {
	args := make([]*value, len(m.params))
	places := make([]syntax.Place, len(m.params))
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
		v.linear = isLinear(a.Value)
		furthest, swapped = max(furthest, i), swapped || i < furthest
		sound = sound && !v.bad()
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
		default:
			args[i], places[i] = v, a.Value.At()
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
	if !sound || !g.convertArgs(args, places, name, m) {
		g.release(given)
		return nil
	}
	for range len(args) - given {
		g.hold(g.none()) // so that one is held for each parameter
	}
	return args
}

// convertArgs makes arguments what a method takes, in the order in which Python
// does: most methods look at numbers first.
func (g *generator) convertArgs(args []*value, places []syntax.Place, name string, m *method) bool {
	sound := true
	for i := range args {
		if m.params[0] != 'r' {
			i = len(args) - 1 - i
		}
		v := args[i]
		switch {
		case v == nil:
		case v.kind() == noneKind && strings.IndexByte("scb", m.params[i]) >= 0:
			args[i] = nil
		default:
			*v = *g.convertArg(v, name, m, i, places[i])
			sound = sound && !v.bad()
		}
	}
	return sound
}

// convertArg makes an argument what its parameter takes.
func (g *generator) convertArg(v *value, name string, m *method, i int, at syntax.Place) *value {
	what := fmt.Sprintf("argument %d of %s", i+1, name)
	if v.kind() == noneKind {
		g.mismatch(at, "%s must not be None", what)
		return bad()
	}
	switch m.params[i] {
	case 't': // a text to look for
		return g.textArg(v, "TextArgument", quoted("must be str, not %s"), "must be str, not NoneType", at, what)
	case 'p': // a start or an end
		complaint := name + " first arg must be str or a tuple of str, not "
		return g.textArg(v, "TextArgument", quoted(complaint+"%s"), complaint+"NoneType", at, what)
	case 'r': // what replace replaces, or puts in its place
		return g.textArg(v, "ReplaceArgument", integer(int64(i+1)), fmt.Sprintf("replace() argument %d must be str, not None", i+1), at, what)
	case 's': // a separator, or None
		if v.kind() == anyKind || isOptional(v, strKind) {
			return v
		}
		return g.convert(v, stringType, at, what)
	case 'c': // characters, or None
		switch {
		case v.kind() == anyKind:
			return g.try("chars", call(g.dyn("Chars"), v.expr, quoted(name)), stringType, at)
		case isOptional(v, strKind) && types.Identical(elemType(v.typ), stringType):
			return made(call(g.py("Or"), v.expr, g.py("Space")), stringType, v)
		}
		return g.convert(v, stringType, at, what)
	case 'b': // a bound, or None
		missing := ast.Expr(integer(0))
		if i == len(m.params)-1 {
			missing = g.py("End")
		}
		return g.bound(v, missing, at)
	case 'i': // an integer
		return g.integerArg(v, at, what)
	case 'l': // a list of texts
		if v.kind() != anyKind {
			list := g.iterableElse(v, at, "join", "can only join an iterable")
			list.linear = v.linear
			return list
		}
	}
	return v
}

// textArg makes an argument a text. What is none when it is there, a function of
// package dyn complains about, or the words for None.
func (g *generator) textArg(v *value, function string, complaint ast.Expr, none string, at syntax.Place, what string) *value {
	switch {
	case v.kind() == anyKind:
		return g.try("text", call(g.dyn(function), v.expr, complaint), stringType, at)
	case isOptional(v, strKind):
		v = g.deref(v, at, "TypeError: %s", none)
	}
	return g.convert(v, stringType, at, what)
}

// integerArg makes an argument an integer, which it must be.
func (g *generator) integerArg(v *value, at syntax.Place, what string) *value {
	switch {
	case v.kind() == anyKind:
		return g.try("number", call(g.dyn("Integer"), v.expr), intType, at)
	case isOptional(v, intKind), isOptional(v, boolKind):
		v = g.deref(v, at, "TypeError: 'NoneType' object cannot be interpreted as an integer")
	}
	if isInteger(v) {
		return g.number(v, at)
	}
	return g.convert(v, intType, at, what)
}

// isOptional reports whether a value is None or of a kind.
func isOptional(v *value, k kind) bool {
	return v.kind() == optionalKind && kindOf(elemType(v.typ)) == k
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

func (g *generator) split(s *value, args []*value, at syntax.Place) *value {
	limit := g.intConst(-1)
	if args[1] != nil {
		limit = args[1]
	}
	list := types.NewSlice(stringType)
	if args[0] == nil {
		return made(call(g.py("Fields"), s.expr, limit.expr), list, s, limit)
	}
	if k := args[0].kind(); k == anyKind || k == optionalKind {
		return g.try("list", call(g.dyn("Split"), s.expr, g.dynamic(args[0]), limit.expr), list, at)
	}
	if separator, ok := args[0].known.(string); ok && separator != "" && args[1] == nil {
		return made(call(g.imported("strings", "Split"), s.expr, args[0].expr), list, s)
	}
	return g.try("list", call(g.py("Split"), s.expr, args[0].expr, limit.expr), list, at)
}

func (g *generator) replace(s *value, args []*value, at syntax.Place) *value {
	if args[1].known == nil { // how large the text becomes, the arguments decide
		limit := g.intConst(-1)
		if args[2] != nil {
			limit = args[2]
		}
		return g.try("text", call(g.py("Replace"), s.expr, args[0].expr, args[1].expr, limit.expr), stringType, at)
	}
	if args[2] == nil {
		return made(call(g.imported("strings", "ReplaceAll"), s.expr, args[0].expr, args[1].expr), stringType, s, args[0], args[1])
	}
	return made(call(g.imported("strings", "Replace"), s.expr, args[0].expr, args[1].expr, args[2].expr), stringType, s, args[0], args[1], args[2])
}

func (g *generator) joinTexts(s *value, args []*value, at syntax.Place) *value {
	list := args[0]
	linear := list.linear
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
	if s.known == nil || !linear { // how large the text becomes, the arguments decide
		return g.try("text", call(g.py("Join"), list.expr, s.expr), stringType, at)
	}
	return read(call(g.imported("strings", "Join"), list.expr, s.expr), stringType)
}

package ops

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/scope"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// A Method is one of Python's strings. Trailing arguments may be left out.
type Method struct {
	Params string // a letter each, as Argument knows them
	Least  int
	Names  []string // by which the arguments may be given, if they may

	build func(o Ops, s *code.Value, args []*code.Value, at syntax.Place) *code.Value // nil is an argument that was left out, or None
}

// Methods are those that a lambda may call. That of format is for check to make.
var Methods = map[string]*Method{
	"upper": plainMethod("Upper"), "lower": plainMethod("Lower"), "title": plainMethod("Title"),
	"strip": trim("TrimFunc", "Trim"), "lstrip": trim("TrimLeftFunc", "TrimLeft"), "rstrip": trim("TrimRightFunc", "TrimRight"),
	"startswith": search("p", code.Std("strings", "HasPrefix"), "StartsWithIn", kind.GoBool),
	"endswith":   search("p", code.Std("strings", "HasSuffix"), "EndsWithIn", kind.GoBool),
	"count":      search("t", code.Std("strings", "Count"), "CountIn", kind.GoInt),
	"find":       search("t", code.Py("Find"), "FindIn", kind.GoInt),
	"split":      {Params: "si", Names: []string{"sep", "maxsplit"}, build: Ops.split},
	"replace":    {Params: "rri", Least: 2, build: Ops.replace},
	"join":       {Params: "l", Least: 1, build: Ops.join},
	"format":     {},
}

func plainMethod(function string) *Method {
	return &Method{build: func(o Ops, s *code.Value, _ []*code.Value, _ syntax.Place) *code.Value {
		return o.Made(kind.GoString, code.Py(function), s)
	}}
}

func trim(whole, set string) *Method {
	return &Method{Params: "c", build: func(o Ops, s *code.Value, args []*code.Value, _ syntax.Place) *code.Value {
		if args[0] == nil {
			return o.Made(kind.GoString, code.Std("strings", whole), s, o.Ref(code.Py("IsSpace")))
		}
		return o.Made(kind.GoString, code.Std("strings", set), s, args[0])
	}}
}

func search(looked string, plain *code.Step, within string, t types.Type) *Method {
	return &Method{Params: looked + "bb", Least: 1, build: func(o Ops, s *code.Value, args []*code.Value, _ syntax.Place) *code.Value {
		if args[1] == nil && args[2] == nil {
			return o.Made(t, plain, s, args[0]).Sized(lengthBits)
		}
		from, to := o.Int(0), o.helper("End")
		if args[1] != nil {
			from = args[1]
		}
		if args[2] != nil {
			to = args[2]
		}
		return o.Made(t, code.Py(within), s, args[0], from, to).Sized(lengthBits)
	}}
}

// Call calls a method of a text with arguments that Arguments made.
func (m *Method) Call(o Ops, s *code.Value, args []*code.Value, at syntax.Place) *code.Value {
	return m.build(o, s, args, at)
}

// Arguments makes arguments what a method takes, in the order in which Python does:
// most methods look at numbers first. One that is left out, or None, is nil.
func (m *Method) Arguments(o Ops, name string, args []*code.Value, places []syntax.Place) (sound bool) {
	sound = true
	for i := range args {
		if m.Params[0] != 'r' {
			i = len(args) - 1 - i
		}
		switch v := args[i]; {
		case v == nil:
		case v.Kind() == kind.None && strings.IndexByte("scb", m.Params[i]) >= 0:
			args[i] = nil
		case v.Kind() == kind.None:
			o.Mismatch(places[i], "%s must not be None", describeArgument(i, name))
			sound = false
		default:
			args[i] = m.argument(o, v, name, i, places[i])
			sound = sound && !args[i].Bad()
		}
	}
	return sound
}

// argument makes an argument what its parameter takes.
func (m *Method) argument(o Ops, v *code.Value, name string, i int, at syntax.Place) *code.Value {
	what := describeArgument(i, name)
	switch m.Params[i] {
	case 't': // a text to look for
		return o.textArgument(v, "TextArgument", o.Str("must be str, not %s"), "must be str, not NoneType", at, what)
	case 'p': // a start or an end
		complaint := name + " first arg must be str or a tuple of str, not "
		return o.textArgument(v, "TextArgument", o.Str(complaint+"%s"), complaint+"NoneType", at, what)
	case 'r': // what replace replaces, or puts in its place
		return o.textArgument(v, "ReplaceArgument", o.Int(int64(i+1)), fmt.Sprintf("replace() argument %d must be str, not None", i+1), at, what)
	case 's': // a separator, or None
		if v.Kind() == kind.Any || kind.IsOptional(v.Type, kind.Str) {
			return v
		}
		return o.Convert(v, kind.GoString, at, what)
	case 'c': // characters, or None
		switch {
		case v.Kind() == kind.Any:
			return o.Do("chars", kind.GoString, at, code.Dyn("Chars"), v, o.Str(name))
		case kind.IsOptional(v.Type, kind.Str) && types.Identical(kind.Elem(v.Type), kind.GoString):
			return o.Made(kind.GoString, code.Py("Or"), v, o.Ref(code.Py("Space")))
		}
		return o.Convert(v, kind.GoString, at, what)
	case 'b': // a bound, or None
		if i == len(m.Params)-1 {
			return o.bound(v, o.helper("End"), at)
		}
		return o.bound(v, o.Int(0), at)
	case 'i': // an integer
		return o.integer(v, at, what)
	case 'l': // a list of texts
		if v.Kind() != kind.Any {
			list := *o.IterableElse(v, at, "join", "can only join an iterable")
			list.Linear = v.Linear
			return &list
		}
	}
	return v
}

// textArgument makes an argument a text. What is none when it is there, a function of
// package dyn complains about, or the words for None.
func (o Ops) textArgument(v *code.Value, function string, complaint *code.Value, none string, at syntax.Place, what string) *code.Value {
	switch {
	case v.Kind() == kind.Any:
		return o.Do("text", kind.GoString, at, code.Dyn(function), v, complaint)
	case kind.IsOptional(v.Type, kind.Str):
		v = o.Deref(v, at, "TypeError: %s", none)
	}
	return o.Convert(v, kind.GoString, at, what)
}

// Count calls the method count of what may be a list, too.
func (o Ops) Count(x *code.Value, args []*code.Value, at syntax.Place) *code.Value {
	all := []*code.Value{x}
	for _, v := range args {
		all = append(all, o.dynamic(v))
	}
	return o.Do("count", kind.GoInt, at, code.Dyn("Count"), all...).Sized(lengthBits)
}

// Receiver is a dynamic value as the text whose method is called.
func (o Ops) Receiver(x *code.Value, method string, at syntax.Place) *code.Value {
	return o.Do("text", kind.GoString, at, code.Dyn("Receiver"), x, o.Str(method))
}

// FormatUnknown is format of a template that is known when it is there.
func (o Ops) FormatUnknown(template *code.Value, positional []*code.Value, names []string, named []*code.Value, at syntax.Place) *code.Value {
	list, dict := o.None(), o.None()
	if len(positional) > 0 {
		for i, v := range positional {
			positional[i] = o.dynamic(v)
		}
		list = o.Display(kind.AnyList, positional...)
	}
	if len(named) > 0 {
		var items []*code.Value
		for i, v := range named {
			items = append(items, o.Str(names[i]), o.dynamic(v))
		}
		dict = o.Display(kind.AnyDict, items...)
	}
	return o.Do("text", kind.GoString, at, code.Dyn("Format"), template, list, dict)
}

func (o Ops) split(s *code.Value, args []*code.Value, at syntax.Place) *code.Value {
	limit := o.Int(-1)
	if args[1] != nil {
		limit = args[1]
	}
	list := types.NewSlice(kind.GoString)
	if args[0] == nil {
		return o.Made(list, code.Py("Fields"), s, limit)
	}
	if k := args[0].Kind(); k == kind.Any || k == kind.Optional {
		return o.Do("list", list, at, code.Dyn("Split"), s, o.dynamic(args[0]), limit)
	}
	if separator, ok := args[0].Known.(string); ok && separator != "" && args[1] == nil {
		return o.Made(list, code.Std("strings", "Split"), s, args[0])
	}
	return o.Do("list", list, at, code.Py("Split"), s, args[0], limit)
}

func (o Ops) replace(s *code.Value, args []*code.Value, at syntax.Place) *code.Value {
	if args[1].Known == nil { // how large the text becomes, the arguments decide
		limit := o.Int(-1)
		if args[2] != nil {
			limit = args[2]
		}
		return o.Do("text", kind.GoString, at, code.Py("Replace"), s, args[0], args[1], limit)
	}
	if args[2] == nil {
		return o.Made(kind.GoString, code.Std("strings", "ReplaceAll"), s, args[0], args[1])
	}
	return o.Made(kind.GoString, code.Std("strings", "Replace"), s, args[0], args[1], args[2])
}

func (o Ops) join(s *code.Value, args []*code.Value, at syntax.Place) *code.Value {
	list := args[0]
	texts := types.NewSlice(kind.GoString)
	switch elem := list.Type; {
	case list.Kind() == kind.Any, kind.Of(kind.Elem(elem)) == kind.Any:
		list = o.Do("texts", texts, at, code.Dyn("Strings"), list)
	case types.Identical(kind.Elem(elem), kind.GoString):
	case kind.Of(kind.Elem(elem)) == kind.Str:
		list = o.Convert(list, texts, at, "the list")
	default:
		scope.Because(o.Mismatch(at, "join takes a list of str, but %s", o.DescribeThis(list)), list).
			WithHelp("write ', '.join([str(x) for x in xs])")
		return code.Bad()
	}
	if s.Known == nil || !args[0].Linear { // how large the text becomes, the arguments decide
		return o.Do("text", kind.GoString, at, code.Py("Join"), list, s)
	}
	return o.Read(kind.GoString, code.Std("strings", "Join"), list, s)
}

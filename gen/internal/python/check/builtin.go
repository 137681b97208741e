package check

import (
	"slices"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/ops"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// A pythonCall is the call of a function of Python, or of a method of its strings.
type pythonCall struct {
	*checker
	*syntax.Call
}

// builtins are the functions of Python that a lambda may call.
var builtins = map[string]func(pythonCall) *code.Value{
	"len": one(ops.Ops.Len), "int": one(ops.Ops.ToInt), "float": one(ops.Ops.ToFloat),
	"str":  one(func(o ops.Ops, v *code.Value, at syntax.Place) *code.Value { return o.Text(v, at) }),
	"bool": one(ops.Ops.ToBool), "abs": one(ops.Ops.Abs), "any": one(ops.Ops.AnyTrue), "all": one(ops.Ops.AllTrue),
	"sum": pythonCall.sum, "round": pythonCall.round, "sorted": pythonCall.sorted,
	"min": pythonCall.extreme, "max": pythonCall.extreme,
}

// one makes a builtin of a function of one value.
func one(build func(ops.Ops, *code.Value, syntax.Place) *code.Value) func(pythonCall) *code.Value {
	return func(c pythonCall) *code.Value {
		args := c.arguments(1)
		if args == nil {
			return code.Bad()
		}
		return build(c.Ops, args[0], c.At())
	}
}

// arguments checks the positional arguments of a function of Python, of which there is one
// at least; nil if there are too few or too many, or one is no good.
func (c pythonCall) arguments(most int, keywords ...string) []*code.Value {
	name := nameOf(c.Func)
	var values []*code.Value
	sound := true
	for _, a := range c.Args {
		switch {
		case a.Star:
			c.Unsupported(a.Place, "a starred argument of "+name)
			sound = false
		case a.Name == "":
			v := c.single(a.Value, nil)
			values = append(values, v)
			sound = sound && !v.Bad()
		case !slices.Contains(keywords, a.Name):
			c.Unsupported(a.Place, "the argument "+a.Name+" of "+name)
			sound = false
		}
	}
	if sound && (len(values) == 0 || len(values) > most) {
		d := c.Fault("lambda-call", c.At(), "%s() takes %s, not %d", name, counted(1, most), len(values))
		if name == "int" && len(values) == 2 {
			d.WithHelp("the base is always 10: write a Go function that calls strconv.ParseInt")
		}
		sound = false
	}
	if !sound {
		return nil
	}
	return values
}

// second is the second argument, which may be given by its name; nil if it is not.
func (c pythonCall) second(args []*code.Value, name string) *code.Value {
	if len(args) == 2 {
		return args[1]
	}
	if given := c.keyword(name); given != nil {
		return c.single(given, nil)
	}
	return nil
}

func (c pythonCall) sum() *code.Value {
	args := c.arguments(2, "start")
	if args == nil {
		return code.Bad()
	}
	start := c.second(args, "start")
	if start == nil {
		start = c.Int(0)
	}
	if start.Bad() {
		return start
	}
	return c.Sum(args[0], start, c.At())
}

func (c pythonCall) round() *code.Value {
	args := c.arguments(2, "ndigits")
	if args == nil {
		return code.Bad()
	}
	return c.Round(args[0], c.second(args, "ndigits"), c.At())
}

// sorted checks sorted(list, key=…, reverse=…).
func (c pythonCall) sorted() *code.Value {
	args := c.arguments(1, "key", "reverse")
	if args == nil {
		return code.Bad()
	}
	reverse := c.Bool(false)
	r := c.keyword("reverse")
	if r != nil {
		reverse = c.single(r, nil)
	}
	list := c.Iterable(args[0], c.At(), "sorted()")
	if r != nil {
		reverse = c.Reverse(reverse, r.At())
	}
	if code.AnyBad(list, reverse) {
		return code.Bad()
	}
	list, keys := c.keyed(list)
	if keys.Bad() {
		return keys
	}
	return c.Sorted(list, keys, reverse, c.At())
}

// extreme checks min and max.
func (c pythonCall) extreme() *code.Value {
	args := c.arguments(100, "key", "default")
	if args == nil {
		return code.Bad()
	}
	name := nameOf(c.Func)
	if d := c.keyword("default"); d != nil {
		c.Unsupported(d.At(), "the argument default of "+name).WithHelp("write %s(xs) if xs else …", name)
		return code.Bad()
	}
	list := args[0]
	if len(args) > 1 {
		if c.keyword("key") == nil && !slices.ContainsFunc(args, func(v *code.Value) bool { return v.Kind() != kind.Int }) {
			return c.ExtremeInt(name, args, c.At())
		}
		list = c.display(slices.Clone(args), code.Common(args, nil), func(int) syntax.Place { return c.At() }, "an argument of "+name)
	}
	list = c.Iterable(list, c.At(), name+"()")
	if list.Bad() {
		return list
	}
	list, keys := c.keyed(list)
	if keys.Bad() {
		return keys
	}
	return c.Extreme(name, list, keys, args, c.At())
}

// unnamed is the name of an element where none is written, which no other hides.
const unnamed = "value of a list"

// keyed is a list with the keys by which it is ordered: itself, or what the
// argument key makes of its elements.
func (c pythonCall) keyed(list *code.Value) (_, keys *code.Value) {
	key := c.keyword("key")
	name, body := syntax.Param{Name: unnamed}, key
	switch k := key.(type) {
	case nil, *syntax.None:
		if kind.Of(kind.Elem(list.Type)) != kind.Bool {
			return list, list
		}
		body = c.Call
	case *syntax.Lambda:
		if len(k.Params) != 1 {
			c.Fault("lambda-call", k.At(), "the key has %d parameters, but is called with one", len(k.Params))
			return list, code.Bad()
		}
		name, body = k.Params[0], k.Body
	case *syntax.Bad:
		return list, code.Bad()
	default:
		body = &syntax.Call{Place: key.At(), Func: key, Args: []syntax.Arg{{Place: key.At(), Value: &syntax.Name{Place: key.At(), Name: name.Name}}}}
	}
	list = list.Kept()
	keys = c.loop(name, list, nil, body, nil, func() *code.Value {
		v := c.Env[unnamed]
		if body != c.Call {
			v = c.single(body, nil)
		}
		if v.Kind() == kind.Bool {
			return c.Number(v, body.At())
		}
		return v
	})
	return list, keys
}

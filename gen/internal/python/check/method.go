package check

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/ops"
	"github.com/aiongen/aiongen/gen/internal/python/size"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// callText checks the call of a method of a string.
func (c pythonCall) callText(f *syntax.Attr, x *code.Value, m *ops.Method) *code.Value {
	name := f.Name.Name
	x = c.Deref(x, f.At(), "%s", "AttributeError: 'NoneType' object has no attribute '"+name+"'")
	switch k := x.Kind(); {
	case k == kind.Any && name == "count": // lists have it, too
		return c.countDynamic(x, m)
	case k == kind.Any:
		x = c.Receiver(x, name, f.At())
	case k != kind.Str:
		c.noMember(x, f, nil)
		return code.Bad()
	}
	x = c.Text(x, f.At())
	if name == "format" {
		return c.format(x, f.X.At())
	}
	args := c.methodArgs(name, m)
	if args == nil {
		return code.Bad()
	}
	return m.Call(c.Ops, x, args, c.At())
}

// countDynamic checks the call of count, which lists have, too.
func (c pythonCall) countDynamic(x *code.Value, m *ops.Method) *code.Value {
	if slices.ContainsFunc(c.Args, func(a syntax.Arg) bool { return len(syntax.Parts(a.Value)) > 0 }) {
		x = c.Do("value", kind.GoAny, c.At(), code.Dyn("Sequence"), x) // before its arguments may fail
	}
	args := c.methodArgs("count", &ops.Method{Params: "aaa", Least: m.Least})
	if args == nil {
		return code.Bad()
	}
	return c.Count(x, args[:len(c.Args)], c.At())
}

// methodArgs checks the arguments of a method. There is one for each parameter.
func (c pythonCall) methodArgs(name string, m *ops.Method) []*code.Value {
	args := make([]*code.Value, len(m.Params))
	places := make([]syntax.Place, len(m.Params))
	position := 0
	sound := true
	for _, a := range c.Args {
		i := position
		if a.Name == "" {
			position++
		} else {
			i = slices.Index(m.Names, a.Name)
		}
		v := c.single(a.Value, nil)
		v.Linear = size.IsLinear(a.Value, c.Names)
		sound = sound && !v.Bad()
		switch {
		case a.Star:
			c.Unsupported(a.Place, "a starred argument of "+name)
			sound = false
		case i < 0:
			c.Unsupported(a.Place, "the argument "+a.Name+" of "+name)
			sound = false
		case i >= len(args):
			c.Fault("lambda-call", a.Place, "the method %s takes %s", name, counted(m.Least, len(m.Params)))
			sound = false
		default:
			args[i], places[i] = v, a.Value.At()
		}
	}
	if sound && position < m.Least {
		c.Fault("lambda-call", c.At(), "the method %s takes %s, not %d", name, counted(m.Least, len(m.Params)), position)
		sound = false
	}
	if !sound || !m.Arguments(c.Ops, name, args, places) {
		return nil
	}
	return slices.Clip(append([]*code.Value{}, args...))
}

// A formatCall is a call of format on its way.
type formatCall struct {
	positional, named []*code.Value
	names             []string
}

// formatArgs checks the arguments of format.
func (c pythonCall) formatArgs() (f formatCall, ok bool) {
	ok = true
	for _, a := range c.Args {
		v := c.single(a.Value, nil)
		if a.Star {
			c.Unsupported(a.Place, "a starred argument of format")
		}
		ok = ok && !a.Star && !v.Bad()
		if a.Name != "" {
			f.names, f.named = append(f.names, a.Name), append(f.named, v)
		} else {
			f.positional = append(f.positional, v)
		}
	}
	return f, ok
}

// argument is the argument of a field; nil if there is none.
func (f formatCall) argument(field syntax.Field) *code.Value {
	if field.Number >= 0 {
		if field.Number < len(f.positional) {
			return f.positional[field.Number]
		}
		return nil
	}
	if i := slices.Index(f.names, field.Text); i >= 0 {
		return f.named[i]
	}
	return nil
}

// format checks template.format(…), of a template that may be known only when it is
// there.
func (c pythonCall) format(x *code.Value, at syntax.Place) *code.Value {
	template, known := x.Known.(string)
	fields, problem := syntax.Template(template)
	if problem != "" {
		c.Mismatch(at, "%s", problem)
		return code.Bad()
	}
	args, ok := c.formatArgs()
	switch {
	case !ok:
		return code.Bad()
	case !known:
		return c.FormatUnknown(x, args.positional, args.names, args.named, c.At())
	}
	var pieces []ops.Piece
	for _, field := range fields {
		piece := ops.Piece{Text: field.Text}
		if field.IsValue {
			if piece.Value = args.argument(field); piece.Value == nil {
				c.Mismatch(at, "the text has the field {%s}, for which there is no argument", field.Text)
				return code.Bad()
			}
		}
		pieces = append(pieces, piece)
	}
	for i, p := range pieces {
		if p.Value != nil {
			pieces[i].Value = c.Formatted(p.Value, fields[i].Format, at)
		}
	}
	return c.Joined(pieces)
}

func counted(least, most int) string {
	words := []string{"no argument", "one argument", "two arguments", "three arguments"}
	number := func(n int) string { return strings.Fields(words[n])[0] }
	switch {
	case least == most:
		return words[least]
	case most >= len(words):
		return "at least " + words[least]
	case least == 0:
		return "at most " + words[most]
	case most == least+1:
		return number(least) + " or " + words[most]
	}
	return number(least) + " to " + words[most]
}

// nameOf is the name of a function or method as it was written.
func nameOf(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.Name:
		return e.Name
	case *syntax.Attr:
		return e.Name.Name
	}
	return ""
}

// keyword is the value of a keyword argument; nil if it is not given.
func (c pythonCall) keyword(name string) syntax.Expr {
	for _, a := range c.Args {
		if a.Name == name {
			return a.Value
		}
	}
	return nil
}

package args

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
	"github.com/aiongen/aiongen/internal/words"
)

// paramType is the type that an argument is wanted in.
func (c *call) paramType(i int) types.Type {
	last := len(c.visible) - 1
	switch {
	case c.sig.Variadic() && i >= last && last >= 0:
		return kind.Elem(c.visible[last].Type())
	case i <= last:
		return c.visible[i].Type()
	}
	return nil
}

func (c *call) wrong(at syntax.Place, format string, args ...any) *diag.Diagnostic {
	d := c.Fault("lambda-call", at, "the call of %s %s", c.name, fmt.Sprintf(format, args...))
	d.Related = c.Declared(c.obj)
	return d
}

func (c *call) noParam(a syntax.Arg) {
	i := c.ParamIndex(slices.Collect(c.sig.Params().Variables()), a.Name)
	if i >= 0 {
		c.wrong(a.Place, "names its parameter %s, which is supplied", a.Name).WithHelp(unwritten)
		return
	}
	d := c.wrong(a.Place, "names a parameter %s, which it does not have", a.Name)
	names := c.paramNames(len(c.visible))
	if near := words.Nearest(a.Name, names); near != "" {
		d.WithHelp("did you mean %s?", near).
			WithGuess(diag.Edit{Span: c.Report.At(syntax.Place{From: a.From, To: a.From + len(a.Name)}), Text: near})
	} else if len(names) > 0 {
		d.WithHelp("its parameters are %s", strings.Join(names, ", "))
	}
}

// paramNames are the names of the first parameters, as Python spells them.
func (c *call) paramNames(n int) (names []string) {
	for _, v := range c.visible[:n] {
		names = append(names, goname.Snake(v.Name()))
	}
	return names
}

// counted checks that every parameter has an argument.
func (c *call) counted() bool {
	required := len(c.visible)
	if c.sig.Variadic() {
		required--
	}
	given, missing := 0, []string{}
	for i, v := range c.args {
		if v != nil {
			given++
		} else if i < required {
			missing = append(missing, goname.Snake(c.visible[i].Name()))
		}
	}
	switch {
	case len(missing) > 0:
		c.wrong(c.At(), "lacks the argument %s", strings.Join(missing, ", ")).WithHelp("its parameters are %s", c.signature())
	case given > len(c.visible) && !c.sig.Variadic():
		d := c.wrong(c.At(), "has %s, but it takes %d", words.Count(given, "argument"), len(c.visible)).WithHelp("its parameters are %s", c.signature())
		if slices.ContainsFunc(c.args, func(v *code.Value) bool { return v != nil && c.Supplied(v.Type) }) {
			d.WithHelp(unwritten)
		}
	default:
		return true
	}
	return false
}

// unwritten helps where a lambda hands on what needs no word.
const unwritten = "leave it out: it is passed unwritten"

func (c *call) signature() string {
	var list []string
	for _, v := range c.visible {
		list = append(list, goname.Snake(v.Name())+" "+c.Name(v.Type()))
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// paramWord is a parameter as messages mention it.
func (c *call) paramWord(i int) string {
	if name := c.visible[i].Name(); name != "" {
		return "argument " + goname.Snake(name) + " of " + c.name
	}
	return fmt.Sprintf("argument %d of %s", i+1, c.name)
}

package lambda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
	"github.com/aiongen/aiongen/internal/words"
)

func (c *callArguments) addCallFault(at pysyntax.Place, format string, args ...any) *diag.Diagnostic {
	d := c.addFault("lambda-call", at, "the call of %s %s", c.name, fmt.Sprintf(format, args...))
	d.Related = c.Declared(c.obj)
	return d
}

func (c *callArguments) reportNoParam(a pysyntax.Arg) {
	i := c.paramIndex(slices.Collect(c.sig.Params().Variables()), a.Name)
	if i >= 0 {
		c.addCallFault(a.Place, "names its parameter %s, which is supplied", a.Name).WithHelp(suppliedHelp)
		return
	}
	d := c.addCallFault(a.Place, "names a parameter %s, which it does not have", a.Name)
	names := c.paramNames(len(c.visible))
	if near := words.Nearest(a.Name, names); near != "" {
		d.WithHelp("did you mean %s?", near).
			WithGuess(diag.Edit{Span: c.faultReport.At(pysyntax.Place{From: a.From, To: a.From + len(a.Name)}), Text: near})
	} else if len(names) > 0 {
		d.WithHelp("its parameters are %s", strings.Join(names, ", "))
	}
}

// paramNames returns the names of the first n parameters in Python's spelling.
func (c *callArguments) paramNames(n int) (names []string) {
	for _, v := range c.visible[:n] {
		names = append(names, goname.SnakeCase(v.Name()))
	}
	return names
}

// checkCount checks that every required parameter has an argument and that there are not too many.
func (c *callArguments) checkCount() bool {
	required := len(c.visible)
	if c.sig.Variadic() {
		required--
	}
	count, missing := 0, []string{}
	for i, v := range c.args {
		if v != nil {
			count++
		} else if i < required {
			missing = append(missing, goname.SnakeCase(c.visible[i].Name()))
		}
	}
	switch {
	case len(missing) > 0:
		c.addCallFault(c.Location(), "lacks the argument %s", strings.Join(missing, ", ")).WithHelp("its parameters are %s", c.signatureText())
	case count > len(c.visible) && !c.sig.Variadic():
		d := c.addCallFault(c.Location(), "has %s, but it takes %d", words.Count(count, "argument"), len(c.visible)).WithHelp("its parameters are %s", c.signatureText())
		if slices.ContainsFunc(c.args, func(v *ir.Value) bool { return v != nil && c.Supplied(v.Type) }) {
			d.WithHelp(suppliedHelp)
		}
	default:
		return true
	}
	return false
}

// suppliedHelp is the help for an argument that the runtime supplies.
const suppliedHelp = "omit it: it is passed automatically"

func (c *callArguments) signatureText() string {
	var list []string
	for _, v := range c.visible {
		list = append(list, goname.SnakeCase(v.Name())+" "+c.describeType(v.Type()))
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// describeParam describes parameter i for messages, such as "argument limit of find".
func (c *callArguments) describeParam(i int) string {
	if name := c.visible[i].Name(); name != "" {
		return "argument " + goname.SnakeCase(name) + " of " + c.name
	}
	return fmt.Sprintf("argument %d of %s", i+1, c.name)
}

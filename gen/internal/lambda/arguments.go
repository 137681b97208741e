package lambda

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// writtenName returns the name of a function or method as written in the lambda.
func writtenName(e pysyntax.Expr) string {
	switch e := e.(type) {
	case *pysyntax.Name:
		return e.Name
	case *pysyntax.Attr:
		return e.Name.Name
	}
	return ""
}

// describeCount describes a number of arguments, such as "one or two arguments".
func describeCount(minArgs, maxArgs int) string {
	words := []string{"no argument", "one argument", "two arguments", "three arguments"}
	number := func(n int) string { return strings.Fields(words[n])[0] }
	switch {
	case minArgs == maxArgs:
		return words[minArgs]
	case maxArgs >= len(words):
		return "at least " + words[minArgs]
	case minArgs == 0:
		return "at most " + words[maxArgs]
	case maxArgs == minArgs+1:
		return number(minArgs) + " or " + words[maxArgs]
	}
	return number(minArgs) + " to " + words[maxArgs]
}

// keywordValue returns the value of a keyword argument, or nil.
func (c pythonCall) keywordValue(name string) pysyntax.Expr {
	for _, a := range c.Args {
		if a.Name == name {
			return a.Value
		}
	}
	return nil
}

// checkArguments checks the arguments of a Python function that takes 1 to maxArgs positional arguments, and the
// given keyword arguments. It returns the values of the positional ones, or nil after a fault.
func (c pythonCall) checkArguments(maxArgs int, keywords ...string) []*ir.Value {
	name := writtenName(c.Func)
	var values []*ir.Value
	valid := true
	for _, a := range c.Args {
		switch {
		case a.Star:
			c.suggestListOf(c.addUnsupported(a.Place, "a starred argument of "+name))
			valid = false
		case a.Name == "":
			v := c.checkSingle(a.Value, nil)
			values = append(values, v)
			valid = valid && !v.IsBad()
		case !slices.Contains(keywords, a.Name):
			c.addUnsupported(a.Place, "the argument "+a.Name+" of "+name)
			valid = false
		}
	}
	if valid && (len(values) == 0 || len(values) > maxArgs) {
		d := c.addFault("lambda-call", c.Location(), "%s() takes %s, not %d", name, describeCount(1, maxArgs), len(values))
		if name == "str" && len(values) > 0 {
			w := suggester{c.nameResolver}
			w.suggestWithNote(d, c.Location(), ": a str is text already and has no encoding", "str("+w.text(c.Args[0].Value)+")")
		}
		valid = false
	}
	if !valid {
		return nil
	}
	return values
}

// secondArgument returns the second positional argument or else the keyword argument name, or nil if there is
// neither.
func (c pythonCall) secondArgument(args []*ir.Value, name string) *ir.Value {
	if len(args) == 2 {
		return args[1]
	}
	if keyword := c.keywordValue(name); keyword != nil {
		return c.checkSingle(keyword, nil)
	}
	return nil
}

// suggestListOf suggests max([a, *xs]) instead of max(a, *xs), and the same for min.
func (c pythonCall) suggestListOf(d *diag.Diagnostic) {
	if name := writtenName(c.Func); name != "max" && name != "min" || len(c.Args) == 0 {
		return
	}
	first, last := c.Args[0].Place, pysyntax.Place{}
	for _, a := range c.Args {
		if a.Name == "" {
			last = a.Place
		}
	}
	at := pysyntax.Place{From: first.From, To: max(first.To, last.To)}
	c.suggest(d, at, "["+c.source[at.From:at.To]+"]")
}

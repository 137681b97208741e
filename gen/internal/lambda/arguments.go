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

func describeCount(least, most int) string {
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

// keywordValue returns the value of a keyword argument, or nil.
func (c pythonCall) keywordValue(name string) pysyntax.Expr {
	for _, a := range c.Args {
		if a.Name == name {
			return a.Value
		}
	}
	return nil
}

// checkArguments checks the positional arguments of a Python function, which has at least one. It
// returns nil if their number or one of them is invalid.
func (c pythonCall) checkArguments(most int, keywords ...string) []*ir.Value {
	name := writtenName(c.Func)
	var values []*ir.Value
	sound := true
	for _, a := range c.Args {
		switch {
		case a.Star:
			c.suggestListOf(c.addUnsupported(a.Place, "a starred argument of "+name))
			sound = false
		case a.Name == "":
			v := c.checkSingle(a.Value, nil)
			values = append(values, v)
			sound = sound && !v.IsBad()
		case !slices.Contains(keywords, a.Name):
			c.addUnsupported(a.Place, "the argument "+a.Name+" of "+name)
			sound = false
		}
	}
	if sound && (len(values) == 0 || len(values) > most) {
		d := c.addFault("lambda-call", c.Location(), "%s() takes %s, not %d", name, describeCount(1, most), len(values))
		if name == "str" && len(values) > 0 {
			w := suggester{c.nameResolver}
			w.suggestNoted(d, c.Location(), ": a str is text already and has no encoding", "str("+w.text(c.Args[0].Value)+")")
		}
		sound = false
	}
	if !sound {
		return nil
	}
	return values
}

// secondArgument returns the second argument, passed by position or by name, or nil.
func (c pythonCall) secondArgument(args []*ir.Value, name string) *ir.Value {
	if len(args) == 2 {
		return args[1]
	}
	if given := c.keywordValue(name); given != nil {
		return c.checkSingle(given, nil)
	}
	return nil
}

// suggestListOf suggests one list for the positional arguments of max or min, some of which are starred.
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

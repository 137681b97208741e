package resolve

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/internal/lazyregexp"
)

// A foreignFunction is how another language writes a function: its parameters, and the
// expression that it returns, if it has no more than that.
type foreignFunction struct {
	name    string
	pattern lazyregexp.Regexp
}

var foreignFunctions = []foreignFunction{
	{"a function of JavaScript", lazyregexp.Regexp{Text: `(?s)^(?:async\s+)?function\b[^(]*\(([^)]*)\)\s*\{(?:\s*return\s+([^;{}]+);?\s*\}$)?`}},
	{"a function of JavaScript", lazyregexp.Regexp{Text: `(?s)^(?:async\s*)?\(?([\w\s,]*)\)?\s*=>\s*([^;{}]+)?`}},
	{"a statement of Python", lazyregexp.Regexp{Text: `(?s)^def\b[^(]*\(([^)]*)\)[^:]*:(?:\s*return\s+([^\n;]+)$)?`}},
}

// elsewhere says what a text is that is a function in another language, and what to
// write; it is empty if it is none.
func elsewhere(source string) string {
	for i := range foreignFunctions {
		f := &foreignFunctions[i]
		if m := f.pattern.Get().FindStringSubmatch(source); m != nil {
			oneLine := func(text string) string { return strings.Join(strings.Fields(text), " ") }
			lambda := strings.TrimSpace("lambda "+oneLine(m[1])) + ": " + cmp.Or(oneLine(m[2]), "…")
			return fmt.Sprintf("this is %s: write the name of a Go function, or a lambda, as in %q", f.name, lambda)
		}
	}
	return ""
}

// badReference reports a function text that is no name, and what is meant where
// other languages write a method so.
func (r *resolving) badReference(text aion.Text) {
	source := strings.TrimSpace(text.Value)
	d := r.faults.Errorf("bad-function", text.Span, "%q is not the name of a function", source)
	if help := elsewhere(source); help != "" {
		d.WithHelp("%s", help)
		return
	}
	expr, _ := parser.ParseExpr(source)
	if call, ok := expr.(*ast.CallExpr); ok {
		switch call.Fun.(type) {
		case *ast.Ident, *ast.SelectorExpr:
			name := types.ExprString(call.Fun)
			d.WithHelp("write the name alone, %q: the model supplies the arguments", name).WithFix(text.Rewrite(name)...)
			return
		}
	}
	if m := namedFunction.Get().FindStringSubmatch(source); m != nil {
		d.WithHelp("a function literal has no name: write %q", "func"+strings.TrimSpace(m[1])+" { … }")
		return
	}
	if m := methodElsewhere.Get().FindStringSubmatch(source); m != nil {
		spelling, place := r.methodSpelling(m[1], m[2])
		d.WithHelp("write %q%s", spelling, place).WithGuess(text.Rewrite(spelling)...)
		return
	}
	d.WithHelp("write a function's name, as in \"Find\", or a method, as in \"(*Store).Find\"")
}

// namedFunction is a function as a Go file declares it.
var namedFunction = lazyregexp.Regexp{Text: `^func\s+\w+\s*(\([^{]*)\{`}

// methodElsewhere is a method as other languages, and Go in other places, write it.
var methodElsewhere = lazyregexp.Regexp{Text: `^[*&]?\(?[*&]?(\w+)\)?(?:\.|::|->|#)(\w+)$`}

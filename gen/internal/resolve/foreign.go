package resolve

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"path"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/internal/lazyregexp"
	"github.com/aiongen/aiongen/internal/words"
)

// A foreignFunction matches a function in another language: its parameters, and the
// expression that it returns if that is its whole body.
type foreignFunction struct {
	name    string
	pattern lazyregexp.Regexp
}

var foreignFunctions = []foreignFunction{
	{"a function of JavaScript", lazyregexp.Regexp{Text: `(?s)^(?:async\s+)?function\b[^(]*\(([^)]*)\)\s*\{(?:\s*return\s+([^;{}]+);?\s*\}$)?`}},
	{"a function of JavaScript", lazyregexp.Regexp{Text: `(?s)^(?:async\s*)?\(?([\w\s,]*)\)?\s*=>\s*([^;{}]+)?`}},
	{"a statement of Python", lazyregexp.Regexp{Text: `(?s)^def\b[^(]*\(([^)]*)\)[^:]*:(?:\s*return\s+([^\n;]+)$)?`}},
}

// scriptLength matches the length of a value in JavaScript.
var scriptLength = lazyregexp.Regexp{Text: `([\w.]+)\.length\b`}

// webRequest matches a URL, an HTTP request and a call of curl.
var webRequest = lazyregexp.Regexp{Text: `^(?:\w+://|(?:GET|POST|PUT|PATCH|DELETE|HEAD) +/|curl )`}

// describeForeign says what to write instead of a function in another language, "" if the
// text is not one.
func describeForeign(source string) string {
	if m := webRequest.Get().FindString(source); m != "" {
		return "a tool is a Go function: write one that sends the request with net/http, and its name here"
	}
	if rest, ok := strings.CutPrefix(source, "async lambda"); ok {
		return fmt.Sprintf("a lambda is not async: write %q", "lambda"+rest)
	}
	for i := range foreignFunctions {
		f := &foreignFunctions[i]
		if m := f.pattern.Get().FindStringSubmatch(source); m != nil {
			oneLine := func(text string) string { return strings.Join(strings.Fields(text), " ") }
			body := scriptLength.Get().ReplaceAllString(oneLine(m[2]), "len($1)")
			lambda := strings.TrimSpace("lambda "+oneLine(m[1])) + ": " + cmp.Or(body, "…")
			return fmt.Sprintf("this is %s: write the name of a Go function, or a lambda, as in %q", f.name, lambda)
		}
	}
	return ""
}

// reportBadReference reports a function text that is not a name, and suggests what to write.
func (r *resolver) reportBadReference(text aion.Text) {
	source := strings.TrimSpace(text.Value)
	d := r.faults.Errorf("bad-function", text.Span, "%q is not the name of a function", source)
	if help := describeForeign(source); help != "" {
		d.WithHelp("%s", help)
		return
	}
	if name, ok := r.withTypeArgs(source); ok {
		d.WithHelp("write %q", name).WithGuess(text.Rewrite(name)...)
		return
	}
	expr, _ := parser.ParseExpr(source)
	if call, ok := expr.(*ast.CallExpr); ok {
		switch call.Fun.(type) {
		case *ast.Ident, *ast.SelectorExpr:
			name := types.ExprString(call.Fun)
			d.WithHelp("write only the name, %q: the model supplies the arguments", name).WithFix(text.Rewrite(name)...)
			return
		}
	}
	if r.helpWithDeclaration(d, text) || r.helpWithMeant(d, text) {
		return
	}
	if m := foreignMethod.Get().FindStringSubmatch(source); m != nil {
		spelling, place := r.methodSpelling(m[1], m[2])
		d.WithHelp("write %q%s", spelling, place).WithGuess(text.Rewrite(spelling)...)
		return
	}
	if m := goFile.Get().FindStringSubmatch(source); m != nil {
		names := r.functionsIn(m[1], m[2])
		if len(names) == 1 {
			d.WithHelp("write %q", names[0]).WithGuess(text.Rewrite(names[0])...)
			return
		}
		if len(names) > 0 {
			d.WithHelp("write the name of a function in %s: %s", m[1], words.Sample(names))
			return
		}
	}
	d.WithHelp("write a function's name, as in \"Find\", or a method, as in \"(*Store).Find\"")
}

// foreignMethod matches a method as written in other languages, or elsewhere in Go.
var foreignMethod = lazyregexp.Regexp{Text: `^[*&]?\(?[*&]?(\w+)\)?(?:\.|::|->|#)(\w+)$`}

// goFile matches a Go file, with a line if any.
var goFile = lazyregexp.Regexp{Text: `^(?:[\w.-]*/)*([\w.-]+\.go)(?:[:#]L?(\d+)(?::\d+)?)?$`}

// functionsIn returns the functions that a file of the package declares, or only the one in a line if
// there is one.
func (r *resolver) functionsIn(file, line string) (names []string) {
	for _, f := range listFunctions(r.pkg.Types.Scope(), r.namesOf(r.pkg.Types)) {
		at := r.pkg.Span(f.Pos(), f.Pos())
		if path.Base(at.File) != file {
			continue
		}
		if strconv.Itoa(at.Start.Line) == line {
			return []string{f.Name()}
		}
		names = append(names, f.Name())
	}
	return names
}

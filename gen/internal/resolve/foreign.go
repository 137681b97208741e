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

// A foreignFunction describes the syntax of functions in another language. The groups of the
// pattern are the parameters and, if the body only returns an expression, the expression.
type foreignFunction struct {
	name    string // for messages, such as "a JavaScript function"
	pattern lazyregexp.Regexp
}

var foreignFunctions = []foreignFunction{
	{"a JavaScript function", lazyregexp.Regexp{Text: `(?s)^(?:async\s+)?function\b[^(]*\(([^)]*)\)\s*\{(?:\s*return\s+([^;{}]+);?\s*\}$)?`}},
	{"a JavaScript function", lazyregexp.Regexp{Text: `(?s)^(?:async\s*)?\(?([\w\s,]*)\)?\s*=>\s*([^;{}]+)?`}},
	{"a Python function", lazyregexp.Regexp{Text: `(?s)^def\b[^(]*\(([^)]*)\)[^:]*:(?:\s*return\s+([^\n;]+)$)?`}},
}

// scriptLength matches the length of a value in JavaScript.
var scriptLength = lazyregexp.Regexp{Text: `([\w.]+)\.length\b`}

// webRequest matches a URL, an HTTP request and a call of curl.
var webRequest = lazyregexp.Regexp{Text: `^(?:\w+://|(?:GET|POST|PUT|PATCH|DELETE|HEAD) +/|curl )`}

// describeForeign returns help on what to write instead of a function in another language or an
// HTTP request. It returns "" for other texts.
func describeForeign(source string) string {
	if m := webRequest.Get().FindString(source); m != "" {
		return "a tool is a Go function: write one that sends the request with net/http, and write its name here"
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

// reportBadReference reports a function text that is not the name of a function, and suggests what
// to write.
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
		spelling, position := r.methodSpelling(m[1], m[2])
		d.WithHelp("write %q%s", spelling, position).WithGuess(text.Rewrite(spelling)...)
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

// foreignMethod matches a method as it is written in other languages, such as Store::find, or in Go
// documentation, such as *Store.Find.
var foreignMethod = lazyregexp.Regexp{Text: `^[*&]?\(?[*&]?(\w+)\)?(?:\.|::|->|#)(\w+)$`}

// goFile matches the path of a Go file, possibly with a line: store.go:12.
var goFile = lazyregexp.Regexp{Text: `^(?:[\w.-]*/)*([\w.-]+\.go)(?:[:#]L?(\d+)(?::\d+)?)?$`}

// functionsIn returns the names of the functions that a file of the package declares. If one of them
// is declared in the given line, it returns only that one.
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

package lambda

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// maxTrials limits how many suggestions for one lambda are compiled.
const maxTrials = 50

// trialScope is the Scope of a lambda that is compiled to check a suggestion. Its spans hold offsets in the text of
// the lambda, not in the .aion file.
type trialScope struct{ Scope }

func (trialScope) At(p pysyntax.Place) diag.Span {
	return diag.Span{Start: diag.Pos{Offset: p.From}, End: diag.Pos{Offset: p.To}}
}

// newTrial returns a function that reports whether the lambda l compiles if the text at a place is replaced. Faults in
// other places do not count. check compiles a lambda.
func newTrial(l *pysyntax.Lambda, check func(*pysyntax.Lambda, Scope) diag.List, s Scope) func(at pysyntax.Place, text string) bool {
	trials := 0
	return func(at pysyntax.Place, text string) bool {
		if trials++; trials > maxTrials || at.To > len(l.Source) {
			return false
		}
		edited, faults := pysyntax.Parse(l.Source[:at.From]+text+l.Source[at.To:], trialScope{s}.At)
		if faults.Err() != nil || len(edited.Params) != len(l.Params) {
			return false
		}
		return !slices.ContainsFunc(check(edited, trialScope{s}), func(d *diag.Diagnostic) bool {
			return d.Severity == diag.Error && d.Span.Start.Offset <= at.From+len(text) && d.Span.End.Offset >= at.From
		})
	}
}

// suggest adds help and an edit that replace the expression at a place with the first of texts that compiles there. It
// reports whether one of them compiles.
func (r *faultReport) suggest(d *diag.Diagnostic, at pysyntax.Place, texts ...string) bool {
	return r.suggestWithNote(d, at, "", texts...)
}

// suggestWithNote is suggest with a note after the text in the help, such as ", which is a new list".
func (r *faultReport) suggestWithNote(d *diag.Diagnostic, at pysyntax.Place, note string, texts ...string) bool {
	for _, text := range texts {
		if r.compiles == nil || text == "" {
			continue
		}
		edit := text
		if !isPrimary(text) && !r.standsAlone(at) {
			edit = "(" + text + ")"
		}
		if !r.compiles(at, edit) {
			continue
		}
		d.WithHelp("write %s%s", text, note)
		if !strings.ContainsAny(edit, "\"\\\n") { // the .aion file may need escapes for these characters
			d.WithGuess(diag.Edit{Span: r.At(at), Text: edit})
		}
		return true
	}
	return false
}

// standsAlone reports whether the expression at a place is surrounded by brackets, commas and the like, so that its
// replacement needs no parentheses.
func (r *faultReport) standsAlone(at pysyntax.Place) bool {
	before := strings.TrimRight(r.source[:at.From], " \n\t")
	after := strings.TrimLeft(r.source[at.To:], " \n\t")
	return strings.ContainsAny(before[max(0, len(before)-1):], "([{,:=") && (after == "" || strings.ContainsAny(after[:1], ")]},"))
}

// primaryText matches an expression that needs no parentheses as an operand, such as a.b, f(x), [x] or {k: v}. It does
// not match nested brackets.
var primaryText = regexp.MustCompile(`^[\w.]*$|^[\w.]*\([^()]*\)$|^\[[^\[\]]*\]$|^\{[^{}]*\}$`)

func isPrimary(text string) bool {
	return primaryText.MatchString(text) || isEnclosed(text)
}

// isEnclosed reports whether the first bracket of a text is closed by its last character. It does not skip string
// literals, so it may return false for a text with brackets in a string. That only adds unnecessary parentheses.
func isEnclosed(text string) bool {
	if text == "" || !strings.ContainsAny(text[:1], "([{") {
		return false
	}
	depth := 0
	for i, c := range text {
		switch c {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			if depth--; depth == 0 {
				return i == len(text)-1
			}
		}
	}
	return false
}

// suggester writes the expressions that help suggests. It replaces calls of unsupported functions in them.
type suggester struct {
	*nameResolver
}

// text returns the source of an expression. Calls of unsupported functions that have a replacement are replaced.
func (w suggester) text(e pysyntax.Expr) string {
	if call, ok := e.(*pysyntax.Call); ok {
		if name, ok := call.Func.(*pysyntax.Name); ok && w.isUnsupported(name.Name) {
			if texts := w.rewriteCall(name.Name, call); len(texts) > 0 {
				return texts[0]
			}
		}
	}
	at := e.Location()
	var b strings.Builder
	parts := pysyntax.Parts(e)
	slices.SortFunc(parts, func(a, b pysyntax.Expr) int { return a.Location().From - b.Location().From })
	from := at.From
	for _, part := range parts {
		p := part.Location()
		if p.From < from || p.To > at.To {
			continue
		}
		b.WriteString(w.source[from:p.From])
		text := w.text(part)
		if text != w.source[p.From:p.To] && !isPrimary(text) {
			text = "(" + text + ")"
		}
		b.WriteString(text)
		from = p.To
	}
	return b.String() + w.source[from:at.To]
}

// operand returns the text of an expression, in parentheses if it needs them as an operand.
func (w suggester) operand(e pysyntax.Expr) string {
	text := w.text(e)
	switch e.(type) {
	case *pysyntax.Binary, *pysyntax.Unary, *pysyntax.Compare, *pysyntax.Cond, *pysyntax.Lambda:
		return "(" + text + ")"
	case *pysyntax.Call:
		if !isPrimary(text) && text != w.source[e.Location().From:e.Location().To] {
			return "(" + text + ")"
		}
	}
	return text
}

// isUnsupported reports whether a name refers to a Python function or type in weakNames. Lambdas support some of
// these, such as divmod: checkNameCall handles them before it calls isUnsupported.
func (n *nameResolver) isUnsupported(name string) bool {
	return n.Env[name] == nil && weakNames[name] && !n.isHidden(name)
}

// variable returns a name for the variable of a suggested comprehension. The lambda does not use that name.
func (w suggester) variable() string { return w.variables()[0] }

// variables returns at least two names that the lambda does not use.
func (w suggester) variables() []string {
	isUsed := func(name string) bool { return regexp.MustCompile(`\b` + name + `\b`).MatchString(w.source) }
	return append(slices.DeleteFunc([]string{"x", "y", "z", "item", "element"}, isUsed), "value", "index")
}

// apply returns the text of a call of f with a variable as its argument, and the name of the variable. f is the first
// argument of map or filter. For a lambda, the text is its body.
func (w suggester) apply(f pysyntax.Expr) (call, variable string, ok bool) {
	name := w.variable()
	switch f := f.(type) {
	case *pysyntax.None:
		return name, name, true
	case *pysyntax.Lambda:
		if len(f.Params) == 1 {
			return w.text(f.Body), f.Params[0].Name, true
		}
	case *pysyntax.Name:
		return f.Name + "(" + name + ")", name, true
	case *pysyntax.Attr:
		if owner, ok := f.X.(*pysyntax.Name); ok && owner.Name == "str" {
			return name + "." + f.Name.Name + "()", name, true
		}
		return w.text(f) + "(" + name + ")", name, true
	}
	return "", "", false
}

// rewriteCall returns the texts of expressions that can replace a call of an unsupported function, the best one first.
//
//nolint:gocyclo // one case per function
func (w suggester) rewriteCall(name string, c *pysyntax.Call) []string {
	if slices.ContainsFunc(c.Args, func(a pysyntax.Arg) bool { return a.Star || a.Name != "" }) {
		return nil
	}
	arg := func(i int) pysyntax.Expr { return c.Args[i].Value }
	switch n := len(c.Args); {
	case name == "map" && n > 2:
		return w.rewriteMap(c)
	case name == "map" && n == 2:
		if call, variable, ok := w.apply(arg(0)); ok {
			return []string{fmt.Sprintf("[%s for %s in %s]", call, variable, w.operand(arg(1)))}
		}
	case name == "filter" && n == 2:
		if call, variable, ok := w.apply(arg(0)); ok {
			return []string{fmt.Sprintf("[%[2]s for %[2]s in %[3]s if %[1]s]", call, variable, w.operand(arg(1)))}
		}
	case (name == "list" || name == "tuple") && n == 0:
		return []string{"[]"}
	case (name == "list" || name == "tuple") && n == 1:
		return w.rewriteList(arg(0))
	case name == "reversed" && n == 1:
		return []string{w.operand(arg(0)) + "[::-1]"}
	case name == "range" && n > 0:
		var bounds []string
		for i := range c.Args {
			bounds = append(bounds, w.text(arg(i)))
		}
		return []string{"list(range(" + strings.Join(bounds, ", ") + "))"}
	case name == "divmod" && n == 2:
		return []string{fmt.Sprintf("[%[1]s // %[2]s, %[1]s %% %[2]s]", w.operand(arg(0)), w.operand(arg(1)))}
	case name == "getattr" && n == 2:
		if attribute, ok := arg(1).(*pysyntax.Str); ok && identifier.MatchString(attribute.Value) {
			return []string{w.operand(arg(0)) + "." + attribute.Value}
		}
	}
	return nil
}

var identifier = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// rewriteList returns the texts of expressions that can replace list(e).
func (w suggester) rewriteList(e pysyntax.Expr) []string {
	if call, ok := e.(*pysyntax.Call); ok {
		if name, ok := call.Func.(*pysyntax.Name); ok && w.isUnsupported(name.Name) {
			return w.rewriteCall(name.Name, call)
		}
	}
	if _, ok := e.(*pysyntax.Comp); ok {
		return []string{w.text(e)}
	}
	name := w.variable()
	return []string{fmt.Sprintf("[%[1]s for %[1]s in %[2]s]", name, w.operand(e))}
}

// reportCalledLambda reports (lambda x: x + 1)(2) and suggests 2 + 1.
func (w suggester) reportCalledLambda(e *pysyntax.Call, l *pysyntax.Lambda) {
	d := w.addUnsupported(l.Place, "a lambda inside the lambda")
	if len(l.Params) != len(e.Args) || countPositional(e) != len(e.Args) {
		d.WithHelp("only the argument key and the functions map and filter accept a lambda")
		return
	}
	values := map[string]string{}
	for i, p := range l.Params {
		values[p.Name] = w.operand(e.Args[i].Value)
	}
	text := word.ReplaceAllStringFunc(w.text(l.Body), func(name string) string { return cmp.Or(values[name], name) })
	if !w.suggest(d, e.Place, text) {
		d.WithHelp("write its expression with the arguments in it, or declare a Go function")
	}
}

// word matches a name, an attribute with its dot, or a string literal, so that names inside one are not replaced.
var word = regexp.MustCompile(`'[^']*'|"[^"]*"|\.?\b[A-Za-z_]\w*`)

// reportItems reports len(d.items()), and sorted(d.items(), key=…), whose result depends on the unknown order of items
// with equal keys.
func (w suggester) reportItems(e *pysyntax.Call, function string) {
	view := e.Args[0].Value.(*pysyntax.Call).Func.(*pysyntax.Attr)
	dict := w.operand(view.X)
	if function == "len" {
		w.suggest(w.addUnsupported(view.Name.Place, "len of .items()"), e.Place, "len("+w.text(view.X)+")")
		return
	}
	d := w.addUnsupported(view.Name.Place, "the order of .items(), because Go does not keep the order of the JSON text")
	key := w.variable()
	text := "sorted(sorted(" + dict + ")"
	for _, a := range e.Args[1:] {
		value := w.text(a.Value)
		if l, ok := a.Value.(*pysyntax.Lambda); ok && a.Name == "key" && len(l.Params) == 1 {
			value = "lambda " + key + ": " + itemsKey(w.text(l.Body), l.Params[0].Name, key, dict)
		} else if a.Name != "reverse" {
			value = ""
		}
		if value == "" || strings.HasSuffix(value, ": ") {
			d.WithHelp("sort the keys instead: sorted(sorted(%s), key=…)", dict)
			return
		}
		text += ", " + a.Name + "=" + value
	}
	text += ")"
	if !w.suggest(d, e.Place, fmt.Sprintf("[[%[1]s, %[2]s[%[1]s]] for %[1]s in %[3]s]", key, dict, text)) {
		d.WithHelp("loop over the keys, and write %s[%s] for the value: for %s in %s", dict, key, key, text)
	}
}

// itemsKey rewrites the body of a sort key for items of a dict into one for its keys: item[0] becomes k and item[1]
// becomes d[k]. entry is the name of the item. It returns "" if the item is used without an index.
func itemsKey(body, entry, key, dict string) string {
	use := regexp.MustCompile(`\b` + entry + `\b(\[[01]\])?`)
	usesEntry := false
	text := use.ReplaceAllStringFunc(body, func(found string) string {
		switch {
		case strings.HasSuffix(found, "[0]"):
			return key
		case strings.HasSuffix(found, "[1]"):
			return dict + "[" + key + "]"
		}
		usesEntry = true
		return found
	})
	if usesEntry {
		return ""
	}
	return text
}

// reportUnsupportedCall reports a call of a Python function that lambdas do not support, and suggests an expression
// that can replace it.
func (w suggester) reportUnsupportedCall(e *pysyntax.Call, f *pysyntax.Name) {
	d := w.addUnsupported(f.Place, "Python's "+f.Name)
	if slices.Contains([]string{"divmod", "filter", "map", "range", "reversed", "tuple"}, f.Name) && !w.mayBeList(e.Place) {
		d.WithHelp(listDiffersHelp)
		return
	}
	texts := w.rewriteCall(f.Name, e)
	if len(texts) > 0 && (f.Name == "map" || f.Name == "filter") {
		d.Message = fmt.Sprintf("lambdas support Python's %s only where its elements are read, as in list(%[1]s(…))", f.Name)
	}
	if w.suggest(d, e.Location(), texts...) || w.helpTypeTest(d, e, f.Name) {
		return
	}
	if f.Name == "dict" && len(e.Args) == 1 && w.suggestObject(d, e) {
		return
	}
	if f.Name == "dict" && len(e.Args) == 1 && w.suggestWithNote(d, e.Location(), ", which fails for anything but a dict", "{**"+w.operand(e.Args[0].Value)+"}") {
		return
	}
	functionReplacement(f.Name).addHelp(d)
}

// suggestObject suggests x instead of dict(x) if x is an object, which becomes an object in JSON anyway.
func (w suggester) suggestObject(d *diag.Diagnostic, e *pysyntax.Call) bool {
	name, ok := e.Args[0].Value.(*pysyntax.Name)
	if !ok || w.Env[name.Name] == nil || w.Env[name.Name].Kind() != ir.Object {
		return false
	}
	d.Message = fmt.Sprintf("lambdas cannot make a dict of %s, which is a %s in Go", name.Name, w.TypeName(w.Env[name.Name].Type))
	return w.suggestWithNote(d, e.Location(), ", which becomes an object in JSON", name.Name)
}

// helpTypeTest adds help to a diagnostic about isinstance(x, …) or type(x): the type that x always has. It reports
// whether that type is known.
func (w suggester) helpTypeTest(d *diag.Diagnostic, e *pysyntax.Call, function string) bool {
	if len(e.Args) == 0 || function != "isinstance" && function != "type" {
		return false
	}
	name, ok := e.Args[0].Value.(*pysyntax.Name)
	if !ok || w.Env[name.Name] == nil {
		return false
	}
	kind := ir.KindNames[w.Env[name.Name].Kind()]
	if kind == "" {
		return false
	}
	if types, ok := typeNames(e); ok && function == "isinstance" {
		value := "False"
		if slices.Contains(types, kind) || kind == "bool" && slices.Contains(types, "int") {
			value = "True"
		}
		if w.suggestWithNote(d, e.Location(), ": "+name.Name+" is always "+kind, value) {
			return true
		}
	}
	if function == "type" && w.suggestWithNote(d, e.Location(), fmt.Sprintf(": %s is always %s", name.Name, kind), "'"+kind+"'") {
		return true
	}
	d.WithHelp("leave out %s: %s is always %s", function, name.Name, kind)
	return true
}

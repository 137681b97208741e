// What the comment of a function says of its parameters and results.

package godoc

import (
	"cmp"
	"go/ast"
	"go/doc/comment"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/lazyregexp"
	"github.com/aiongen/aiongen/internal/words"
)

// Function is what the comment of a function says beside its prose.
type Function struct {
	Items  map[string]string // of parameters and named results
	Result string            // of the only result
	Strays []Stray
}

// A Stray is a line of a comment on something that the function does not have.
type Stray struct {
	Name string
	At   Extent
}

// functionText splits a function's comment into prose and what it says of
// parameters and results: items of a list of the form "name: text", or the
// indented lines below Args: and Returns:.
func functionText(group *ast.CommentGroup, t *ast.FuncType) (text string, about Function) {
	written := group.Text()
	if prose, ok := plain(written); ok {
		return prose, Function{}
	}
	r := commentReader{
		group: group, names: parameterNames(t), onlyResult: onlyResult(t),
		about: Function{Items: map[string]string{}},
	}
	for _, block := range blocksOf(written) {
		switch block := block.(type) {
		case *comment.List:
			r.list(block)
		case *comment.Code:
			r.code(block)
		case *comment.Paragraph:
			r.paragraph(block)
		default:
			r.prose = append(r.prose, block)
		}
	}
	return docText(r.prose), r.about
}

// A commentReader takes out of a comment what is no prose.
type commentReader struct {
	group      *ast.CommentGroup
	names      map[string]bool
	onlyResult bool // there is one result, errors aside
	prose      []comment.Block
	about      Function
}

// described is a line of the form "name: text", also with a type behind the name.
var described = lazyregexp.Regexp{Text: "(?s)^`?([\\pL_][\\pL\\pN_]*)`?[ \t]*(?:\\([^()]*\\))?[ \t]*:[ \t\n]*(.*)$"}

// list takes over the items of a list if one of them names a parameter or a
// result. What is no such item stays prose, and so does a list of something else.
func (r *commentReader) list(list *comment.List) {
	if r.ofSomethingElse() {
		r.prose = append(r.prose, list)
		return
	}
	var items []string
	for _, item := range list.Items {
		items = append(items, docText(item.Content))
	}
	left, ok := r.describe(items)
	if !ok {
		r.prose = append(r.prose, list)
		return
	}
	r.cutHeading()
	if len(left) > 0 {
		rest := *list
		rest.Items = nil
		for _, i := range left {
			rest.Items = append(rest.Items, list.Items[i])
		}
		r.prose = append(r.prose, &rest)
	}
}

// describe takes over texts of the form "name: text", and returns the indexes of
// those that have another form. It does nothing unless one of them names a
// parameter or a result.
func (r *commentReader) describe(texts []string) (left []int, ok bool) {
	found, result, strays := map[string]string{}, "", []Stray(nil)
	for i, text := range texts {
		m := described.Get().FindStringSubmatch(text)
		switch {
		case m == nil || strings.HasPrefix(m[2], "//"): // it is a URL
			left = append(left, i)
		case r.known(m[1]) != "":
			found[r.known(m[1])] = strings.TrimSpace(m[2])
		case resultWords[strings.ToLower(m[1])] && r.onlyResult:
			result = strings.TrimSpace(m[2])
		case !errorWords[strings.ToLower(m[1])]:
			strays = append(strays, Stray{m[1], r.place(m[1])})
		}
	}
	if len(found) == 0 {
		return nil, false
	}
	maps.Copy(r.about.Items, found)
	r.about.Result = cmp.Or(result, r.about.Result)
	r.about.Strays = append(r.about.Strays, strays...)
	return left, true
}

var (
	resultWords = map[string]bool{"return": true, "returns": true, "result": true}
	errorWords  = map[string]bool{"err": true, "error": true, "errors": true} // a model gets them as they come
)

// known is the parameter or result that a name in a comment means, in any
// spelling; "" if it means none.
func (r *commentReader) known(name string) string {
	if r.names[name] {
		return name
	}
	for _, known := range slices.Sorted(maps.Keys(r.names)) {
		if words.Folded(known) == words.Folded(name) {
			return known
		}
	}
	return ""
}

// place is where a line of the comment begins with a name.
func (r *commentReader) place(name string) Extent {
	line := regexp.MustCompile("(?m)^(?://|/\\*)?[ \t]*(?:[-*+•]|[0-9]+[.)])?[ \t]*`?(" + regexp.QuoteMeta(name) + `)\b`)
	for _, c := range r.group.List {
		if m := line.FindStringSubmatchIndex(c.Text); m != nil {
			return Extent{c.Slash + token.Pos(m[2]), c.Slash + token.Pos(m[3])}
		}
	}
	return Extent{r.group.Pos(), r.group.End()}
}

var (
	argumentsLine = lazyregexp.Regexp{Text: `^(?:The )?(?i:args|arguments|params|parameters|inputs?)(?: are)?:$|^(?:(?:It )?(?i:takes|expects|accepts)|Where|With):$`}
	resultLine    = lazyregexp.Regexp{Text: `^(?:Returns?|Results?|Outputs?):$`}
	resultText    = lazyregexp.Regexp{Text: `(?s)^Returns?:[ \t\n]+(.*)$`}
	titleLine     = lazyregexp.Regexp{Text: `^\p{Lu}\S*(?: \S+){0,3}:$`}
	untilTitle    = lazyregexp.Regexp{Text: `(?s)^(?:.*(?:[.!?][ \t]|\n))?`}
)

// ofSomethingElse reports whether what comes next stands under a heading, or
// behind a few words of their own, that announce neither arguments nor results.
func (r *commentReader) ofSomethingElse() bool {
	if before, line := r.title(); strings.HasSuffix(line, ":") {
		before = strings.TrimSpace(before)
		apart := before == "" && len(r.prose) > 1 || before != "" && strings.Contains(".!?:", before[len(before)-1:])
		return apart && titleLine.Get().MatchString(line) && !announces(line)
	}
	for _, block := range slices.Backward(r.prose) {
		if heading, ok := block.(*comment.Heading); ok {
			return !announces(headingLine(heading))
		}
	}
	return false
}

// announces reports whether a line says that arguments or results follow.
func announces(line string) bool {
	return argumentsLine.Get().MatchString(line) || resultLine.Get().MatchString(line)
}

// headingLine is a heading in the form of a line that announces something.
func headingLine(heading *comment.Heading) string {
	return strings.TrimSuffix(docText([]comment.Block{&comment.Paragraph{Text: heading.Text}}), ":") + ":"
}

// code takes over indented lines below a heading, as in
//
//	Args:
//	    name: text
func (r *commentReader) code(code *comment.Code) {
	text := strings.TrimRight(code.Text, "\n")
	switch _, heading := r.title(); {
	case argumentsLine.Get().MatchString(heading):
		if left, ok := r.describe(joined(text)); ok && len(left) == 0 {
			r.cutHeading()
			return
		}
	case resultLine.Get().MatchString(heading):
		if _, ok := r.describe(joined(text)); ok {
			r.cutHeading()
			return
		}
		if r.onlyResult {
			r.about.Result = strings.Join(strings.Fields(text), " ")
			r.cutHeading()
			return
		}
	}
	r.prose = append(r.prose, code)
}

// joined are the lines of a text, those that are indented joined to the ones above.
func joined(text string) (lines []string) {
	for line := range strings.Lines(text) {
		further := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		switch line = strings.TrimSpace(line); {
		case line == "":
		case further && len(lines) > 0:
			lines[len(lines)-1] += " " + line
		default:
			lines = append(lines, line)
		}
	}
	return lines
}

// paragraph takes over one that begins with "Returns:".
func (r *commentReader) paragraph(p *comment.Paragraph) {
	if m := resultText.Get().FindStringSubmatch(docText([]comment.Block{p})); m != nil && r.onlyResult && r.about.Result == "" {
		r.about.Result = m[1]
		return
	}
	r.prose = append(r.prose, p)
}

// title is the last sentence of the prose so far, or the part of it that has a
// line to itself, and what its paragraph has before it.
func (r *commentReader) title() (before, line string) {
	if len(r.prose) == 0 {
		return "", ""
	}
	p, ok := r.prose[len(r.prose)-1].(*comment.Paragraph)
	if !ok {
		return "", ""
	}
	plain, ok := p.Text[len(p.Text)-1].(comment.Plain)
	if !ok {
		return "", ""
	}
	before = untilTitle.Get().FindString(string(plain))
	return before, string(plain[len(before):])
}

// cutHeading takes off the prose what leads over to lines that are taken out: a
// line such as "Arguments:", or the colon of a sentence.
func (r *commentReader) cutHeading() {
	if len(r.prose) == 0 {
		return
	}
	last := len(r.prose) - 1
	if heading, ok := r.prose[last].(*comment.Heading); ok {
		if announces(headingLine(heading)) {
			r.prose = r.prose[:last]
		}
		return
	}
	plain, line := r.title()
	if !strings.HasSuffix(line, ":") {
		return
	}
	p := *r.prose[last].(*comment.Paragraph)
	if announces(line) {
		plain = strings.TrimRight(plain, " \t\n")
	} else {
		plain += strings.TrimSuffix(line, ":") + "."
	}
	p.Text = append(slices.Clone(p.Text[:len(p.Text)-1]), comment.Plain(plain))
	if r.prose[last] = &p; strings.TrimSpace(docText(r.prose[last:])) == "" {
		r.prose = r.prose[:last]
	}
}

func parameterNames(t *ast.FuncType) map[string]bool {
	names := map[string]bool{}
	for _, list := range []*ast.FieldList{t.Params, t.Results} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				names[name.Name] = true
			}
		}
	}
	return names
}

// onlyResult reports whether a function has one result, a final error aside.
func onlyResult(t *ast.FuncType) bool {
	n := t.Results.NumFields()
	if n == 0 {
		return false
	}
	if last, ok := t.Results.List[len(t.Results.List)-1].Type.(*ast.Ident); ok && last.Name == "error" {
		n--
	}
	return n == 1
}

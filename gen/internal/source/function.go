package source

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

// FunctionDoc holds the descriptions of parameters and results in the comment of a function.
type FunctionDoc struct {
	Params      map[string]string // descriptions of parameters and named results
	Result      string            // description of the only result
	StrayParams []StrayParameter  // descriptions of parameters that the function does not have
}

// A StrayParameter is a parameter that a comment describes but the function does not have.
type StrayParameter struct {
	Name string
	At   Extent
}

// splitFunctionComment splits the comment of a function into prose and descriptions of
// parameters and results. Descriptions are list items of the form "name: text", or indented
// lines below "Args:" and "Returns:".
func splitFunctionComment(group *ast.CommentGroup, t *ast.FuncType) (text string, doc FunctionDoc) {
	whole := group.Text()
	if prose, ok := plainText(whole); ok {
		return prose, FunctionDoc{}
	}
	r := commentReader{
		group: group, names: parameterNames(t), onlyResult: hasSingleResult(t),
		doc: FunctionDoc{Params: map[string]string{}},
	}
	for _, block := range parseBlocks(whole) {
		switch block := block.(type) {
		case *comment.List:
			r.readList(block)
		case *comment.Code:
			r.readCode(block)
		case *comment.Paragraph:
			r.readParagraph(block)
		default:
			r.prose = append(r.prose, block)
		}
	}
	return joinBlocks(r.prose), r.doc
}

// A commentReader removes descriptions of parameters and results from a comment.
type commentReader struct {
	group      *ast.CommentGroup
	names      map[string]bool
	onlyResult bool // the function has one result, errors not counted
	prose      []comment.Block
	doc        FunctionDoc
}

// describedParameter matches "name: text" and "name (type): text".
var describedParameter = lazyregexp.Regexp{Text: "(?s)^`?([\\pL_][\\pL\\pN_]*)`?[ \t]*(?:\\([^()]*\\))?[ \t]*:[ \t\n]*(.*)$"}

// readList reads the descriptions in a list if one of its items names a parameter or a
// result. Other items and other lists remain prose.
func (r *commentReader) readList(list *comment.List) {
	if r.hasOtherHeading() {
		r.prose = append(r.prose, list)
		return
	}
	var items []string
	for _, item := range list.Items {
		items = append(items, joinBlocks(item.Content))
	}
	others, ok := r.readDescriptions(items)
	if !ok {
		r.prose = append(r.prose, list)
		return
	}
	r.cutHeading()
	if len(others) > 0 {
		rest := *list
		rest.Items = nil
		for _, i := range others {
			rest.Items = append(rest.Items, list.Items[i])
		}
		r.prose = append(r.prose, &rest)
	}
}

// readDescriptions reads texts of the form "name: text" and returns the indexes of other
// texts. It does nothing and reports false unless a text names a parameter or a result.
func (r *commentReader) readDescriptions(texts []string) (others []int, ok bool) {
	found, result, strays := map[string]string{}, "", []StrayParameter(nil)
	for i, text := range texts {
		m := describedParameter.Get().FindStringSubmatch(text)
		switch {
		case m == nil || strings.HasPrefix(m[2], "//"): // it is a URL
			others = append(others, i)
		case r.matchName(m[1]) != "":
			found[r.matchName(m[1])] = strings.TrimSpace(m[2])
		case resultWords[strings.ToLower(m[1])] && r.onlyResult:
			result = strings.TrimSpace(m[2])
		case !errorWords[strings.ToLower(m[1])]:
			strays = append(strays, StrayParameter{m[1], r.findLine(m[1])})
		}
	}
	if len(found) == 0 {
		return nil, false
	}
	maps.Copy(r.doc.Params, found)
	r.doc.Result = cmp.Or(result, r.doc.Result)
	r.doc.StrayParams = append(r.doc.StrayParams, strays...)
	return others, true
}

var (
	resultWords = map[string]bool{"return": true, "returns": true, "result": true}
	errorWords  = map[string]bool{"err": true, "error": true, "errors": true} // errors are not described to models
)

// matchName returns the parameter or result with a name in any spelling, or "".
func (r *commentReader) matchName(name string) string {
	if r.names[name] {
		return name
	}
	for _, known := range slices.Sorted(maps.Keys(r.names)) {
		if words.FoldName(known) == words.FoldName(name) {
			return known
		}
	}
	return ""
}

// findLine returns the position of a name that begins a line, or of the whole comment if no line begins
// with it.
func (r *commentReader) findLine(name string) Extent {
	line := regexp.MustCompile("(?m)^(?://|/\\*)?[ \t]*(?:[-*+•]|[0-9]+[.)])?[ \t]*`?(" + regexp.QuoteMeta(name) + `)\b`)
	for _, c := range r.group.List {
		if m := line.FindStringSubmatchIndex(c.Text); m != nil {
			return Extent{c.Slash + token.Pos(m[2]), c.Slash + token.Pos(m[3])}
		}
	}
	return Extent{r.group.Pos(), r.group.End()}
}

var (
	argumentsLine     = lazyregexp.Regexp{Text: `^(?:The )?(?i:args|arguments|params|parameters|inputs?)(?: are)?:$|^(?:(?:It )?(?i:takes|expects|accepts)|Where|With):$`}
	resultLine        = lazyregexp.Regexp{Text: `^(?:Returns?|Results?|Outputs?):$`}
	resultText        = lazyregexp.Regexp{Text: `(?s)^Returns?:[ \t\n]+(.*)$`}
	headingOnly       = lazyregexp.Regexp{Text: `^\p{Lu}\S*(?: \S+){0,3}:$`}
	untilLastSentence = lazyregexp.Regexp{Text: `(?s)^(?:.*(?:[.!?][ \t]|\n))?`}
)

// hasOtherHeading reports whether the next block follows a heading that does not announce arguments or
// results. A short line that ends with a colon counts as a heading.
func (r *commentReader) hasOtherHeading() bool {
	if before, line := r.splitLastLine(); strings.HasSuffix(line, ":") {
		before = strings.TrimSpace(before)
		separate := before == "" && len(r.prose) > 1 || before != "" && strings.Contains(".!?:", before[len(before)-1:])
		return separate && headingOnly.Get().MatchString(line) && !announcesParameters(line)
	}
	for _, block := range slices.Backward(r.prose) {
		if heading, ok := block.(*comment.Heading); ok {
			return !announcesParameters(headingLine(heading))
		}
	}
	return false
}

// announcesParameters reports whether a line announces arguments or results.
func announcesParameters(line string) bool {
	return argumentsLine.Get().MatchString(line) || resultLine.Get().MatchString(line)
}

// headingLine returns a heading with a colon at its end.
func headingLine(heading *comment.Heading) string {
	return strings.TrimSuffix(joinBlocks([]comment.Block{&comment.Paragraph{Text: heading.Text}}), ":") + ":"
}

// readCode reads indented lines below a line such as "Args:" or "Returns:".
func (r *commentReader) readCode(code *comment.Code) {
	text := strings.TrimRight(code.Text, "\n")
	switch _, heading := r.splitLastLine(); {
	case argumentsLine.Get().MatchString(heading):
		if others, ok := r.readDescriptions(joinLines(text)); ok && len(others) == 0 {
			r.cutHeading()
			return
		}
	case resultLine.Get().MatchString(heading):
		if _, ok := r.readDescriptions(joinLines(text)); ok {
			r.cutHeading()
			return
		}
		if r.onlyResult {
			r.doc.Result = strings.Join(strings.Fields(text), " ")
			r.cutHeading()
			return
		}
	}
	r.prose = append(r.prose, code)
}

// joinLines returns the lines of a text. Indented lines continue the line before.
func joinLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		isContinuation := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		switch line = strings.TrimSpace(line); {
		case line == "":
		case isContinuation && len(lines) > 0:
			lines[len(lines)-1] += " " + line
		default:
			lines = append(lines, line)
		}
	}
	return lines
}

// readParagraph reads a description of the result from a paragraph that starts with
// "Returns:". Other paragraphs are prose.
func (r *commentReader) readParagraph(p *comment.Paragraph) {
	if m := resultText.Get().FindStringSubmatch(joinBlocks([]comment.Block{p})); m != nil && r.onlyResult && r.doc.Result == "" {
		r.doc.Result = m[1]
		return
	}
	if p = r.cutParameterLines(p); len(p.Text) > 0 {
		r.prose = append(r.prose, p)
	}
}

// cutParameterLines reads the lines "name: text" at the end of a paragraph, if each begins with the
// name of a parameter as Go spells it, and returns the lines before them.
func (r *commentReader) cutParameterLines(p *comment.Paragraph) *comment.Paragraph {
	if len(p.Text) != 1 {
		return p
	}
	plain, ok := p.Text[0].(comment.Plain)
	if !ok {
		return p
	}
	lines := strings.Split(string(plain), "\n")
	start := len(lines)
	for start > 0 {
		m := describedParameter.Get().FindStringSubmatch(lines[start-1])
		if m == nil || !r.names[m[1]] || m[2] == "" {
			break
		}
		start--
	}
	if start == len(lines) {
		return p
	}
	if _, ok := r.readDescriptions(lines[start:]); !ok || start == 0 {
		return &comment.Paragraph{}
	}
	return &comment.Paragraph{Text: []comment.Text{comment.Plain(strings.Join(lines[:start], "\n"))}}
}

// splitLastLine splits the last paragraph of the prose before its last sentence or line.
func (r *commentReader) splitLastLine() (before, line string) {
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
	before = untilLastSentence.Get().FindString(string(plain))
	return before, string(plain[len(before):])
}

// cutHeading removes a line such as "Arguments:" from the end of the prose, and replaces
// the colon of another last line by a period.
func (r *commentReader) cutHeading() {
	if len(r.prose) == 0 {
		return
	}
	last := len(r.prose) - 1
	if heading, ok := r.prose[last].(*comment.Heading); ok {
		if announcesParameters(headingLine(heading)) {
			r.prose = r.prose[:last]
		}
		return
	}
	plain, line := r.splitLastLine()
	if !strings.HasSuffix(line, ":") {
		return
	}
	p := *r.prose[last].(*comment.Paragraph)
	if announcesParameters(line) {
		plain = strings.TrimRight(plain, " \t\n")
	} else {
		plain += strings.TrimSuffix(line, ":") + "."
	}
	p.Text = append(slices.Clone(p.Text[:len(p.Text)-1]), comment.Plain(plain))
	if r.prose[last] = &p; strings.TrimSpace(joinBlocks(r.prose[last:])) == "" {
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

// hasSingleResult reports whether a function has one result in addition to a possible final
// error.
func hasSingleResult(t *ast.FuncType) bool {
	n := t.Results.NumFields()
	if n == 0 {
		return false
	}
	if last, ok := t.Results.List[len(t.Results.List)-1].Type.(*ast.Ident); ok && last.Name == "error" {
		n--
	}
	return n == 1
}

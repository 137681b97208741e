package aion

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// A branch is a part of a document as the formatter sees it: a line with a text,
// or a line that opens a bracket, and the branches up to the closing one.
type branch struct {
	span     diag.Span // in the source, to find the place of comments; zero if it was made in Go
	head     string    // what stands before the text or bracket: `name --> `
	text     *Text     // nil in front of a block without a name
	unsaid   bool      // the text is of a note, and does not say what that says
	brackets string    // "{}" or "[]", or empty
	children []*branch // in canonical order
	apart    bool      // a blank line stands before it

	lead  []remark // on lines of their own, before the branch
	trail []remark // at the end of its last line
	tail  []remark // before the closing bracket
}

// A remark is a comment as the formatter sees it.
type remark struct {
	Comment
	apart bool // a blank line stands before it
}

// tree returns the whole file as a branch without brackets, around the array.
func tree(doc *Document) *branch {
	array := &branch{span: doc.Span, brackets: "[]"}
	for _, e := range doc.Elements {
		array.add(elementBranch(e))
	}
	array.locate(doc.Span.File)
	at := 0 // prompts without a place come first
	for _, prompt := range promptBranches(doc) {
		if prompt.locate(doc.Span.File); prompt.span.Start.IsValid() {
			at = array.behind(prompt.span)
		}
		array.children = slices.Insert(array.children, at, prompt)
		at++
	}
	return &branch{children: []*branch{array}}
}

// promptBranches returns the properties of the array, in the order of the source.
func promptBranches(doc *Document) (prompts []*branch) {
	if doc.SystemPrompt != nil {
		prompts = append(prompts, leaf("system_prompt", *doc.SystemPrompt))
	}
	if doc.WrappedQuery != nil {
		prompts = append(prompts, leaf("wrapped_query", *doc.WrappedQuery))
	}
	if doc.Rules != nil {
		rules := &branch{span: join(doc.Rules.Key, doc.Rules.Span), head: "rules" + arrow, brackets: "[]"}
		for i := range doc.Rules.Texts {
			rules.add(&branch{span: doc.Rules.Texts[i].Span, text: &doc.Rules.Texts[i]})
		}
		prompts = append(prompts, rules)
	}
	slices.SortStableFunc(prompts, bySpan)
	return prompts
}

func bySpan(x, y *branch) int { return cmp.Compare(x.span.Start.Offset, y.span.Start.Offset) }

// behind returns the index behind the last child that stands before a place in the
// source. Children may stand in another order than there.
func (b *branch) behind(at diag.Span) int {
	for i, child := range slices.Backward(b.children) {
		if child.span.Start.IsValid() && child.span.Start.Offset < at.Start.Offset {
			return i + 1
		}
	}
	return 0
}

// locate forgets the places of what does not stand in a file.
func (b *branch) locate(file string) {
	if b.span.File != file || !b.span.Start.IsValid() || !b.span.End.IsValid() {
		b.span = diag.Span{}
	}
	for _, child := range b.children {
		child.locate(file)
	}
}

// elementBranch returns an element with its properties in canonical order.
func elementBranch(e *Element) *branch {
	b := &branch{span: e.Span, brackets: "{}"}
	b.add(leaf("name", e.Name))
	if f := e.Function; f != nil {
		function := leaf("function", f.Text)
		function.span, function.brackets = join(f.Text.Key, f.Block), "{}"
		function.addEntries(f.Args)
		function.addEntries(f.Returns)
		b.add(function)
	}
	if s := e.Schema; s != nil && s.Name != nil {
		b.add(leaf("args_schema", *s.Name))
	} else if s != nil {
		schema := &branch{span: join(s.Key, s.Span), head: "args_schema" + arrow, brackets: "{}"}
		schema.addEntries(s.Fields)
		b.add(schema)
	}
	if e.Link != nil {
		b.add(leaf("link", e.Link.asLink()))
	}
	if e.Description != nil {
		b.add(leaf("description", *e.Description))
	}
	return b
}

// asLink is the text of a link as it is written: with the Markdown around it, if the
// file has that and the URL is still the same.
func (t *Text) asLink() Text {
	link := *t
	if written := strings.Trim(textValue(t.raw), " \t\r\n"); unwrapMarkdown(written) == t.Value {
		link.Value = written
	}
	return link
}

func leaf(name string, text Text) *branch {
	return &branch{span: join(text.Key, text.Span), head: name + arrow, text: &text}
}

// join is the span from one to another, which may be new.
func join(first, last diag.Span) diag.Span {
	if last.End.IsValid() {
		first.End = last.End
	}
	return first
}

func (b *branch) add(child *branch) { b.children = append(b.children, child) }

func (b *branch) addEntries(entries []Entry) {
	for i := range entries {
		text, ok := entries[i].Note.text()
		text.Key = entries[i].Name.Span
		entry := leaf(entries[i].Name.Value, text)
		entry.unsaid = !ok
		b.add(entry)
	}
}

// attach gives comments inside a branch to the child that they are about: the
// one in front of them on the same line, else the next. Children and comments that a
// blank line separates from what is before them stay apart.
func (b *branch) attach(comments []remark) {
	children := slices.Clone(b.children)
	slices.SortStableFunc(children, bySpan)
	p := place{branch: b}
	for _, child := range children {
		if !child.span.Start.IsValid() {
			continue
		}
		comments = p.between(child, comments)
		child.apart = p.isApart(child.span)
		n := 0
		for n < len(comments) && comments[n].Span.Start.Offset < child.span.End.Offset {
			n++
		}
		if inside := comments[:n]; child.brackets != "" {
			child.attach(inside)
		} else if n > 0 {
			inside[0].apart, child.apart = child.apart, false
			child.lead = append(child.lead, inside...)
		}
		p.last, p.line = child, child.span.End.Line
		comments = comments[n:]
	}
	p.between(nil, comments)
}

// A place is one between the children of a branch, in the order of the source.
type place struct {
	*branch
	last *branch // the child before it, if any
	line int     // on which that or the comment before it ends, or 0
}

func (p *place) isApart(at diag.Span) bool { return p.line > 0 && at.Start.Line > p.line+1 }

// between attaches the comments in front of the next child, nil for none, and
// returns those that are left.
func (p *place) between(next *branch, comments []remark) []remark {
	for i, c := range comments {
		if next != nil && c.Span.Start.Offset >= next.span.Start.Offset {
			return comments[i:]
		}
		c.apart = p.isApart(c.Span)
		p.line = c.Span.Start.Line
		switch {
		case p.last != nil && c.Span.Start.Line == p.last.span.End.Line:
			p.last.trail = append(p.last.trail, c)
		case next != nil:
			next.lead = append(next.lead, c)
		default:
			p.tail = append(p.tail, c)
		}
	}
	return nil
}

// remarks are the comments of a document in order. One without a place, as it is made
// in Go, stands on the line behind the one before it, the first at the head of the file.
func remarks(doc *Document) []remark {
	var all []remark
	var at diag.Span
	for _, c := range doc.Comments {
		if c.Span.Start.IsValid() {
			at = c.Span
		} else {
			at.Start.Line++
			c.Span = at
		}
		all = append(all, remark{Comment: c})
	}
	return all
}

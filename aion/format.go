package aion

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/aion/diag"
)

// A FormatError says why Format refuses a document.
type FormatError struct {
	Span    diag.Span // of what cannot be written; without a place in a document made in Go
	Message string
}

// Error is the place, if there is one, and the reason.
func (e *FormatError) Error() string {
	if place := e.Span.String(); place != "" {
		return place + ": " + e.Message
	}
	return e.Message
}

// Format returns the text of a document in canonical form, with its comments.
// Parsing that text yields the same document, and formatting it again the same
// text.
//
// The document may be made in Go. It needs no spans then, and a note may have
// parts instead of a text. The error is a FormatError, for a document with
// faults, since it may lack something; for a text that neither a string nor a
// text block can hold; and for what Parse would report.
func Format(doc *Document) ([]byte, error) {
	if doc.Faulty {
		return nil, &FormatError{diag.Span{File: doc.Name}, "the document has faults"}
	}
	file := tree(doc)
	file.attach(doc.Comments)
	p := formatter{}
	p.inside(file, "")
	if p.err != nil {
		return nil, p.err
	}
	switch again, list := Parse(doc.Name, p.out.Bytes()); {
	case list.Err() != nil:
		return nil, &FormatError{diag.Span{File: doc.Name}, "written down, the document has faults: " + list.Err().Error()}
	case !slices.Equal(outline(doc), outline(again)):
		return nil, &FormatError{diag.Span{File: doc.Name}, "written down, the document would be another one"}
	}
	return p.out.Bytes(), nil
}

// outline is what a document says, in order, without places and comments.
func outline(doc *Document) (all []string) {
	add := func(what string, text *Text) {
		if text != nil {
			all = append(all, what, text.Value)
		}
	}
	entries := func(what string, entries []Entry) {
		all = append(all, what)
		for i := range entries {
			add(entries[i].Name.Value, entries[i].Note.text())
		}
	}
	add("system_prompt", doc.SystemPrompt)
	add("wrapped_query", doc.WrappedQuery)
	if doc.Rules != nil {
		all = append(all, "rules")
		for i := range doc.Rules.Texts {
			add("rule", &doc.Rules.Texts[i])
		}
	}
	for _, e := range doc.Elements {
		add("name", &e.Name)
		add("description", e.Description)
		add("link", e.Link)
		if e.Function != nil {
			add("function", &e.Function.Text)
			entries("arguments", e.Function.Args)
			entries("returns", e.Function.Returns)
		}
		if e.Schema != nil {
			add("args_schema", e.Schema.Name)
			entries("fields", e.Schema.Fields)
		}
	}
	return all
}

// A branch is a part of a document as the formatter sees it: a line with a text,
// or a line that opens a bracket, and the branches up to the closing one.
type branch struct {
	span     diag.Span // in the source, to find the place of comments
	head     string    // what stands before the text or bracket: `name --> `
	text     *Text     // nil in front of a block without a name
	note     *Note     // that the text is of, if any
	brackets string    // "{}" or "[]", or empty
	children []*branch // in source order
	order    []*branch // the same in canonical order

	lead  []Comment // on lines of their own, before the branch
	trail []Comment // at the end of its last line
	tail  []Comment // before the closing bracket
}

// tree returns the whole file as a branch without brackets, around the array.
func tree(doc *Document) *branch {
	array := &branch{span: doc.Span, brackets: "[]"}
	if doc.SystemPrompt != nil {
		array.add(leaf("system_prompt", doc.SystemPrompt))
	}
	if doc.WrappedQuery != nil {
		array.add(leaf("wrapped_query", doc.WrappedQuery))
	}
	if doc.Rules != nil {
		rules := &branch{span: join(doc.Rules.Key, doc.Rules.Span), head: "rules" + arrow, brackets: "[]"}
		for i := range doc.Rules.Texts {
			rules.add(&branch{span: doc.Rules.Texts[i].Span, text: &doc.Rules.Texts[i]})
		}
		array.add(rules.sorted())
	}
	for _, e := range doc.Elements {
		array.add(elementBranch(e))
	}
	array.sorted().order = array.children // prompts and elements stay where they are
	file := &branch{}
	file.add(array)
	return file.sorted()
}

// elementBranch returns an element with its properties in canonical order.
func elementBranch(e *Element) *branch {
	b := &branch{span: e.Span, brackets: "{}"}
	b.add(leaf("name", &e.Name))
	if f := e.Function; f != nil {
		function := leaf("function", &f.Text)
		function.span, function.brackets = join(f.Text.Key, f.Block), "{}"
		function.addEntries(f.Args)
		function.addEntries(f.Returns)
		b.add(function.sorted())
	}
	if s := e.Schema; s != nil && s.Name != nil {
		b.add(leaf("args_schema", s.Name))
	} else if s != nil {
		schema := &branch{span: join(s.Key, s.Span), head: "args_schema" + arrow, brackets: "{}"}
		schema.addEntries(s.Fields)
		b.add(schema.sorted())
	}
	if e.Link != nil {
		b.add(leaf("link", e.Link))
	}
	if e.Description != nil {
		b.add(leaf("description", e.Description))
	}
	return b.sorted()
}

func leaf(name string, text *Text) *branch {
	return &branch{span: join(text.Key, text.Span), head: name + arrow, text: text}
}

func join(first, last diag.Span) diag.Span {
	first.End = last.End
	return first
}

func (b *branch) add(child *branch) { b.order = append(b.order, child) }

func (b *branch) addEntries(entries []Entry) {
	for i := range entries {
		entry := leaf(entries[i].Name.Value, entries[i].Note.text())
		entry.note = &entries[i].Note
		b.add(entry)
	}
}

// sorted completes a branch whose children were added in canonical order.
func (b *branch) sorted() *branch {
	b.children = slices.Clone(b.order)
	slices.SortStableFunc(b.children, func(x, y *branch) int {
		return cmp.Compare(x.span.Start.Offset, y.span.Start.Offset)
	})
	return b
}

// attach gives comments inside a branch to the child that they are about: the
// one in front of them on the same line, else the next.
func (b *branch) attach(comments []Comment) {
	var last *branch
	for _, child := range b.children {
		comments = b.between(last, child, comments)
		n := 0
		for n < len(comments) && comments[n].Span.Start.Offset < child.span.End.Offset {
			n++
		}
		if child.brackets != "" {
			child.attach(comments[:n])
		} else {
			child.lead = append(child.lead, comments[:n]...)
		}
		comments, last = comments[n:], child
	}
	b.between(last, nil, comments)
}

// between attaches the comments behind a child and before the next, nil for
// none, and returns those that are left.
func (b *branch) between(last, next *branch, comments []Comment) []Comment {
	for i, c := range comments {
		switch {
		case next != nil && c.Span.Start.Offset >= next.span.Start.Offset:
			return comments[i:]
		case last != nil && c.Span.Start.Line == last.span.End.Line:
			last.trail = append(last.trail, c)
		case next != nil:
			next.lead = append(next.lead, c)
		default:
			b.tail = append(b.tail, c)
		}
	}
	return nil
}

const arrow = " --> "

// A formatter writes branches. It keeps the first error.
type formatter struct {
	out bytes.Buffer
	err error
}

// inside writes the children of a branch, and the comments behind them.
func (p *formatter) inside(b *branch, indent string) {
	for i, child := range b.order {
		for _, c := range child.lead {
			p.comment(indent, c)
			p.out.WriteByte('\n')
		}
		p.branch(child, indent)
		if i+1 < len(b.order) {
			p.out.WriteByte(',')
		}
		for _, c := range child.trail {
			p.comment(" ", c)
		}
		p.out.WriteByte('\n')
	}
	for _, c := range b.tail {
		p.comment(indent, c)
		p.out.WriteByte('\n')
	}
}

// branch writes a branch without its comma and comments.
func (p *formatter) branch(b *branch, indent string) {
	if name, ok := strings.CutSuffix(b.head, arrow); ok && (name == "" || identWidth(name) != len(name)) {
		p.refuse(b.span, "%q is not a name", name)
	}
	if b.note != nil && b.note.misread() {
		p.refuse(b.span, "the note cannot be written: %q says something else", b.note.text().Value)
	}
	p.out.WriteString(indent + b.head)
	if b.text != nil {
		p.text(b.text, indent)
		if b.brackets != "" {
			p.out.WriteString(arrow)
		}
	}
	switch {
	case b.brackets == "":
	case len(b.order) == 0 && len(b.tail) == 0:
		p.out.WriteString(b.brackets)
	default:
		p.out.WriteString(b.brackets[:1] + "\n")
		p.inside(b, indent+"  ")
		p.out.WriteString(indent + b.brackets[1:])
	}
}

func (p *formatter) refuse(at diag.Span, format string, args ...any) {
	if p.err == nil {
		p.err = &FormatError{at, fmt.Sprintf(format, args...)}
	}
}

func (p *formatter) comment(before string, c Comment) {
	if !strings.HasPrefix(c.Text, "//") || strings.Contains(c.Text, "\n") {
		p.refuse(c.Span, "%q is not a comment", c.Text)
	}
	p.out.WriteString(before + strings.TrimRight(c.Text, " \t\r"))
}

// longestString is the number of columns up to which a text stays a string.
const longestString = 100

// text writes a text as a string or, where that reads better, as a text block.
func (p *formatter) text(t *Text, indent string) {
	long := utf8.RuneCountInString(t.Value) > longestString
	if long || strings.ContainsAny(t.Value, "\"\n") {
		block := textBlock(t.Value, indent)
		if !strings.Contains(t.Value, blockQuote) && textValue(block) == t.Value {
			p.out.WriteString(block)
			return
		}
	}
	str := stringQuote + t.Value + stringQuote
	if strings.Contains(t.Value, stringQuote) || textValue(str) != t.Value {
		p.refuse(t.Span, "neither a string nor a text block can hold the text %q", t.Value)
	}
	p.out.WriteString(str)
}

// textBlock is a text block whose lines are indented one level deeper than the
// property that it belongs to.
func textBlock(value, indent string) string {
	var b strings.Builder
	b.WriteString(blockQuote + "\n")
	for line := range strings.SplitSeq(value, "\n") {
		if line != "" {
			b.WriteString(indent + "  " + line)
		}
		b.WriteByte('\n')
	}
	b.WriteString(indent + blockQuote)
	return b.String()
}

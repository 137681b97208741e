package aion

import (
	"bytes"
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
// The document may be made or changed in Go; what is new needs no spans. Elements
// are written in the order of their slice, and comments where they were, the new
// ones behind those before them. The error is a FormatError, for a document with
// faults, since it may lack something; for a text that neither a string nor a
// text block can hold; and for what Parse would report.
func Format(doc *Document) ([]byte, error) {
	switch {
	case doc == nil:
		return nil, &FormatError{Message: "there is no document"}
	case doc.Faulty:
		return nil, &FormatError{diag.Span{File: doc.Name}, "the document has faults"}
	case slices.Contains(doc.Elements, nil):
		return nil, &FormatError{diag.Span{File: doc.Name}, "the document has an element that is nil"}
	}
	file := tree(doc)
	file.attach(remarks(doc))
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
			text, _ := entries[i].Note.text()
			add(entries[i].Name.Value, &text)
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

const arrow = " --> "

// A formatter writes branches. It keeps the first error.
type formatter struct {
	out bytes.Buffer
	err error
}

// inside writes the children of a branch, and the comments behind them. One blank
// line between them stays, but none at the start.
func (p *formatter) inside(b *branch, indent string) {
	start := p.out.Len()
	blank := func(apart bool) {
		if apart && p.out.Len() > start {
			p.out.WriteByte('\n')
		}
	}
	for i, child := range b.children {
		for _, c := range child.lead {
			blank(c.apart)
			p.comment(indent, c)
			p.out.WriteByte('\n')
		}
		blank(child.apart)
		p.branch(child, indent)
		if i+1 < len(b.children) {
			p.out.WriteByte(',')
		}
		for _, c := range child.trail {
			p.comment(" ", c)
		}
		p.out.WriteByte('\n')
	}
	for _, c := range b.tail {
		blank(c.apart)
		p.comment(indent, c)
		p.out.WriteByte('\n')
	}
}

// branch writes a branch without its comma and comments.
func (p *formatter) branch(b *branch, indent string) {
	if name, ok := strings.CutSuffix(b.head, arrow); ok && (name == "" || identWidth(name) != len(name)) {
		p.refuse(b.span, "%q is not a name", name)
	}
	if b.unsaid {
		p.refuse(b.span, "the note cannot be written: %q says something else", b.text.Value)
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
	case len(b.children) == 0 && len(b.tail) == 0:
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

func (p *formatter) comment(before string, c remark) {
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

package aion

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// A branch is a node of the tree that Format writes: a line with a text, a pair of brackets with
// the children between them, or both.
type branch struct {
	span         diag.Span // in the source, to place comments; zero if it was created in Go
	head         string    // the name and the arrow before the text or bracket; empty without a name
	text         *Text     // nil if the branch has only brackets
	list         string    // the list of entries that it belongs to, such as "arguments"; empty if it is not an entry
	otherMeaning bool      // parsing the text would not yield the note that it was written for
	brackets     string    // "{}" or "[]", or empty
	children     []*branch // in canonical order

	blankBefore bool     // a blank line comes before the branch
	lead        []remark // comments on lines of their own, before the branch
	trail       []remark // comments at the end of its last line
	tail        []remark // comments before the closing bracket
}

// A remark is a comment with its position relative to blank lines.
type remark struct {
	Comment
	blankBefore bool // a blank line comes before the comment
}

// arrow separates a name from its value.
const arrow = " --> "

// arrayBranch returns the branch of the array with its elements.
func arrayBranch(doc *Document) *branch {
	array := &branch{span: doc.Span, brackets: "[]"}
	for _, e := range doc.Elements {
		addChild(array, elementBranch(e))
	}
	return array
}

// promptBranches returns the branches of the prompts.
func promptBranches(doc *Document) (prompts []*branch) {
	if doc.SystemPrompt != nil {
		prompts = append(prompts, newLeaf("system_prompt", *doc.SystemPrompt))
	}
	if doc.WrappedQuery != nil {
		prompts = append(prompts, newLeaf("wrapped_query", *doc.WrappedQuery))
	}
	if doc.Rules != nil {
		rules := &branch{span: joinSpans(doc.Rules.Key, doc.Rules.Span), head: "rules" + arrow, brackets: "[]"}
		for _, rule := range doc.Rules.Texts {
			addChild(rules, &branch{span: rule.Span, text: &rule})
		}
		prompts = append(prompts, rules)
	}
	return prompts
}

// elementBranch returns the branch of an element with its properties in canonical order.
func elementBranch(e *Element) *branch {
	b := &branch{span: e.Span, brackets: "{}"}
	addChild(b, newLeaf("name", e.Name))
	if f := e.Function; f != nil {
		function := newLeaf("function", f.Text)
		function.span, function.brackets = joinSpans(f.Text.Key, f.Block), "{}"
		addEntries(function, "arguments", f.Args)
		addEntries(function, "results", f.Returns)
		addEntries(function, "paths", f.Paths)
		addChild(b, function)
	}
	if s := e.Schema; s != nil {
		schema := &branch{span: joinSpans(s.Key, s.Span), head: "args_schema" + arrow, brackets: "{}"}
		if s.Name != nil { // it is written without fields
			schema = newLeaf("args_schema", *s.Name)
		}
		addEntries(schema, "fields", s.Fields)
		addEntries(schema, "paths", s.Paths)
		addChild(b, schema)
	}
	if e.Link != nil {
		addChild(b, newLeaf("link", asLink(*e.Link)))
	}
	if e.Description != nil {
		addChild(b, newLeaf("description", *e.Description))
	}
	return b
}

// asLink returns the text to write for a link: the URL, or the Markdown link in the source if its URL
// has not changed.
func asLink(link Text) Text {
	if written := strings.Trim(syntax.TextValue(link.raw), " \t\r\n"); unwrapMarkdown(written) == link.Value {
		link.Value = written
	}
	return link
}

func newLeaf(name string, text Text) *branch {
	return &branch{span: joinSpans(text.Key, text.Span), head: name + arrow, text: &text}
}

// joinSpans returns the span from the start of first to the end of last, or first if last has
// no position.
func joinSpans(first, last diag.Span) diag.Span {
	if last.End.IsValid() {
		first.End = last.End
	}
	return first
}

func addChild(b, child *branch) { b.children = append(b.children, child) }

func addEntries(b *branch, list string, entries []Entry) {
	for i := range entries {
		text, ok := entries[i].Note.text()
		text.Key = entries[i].Name.Span
		entry := newLeaf(entries[i].Name.Value, text)
		entry.list, entry.otherMeaning = list, !ok
		addChild(b, entry)
	}
}

// sameContent reports whether two branches differ at most in positions and comments.
func sameContent(x, y *branch) bool {
	return x.head == y.head && x.list == y.list && x.brackets == y.brackets && (x.text == nil) == (y.text == nil) &&
		(x.text == nil || x.text.Value == y.text.Value) && slices.EqualFunc(x.children, y.children, sameContent)
}

func compareSpans(x, y *branch) int { return cmp.Compare(x.span.Start.Offset, y.span.Start.Offset) }

// indexAfter returns the index after the last child that starts before a span of the source. The
// order of the children may differ from that in the source.
func (b *branch) indexAfter(span diag.Span) int {
	for i, child := range slices.Backward(b.children) {
		if child.span.Start.IsValid() && child.span.Start.Offset < span.Start.Offset {
			return i + 1
		}
	}
	return 0
}

// clearSpans clears the spans of branches that do not come from the file.
func (b *branch) clearSpans(file string) {
	if b.span.File != file || !b.span.Start.IsValid() || !b.span.End.IsValid() {
		b.span = diag.Span{}
	}
	for _, child := range b.children {
		child.clearSpans(file)
	}
}

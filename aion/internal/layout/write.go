package layout

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// Write returns the text of a file: the array with its branches. It inserts the branches of aside
// at their positions in the source, and those without a position at the beginning. Write keeps
// the comments of the source.
func Write(file string, array *Branch, aside []*Branch, comments []syntax.Comment) ([]byte, *Refusal) {
	array.clearSpans(file)
	slices.SortStableFunc(aside, compareSpans)
	at := 0
	for _, b := range aside {
		if b.clearSpans(file); b.Span.Start.IsValid() {
			at = array.indexAfter(b.Span)
		}
		array.Children = slices.Insert(array.Children, at, b)
		at++
	}
	root := &Branch{Children: []*Branch{array}}
	root.attachComments(orderComments(comments))
	p := printer{}
	p.writeChildren(root, "")
	return p.out.Bytes(), p.refusal
}

// A Refusal describes what cannot be written.
type Refusal struct {
	Span    diag.Span // zero if it was created in Go
	Message string
}

// A printer writes branches and remembers the first refusal.
type printer struct {
	out     bytes.Buffer
	refusal *Refusal
}

// writeChildren writes the children of a branch and the comments after them. It keeps at
// most one blank line between them, and none at the start.
func (p *printer) writeChildren(b *Branch, indent string) {
	start := p.out.Len()
	blank := func(apart bool) {
		if apart && p.out.Len() > start {
			p.out.WriteByte('\n')
		}
	}
	for i, child := range b.Children {
		for _, c := range child.lead {
			blank(c.apart)
			p.writeComment(indent, c)
			p.out.WriteByte('\n')
		}
		blank(child.apart)
		p.writeBranch(child, indent)
		if i+1 < len(b.Children) {
			p.out.WriteByte(',')
		}
		for _, c := range child.trail {
			p.writeComment(" ", c)
		}
		p.out.WriteByte('\n')
	}
	for _, c := range b.tail {
		blank(c.apart)
		p.writeComment(indent, c)
		p.out.WriteByte('\n')
	}
}

// writeBranch writes a branch without its comma and comments.
func (p *printer) writeBranch(b *Branch, indent string) {
	if name, ok := strings.CutSuffix(b.Head, arrow); ok && !syntax.IsKey(name) {
		p.refusef(b.Span, "%q is not a name", name)
	}
	if b.OtherMeaning {
		p.refusef(b.Span, "the note cannot be written: %q would be read with another meaning", b.Text.Value)
	}
	p.out.WriteString(indent + b.Head)
	if b.Text != nil {
		p.writeText(b.Text, indent)
		if b.Brackets != "" {
			p.out.WriteString(arrow)
		}
	}
	switch {
	case b.Brackets == "":
	case len(b.Children) == 0 && len(b.tail) == 0:
		p.out.WriteString(b.Brackets)
	default:
		p.out.WriteString(b.Brackets[:1] + "\n")
		p.writeChildren(b, indent+"  ")
		p.out.WriteString(indent + b.Brackets[1:])
	}
}

func (p *printer) refusef(at diag.Span, format string, args ...any) {
	if p.refusal == nil {
		p.refusal = &Refusal{at, fmt.Sprintf(format, args...)}
	}
}

func (p *printer) writeComment(before string, c remark) {
	if !strings.HasPrefix(c.Text, "//") || strings.Contains(c.Text, "\n") {
		p.refusef(c.Span, "%q is not a comment", c.Text)
	}
	p.out.WriteString(before + strings.TrimRight(c.Text, " \t\r"))
}

// longestString is the length in columns up to which a text is written as a string.
const longestString = 100

// writeText writes a text as a string or, if that is easier to read, as a text block.
func (p *printer) writeText(t *Text, indent string) {
	long := utf8.RuneCountInString(t.Value) > longestString
	if long || strings.ContainsAny(t.Value, "\"\n") {
		block := textBlock(t.Value, indent)
		if !strings.Contains(t.Value, syntax.BlockQuote) && syntax.TextValue(block) == t.Value {
			p.out.WriteString(block)
			return
		}
	}
	str := syntax.StringQuote + t.Value + syntax.StringQuote
	if strings.Contains(t.Value, syntax.StringQuote) || syntax.TextValue(str) != t.Value {
		p.refusef(t.Span, "neither a string nor a text block can hold the text %q", t.Value)
	}
	p.out.WriteString(str)
}

// textBlock returns a text block. Its lines are indented one level deeper than the
// property that it belongs to.
func textBlock(value, indent string) string {
	var b strings.Builder
	b.WriteString(syntax.BlockQuote + "\n")
	for line := range strings.SplitSeq(value, "\n") {
		if line != "" {
			b.WriteString(indent + "  " + line)
		}
		b.WriteByte('\n')
	}
	b.WriteString(indent + syntax.BlockQuote)
	return b.String()
}

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

// Write returns the text of a file: the branches in an array, and those aside, which
// stand among them where they did in the source, or at the head if they are new. It
// keeps the comments of the source.
func Write(file string, array *Branch, aside []*Branch, comments []syntax.Comment) ([]byte, *Refusal) {
	array.locate(file)
	slices.SortStableFunc(aside, bySpan)
	at := 0
	for _, b := range aside {
		if b.locate(file); b.Span.Start.IsValid() {
			at = array.behind(b.Span)
		}
		array.Children = slices.Insert(array.Children, at, b)
		at++
	}
	root := &Branch{Children: []*Branch{array}}
	root.attach(remarks(comments))
	p := printer{}
	p.inside(root, "")
	return p.out.Bytes(), p.refused
}

// A Refusal says what cannot be written.
type Refusal struct {
	Span    diag.Span // zero if it was made in Go
	Message string
}

// A printer writes branches. It keeps the first refusal.
type printer struct {
	out     bytes.Buffer
	refused *Refusal
}

// inside writes the children of a branch, and the comments behind them. One blank
// line between them stays, but none at the start.
func (p *printer) inside(b *Branch, indent string) {
	start := p.out.Len()
	blank := func(apart bool) {
		if apart && p.out.Len() > start {
			p.out.WriteByte('\n')
		}
	}
	for i, child := range b.Children {
		for _, c := range child.lead {
			blank(c.apart)
			p.comment(indent, c)
			p.out.WriteByte('\n')
		}
		blank(child.apart)
		p.branch(child, indent)
		if i+1 < len(b.Children) {
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
func (p *printer) branch(b *Branch, indent string) {
	if name, ok := strings.CutSuffix(b.Head, arrow); ok && !syntax.IsName(name) {
		p.refuse(b.Span, "%q is not a name", name)
	}
	if b.Unsaid {
		p.refuse(b.Span, "the note cannot be written: %q says something else", b.Text.Value)
	}
	p.out.WriteString(indent + b.Head)
	if b.Text != nil {
		p.text(b.Text, indent)
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
		p.inside(b, indent+"  ")
		p.out.WriteString(indent + b.Brackets[1:])
	}
}

func (p *printer) refuse(at diag.Span, format string, args ...any) {
	if p.refused == nil {
		p.refused = &Refusal{at, fmt.Sprintf(format, args...)}
	}
}

func (p *printer) comment(before string, c remark) {
	if !strings.HasPrefix(c.Text, "//") || strings.Contains(c.Text, "\n") {
		p.refuse(c.Span, "%q is not a comment", c.Text)
	}
	p.out.WriteString(before + strings.TrimRight(c.Text, " \t\r"))
}

// longestString is the number of columns up to which a text stays a string.
const longestString = 100

// text writes a text as a string or, where that reads better, as a text block.
func (p *printer) text(t *Text, indent string) {
	long := utf8.RuneCountInString(t.Value) > longestString
	if long || strings.ContainsAny(t.Value, "\"\n") {
		block := textBlock(t.Value, indent)
		if !strings.Contains(t.Value, syntax.BlockQuote) && syntax.Value(block) == t.Value {
			p.out.WriteString(block)
			return
		}
	}
	str := syntax.StringQuote + t.Value + syntax.StringQuote
	if strings.Contains(t.Value, syntax.StringQuote) || syntax.Value(str) != t.Value {
		p.refuse(t.Span, "neither a string nor a text block can hold the text %q", t.Value)
	}
	p.out.WriteString(str)
}

// textBlock is a text block whose lines are indented one level deeper than the
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

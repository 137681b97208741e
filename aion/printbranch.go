package aion

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// printBranches returns the text of a file. It inserts the prompts into the array at their
// positions in the source, or at the beginning if they have no position. It keeps the comments.
func printBranches(file string, array *branch, prompts []*branch, comments []Comment) ([]byte, error) {
	array.clearSpans(file)
	slices.SortStableFunc(prompts, compareSpans)
	at := 0
	for _, b := range prompts {
		if b.clearSpans(file); b.span.Start.IsValid() {
			at = array.indexAfter(b.span)
		}
		array.children = slices.Insert(array.children, at, b)
		at++
	}
	root := &branch{children: []*branch{array}}
	root.attachComments(orderComments(comments))
	p := branchPrinter{}
	p.writeChildren(root, "")
	return p.out.Bytes(), p.err
}

// A branchPrinter writes branches and remembers the first error.
type branchPrinter struct {
	out bytes.Buffer
	err error
}

// writeChildren writes the children of a branch and the comments after them. It keeps at
// most one blank line between them, and none at the start.
func (p *branchPrinter) writeChildren(b *branch, indent string) {
	start := p.out.Len()
	writeBlank := func(needed bool) {
		if needed && p.out.Len() > start {
			p.out.WriteByte('\n')
		}
	}
	for i, child := range b.children {
		for _, c := range child.lead {
			writeBlank(c.blankBefore)
			p.writeComment(indent, c)
			p.out.WriteByte('\n')
		}
		writeBlank(child.blankBefore)
		p.writeBranch(child, indent)
		if i+1 < len(b.children) {
			p.out.WriteByte(',')
		}
		for _, c := range child.trail {
			p.writeComment(" ", c)
		}
		p.out.WriteByte('\n')
	}
	for _, c := range b.tail {
		writeBlank(c.blankBefore)
		p.writeComment(indent, c)
		p.out.WriteByte('\n')
	}
}

// writeBranch writes a branch without its comma and comments.
func (p *branchPrinter) writeBranch(b *branch, indent string) {
	if name, ok := strings.CutSuffix(b.head, arrow); ok && !syntax.IsKey(name) {
		p.refusef(b.span, "%q is not a name", name)
	}
	if b.otherMeaning {
		p.refusef(b.span, "the note cannot be written: %q would be read with another meaning", b.text.Value)
	}
	p.out.WriteString(indent + b.head)
	if b.text != nil {
		p.writeText(b.text, indent)
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
		p.writeChildren(b, indent+"  ")
		p.out.WriteString(indent + b.brackets[1:])
	}
}

func (p *branchPrinter) refusef(at diag.Span, format string, args ...any) {
	if p.err == nil {
		p.err = unformattable(at, fmt.Sprintf(format, args...))
	}
}

func (p *branchPrinter) writeComment(before string, c remark) {
	if !strings.HasPrefix(c.Text, "//") || strings.Contains(c.Text, "\n") {
		p.refusef(c.Span, "%q is not a comment", c.Text)
	}
	p.out.WriteString(before + strings.TrimRight(c.Text, " \t\r"))
}

// longestString limits the length, in characters, of a text that is written as a string. Longer
// texts become text blocks.
const longestString = 100

// writeText writes a text as a string or, if that is easier to read, as a text block.
func (p *branchPrinter) writeText(t *Text, indent string) {
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

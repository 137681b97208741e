// Package syntax reads the text of an .aion file into a tree of items and reports
// mistakes in punctuation.
//
// Create a Reader with Read. Get the items of the file with ReadArray, then pass them, and
// the items of blocks and lists, through CompleteItems, BlockItems and ListItems. These
// complete the items whose meaning is clear.
package syntax

import (
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// A Reader holds the items of a file and the diagnostics about them.
type Reader struct {
	*scanner
	tree   *source
	quoted map[*Token]string // the original texts of names in quotes
}

// Read splits a file into tokens and builds their tree. It reports faults of single tokens
// and of the file as a whole. A file that is not text counts as empty.
func Read(name string, src []byte) *Reader {
	r := &Reader{scanner: newScanner(name, src), tree: &source{}, quoted: map[*Token]string{}}
	if r.stopped = !r.checkText(src); r.stopped {
		return r
	}
	if !r.skipFences() && !r.skipProse() {
		r.skipDeclaration()
	}
	tree, err := parseTree(r.scanner)
	if err != nil {
		r.Errorf("too-large", diag.Span{File: name}, "too many items in one list: %v", err)
	}
	r.tree = tree
	return r
}

// ReadArray returns the items of the file's array, and its span.
func (r *Reader) ReadArray() (items []*Item, at diag.Span) {
	if len(r.tree.Parts) == 0 {
		r.reportEmptyFile()
		return nil, diag.Span{File: r.file}
	}
	a := array{Reader: r}
	for i := range r.tree.Parts {
		if r.Full() {
			break
		}
		a.addPart(&r.tree.Parts[i])
	}
	if a.first == nil { // the scanner found too many errors
		return nil, diag.Span{File: r.file}
	}
	a.checkEnd()
	return a.items, r.SpanBetween(a.first, a.last)
}

func (r *Reader) reportEmptyFile() {
	if !r.stopped {
		r.Errorf("empty-file", r.nextSpan(0), `expected "[", found the end of the file`).
			WithHelp("a file without tools is []").
			WithFix(diag.Edit{Span: r.byteSpan(len(r.src), len(r.src)), Text: r.lineBreak() + "[]\n"})
	}
}

// lineBreak returns the line break that is missing at the end of the file, if any.
func (r *Reader) lineBreak() string {
	if line := strings.Trim(r.src[r.lineStart:], " \t\ufeff"); line == "" {
		return ""
	}
	return "\n"
}

// IsReported reports whether the Reader has reported a fault of a text.
func (r *Reader) IsReported(text *Token) bool { return r.brokenTexts[text.Pos.Offset] }

// BlockItems returns the items of a block of fields or entries.
func (r *Reader) BlockItems(b *Block) []*Item {
	r.checkClosed(b.Open, b.Close, b.Items.All)
	return r.CompleteItems(b.Items.All)
}

// ListItems returns the items of a list.
func (r *Reader) ListItems(l *List) []*Item {
	items := r.CompleteItems(l.Items.All)
	r.checkClosed(l.Open, l.Close, l.Items.All)
	return items
}

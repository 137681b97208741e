// Package syntax reads the text of an .aion file into a tree of items and reports
// mistakes in punctuation. Its terms are:
//
//	[                                            // the array of the file
//	  rules --> [ "Be brief." ],                 // a property of the array, with a list
//	  {                                          // an element: a block without a name
//	    name --> "find",                         // a property: a key, an arrow and a text
//	    function --> "Find" --> { arg-1 --> "int" } // a text with an interface block
//	  }
//	]
//
// Create a Reader with Read. ReadArray returns the items of the file. Pass the items of an array
// or element to CompleteItems, a block of entries to BlockItems, and a list to ListItems. These
// methods report and correct incomplete items.
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
func (r *Reader) BlockItems(b *Group) []*Item {
	r.checkClosed(b)
	return r.CompleteItems(b.Items)
}

// ListItems returns the items of a list.
func (r *Reader) ListItems(l *Group) []*Item {
	items := r.CompleteItems(l.Items)
	r.checkClosed(l)
	return items
}

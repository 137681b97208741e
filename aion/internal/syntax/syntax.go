// Package syntax reads the text of a .aion file into a tree of items, and reports
// slips of punctuation. A Reader makes items whole where it is clear what was meant;
// what they say is for its caller, which asks for those alone that it has a use for.
//
// From top to bottom:
//
//	syntax                the Reader
//	array, element, mend  items out of place, and items that lack a part
//	fix                   edits in the place of tokens
//	tree                  the grammar, which fits every text
//	scan, quote, bytes    the text as tokens
//	fence, foreign        what other notations put around texts and files
//	cursor, place         where they stand
//	text, chars           what they say
package syntax

import (
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// A Reader has the items of a file, and the list of what is wrong with them.
type Reader struct {
	*scanner
	tree   *source
	quoted map[*Token]string // names in quotes, as they stand in the file
}

// Read cuts a file into tokens and puts these into a tree. What it reports is wrong
// with a single token, or with the file as a whole. A file that is no text is as good
// as empty.
func Read(name string, src []byte) *Reader {
	r := &Reader{scanner: newScanner(name, src), tree: &source{}, quoted: map[*Token]string{}}
	if r.stopped = !r.legible(src); r.stopped {
		return r
	}
	r.skipFences()
	tree, err := parseTree(r.scanner)
	if err != nil {
		r.Errorf("too-large", diag.Span{File: name}, "too many items in one list: %v", err)
	}
	r.tree = tree
	return r
}

// Array returns what stands in the array of the file, and where that is.
func (r *Reader) Array() (items []*Item, at diag.Span) {
	if len(r.tree.Parts) == 0 {
		r.emptyFile()
		return nil, diag.Span{File: r.file}
	}
	a := array{Reader: r}
	for i := range r.tree.Parts {
		if r.Full() {
			break
		}
		a.part(&r.tree.Parts[i])
	}
	if a.first == nil { // the scanner alone found too many errors
		return nil, diag.Span{File: r.file}
	}
	a.end()
	return a.items, r.Between(a.first, a.last)
}

func (r *Reader) emptyFile() {
	if !r.stopped {
		r.Errorf("empty-file", r.here(0), `expected "[", found the end of the file`).
			WithHelp("a file without tools is []").
			WithFix(diag.Edit{Span: r.span(len(r.src), len(r.src)), Text: r.lineBreak() + "[]\n"})
	}
}

// lineBreak is what the end of the file lacks to be that of a line.
func (r *Reader) lineBreak() string {
	if line := strings.Trim(r.src[r.lineStart:], " \t\ufeff"); line == "" {
		return ""
	}
	return "\n"
}

// Broken reports whether a fault of a text was reported.
func (r *Reader) Broken(text *Token) bool { return r.broken[text.Pos.Offset] }

// Entries returns the items of a block of fields or entries.
func (r *Reader) Entries(b *Block) []*Item {
	r.closed(b.Open, b.Close, b.Items.All)
	return r.Tidy(b.Items.All)
}

// Values returns the items of a list.
func (r *Reader) Values(l *List) []*Item {
	items := r.Tidy(l.Items.All)
	r.closed(l.Open, l.Close, l.Items.All)
	return items
}

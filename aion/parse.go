package aion

import (
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// MaxSource bounds a file, in bytes: 16 MiB. No person writes one this long.
const MaxSource = syntax.MaxSource

// Parse reads the text of a file. It always returns a document, of what could
// be understood, and every fault in source order. Name is the file's name in
// positions. Rules that hold over several files, or over the elements of one,
// are those of Check.
func Parse(name string, src []byte) (*Document, diag.List) {
	r := &reader{Reader: syntax.Read(name, src), doc: &Document{Name: name}, names: map[string]bool{}}
	lexical := slices.Clone(r.List)
	items, at := r.Array()
	r.doc.Span = at
	r.items(items)
	r.markFaulty(lexical)
	for _, c := range r.Comments {
		r.doc.Comments = append(r.doc.Comments, Comment(c))
	}
	list := r.Finish()
	giveCauses(list)
	r.doc.Faulty = list.Err() != nil
	return r.doc, list
}

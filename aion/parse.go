package aion

import (
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// MaxSource is the size limit of a file in bytes: 16 MiB.
const MaxSource = syntax.MaxSource

// Parse parses the text of a file. It always returns a document, with everything that it
// understood, and all diagnostics in source order. Positions contain name as the name of the
// file. To check the rules that involve several elements or files, call Check.
func Parse(name string, src []byte) (*Document, diag.List) {
	r := &reader{Reader: syntax.Read(name, src), doc: &Document{Name: name}, names: map[string]bool{}}
	lexical := slices.Clone(r.List)
	items, at := r.ReadArray()
	r.doc.Span = at
	r.readItems(items)
	r.markFaulty(lexical)
	for _, c := range r.Comments {
		r.doc.Comments = append(r.doc.Comments, Comment(c))
	}
	list := r.Finish()
	setCauses(list)
	r.doc.Faulty = list.Err() != nil
	return r.doc, list
}

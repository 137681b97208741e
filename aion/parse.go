package aion

import (
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// MaxSource bounds a file, in bytes: 16 MiB. No person writes one this long.
const MaxSource = syntax.MaxSource

// maxFaults bounds how many faults of a file are told. Nobody reads more, and
// a file with more is no .aion file.
const maxFaults = 1000

// Parse reads the text of a file. It always returns a document, of what could
// be understood, and every fault in source order. Name is the file's name in
// positions. Rules that hold over several files, or over the elements of one,
// are those of Check.
func Parse(name string, src []byte) (*Document, diag.List) {
	r := &reader{syntax.Read(name, src), &Document{Name: name}, map[string]bool{}}
	lexical := slices.Clone(r.List)
	items, at := r.Array()
	r.doc.Span = at
	r.items(items)
	r.markFaulty(lexical)
	for _, c := range r.Comments {
		r.doc.Comments = append(r.doc.Comments, Comment(c))
	}
	r.Sort()
	giveCauses(r.List)
	r.doc.Faulty = r.Err() != nil
	return r.doc, First(r.List)
}

// First is a sorted list without what nobody reads: of a file with errors the
// first thousand faults, and how many more there are.
func First(list diag.List) (first diag.List) {
	for len(list) > 0 {
		n := slices.IndexFunc(list, func(d *diag.Diagnostic) bool { return d.Span.File != list[0].Span.File })
		if n < 0 {
			n = len(list)
		}
		file := list[:n]
		list = list[n:]
		if more := n - maxFaults; more > 0 && file.Err() != nil {
			first = append(first, file[:maxFaults]...)
			first.Errorf("too-many-faults", file[maxFaults].Span, "%d more faults of this file are not told", more).WithHelp("mend the first ones, and see what is left")
			continue
		}
		first = append(first, file...)
	}
	return first
}

// Package patch makes the edits that faults carry in the text that they are faults of.
package patch

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// Make makes the edits of fixes in the text of a file, and says how many of the fixes
// that were. Of two that overlap it takes the first; it leaves out those that edit
// another file, too, or what the text does not have. Lines that come in end as the
// first one of the text does.
func Make(file string, text []byte, fixes []diag.Fix) (mended []byte, made int) {
	var edits []diag.Edit // in order, none overlaps another
	for _, f := range fixes {
		if with, ok := joined(f, file, len(text), edits); ok {
			edits, made = with, made+1
		}
	}
	lineEnds := strings.NewReplacer() // which changes nothing
	if line, _, ok := bytes.Cut(text, []byte("\n")); ok && bytes.HasSuffix(line, []byte("\r")) {
		lineEnds = strings.NewReplacer("\r\n", "\r\n", "\n", "\r\n")
	}
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		out.Write(text[at:e.Span.Start.Offset])
		out.WriteString(lineEnds.Replace(e.Text))
		at = e.Span.End.Offset
	}
	out.Write(text[at:])
	return out.Bytes(), made
}

// joined are some edits of a file of a size and those of a fix, in order. It is not
// ok where two of them overlap.
func joined(f diag.Fix, file string, size int, edits []diag.Edit) (all []diag.Edit, ok bool) {
	if len(f.Edits) == 0 || slices.ContainsFunc(f.Edits, func(e diag.Edit) bool { return !within(e, file, size) }) {
		return nil, false
	}
	all = slices.Clone(edits)
	for _, e := range f.Edits {
		start, end := e.Span.Start.Offset, e.Span.End.Offset
		i, same := slices.BinarySearchFunc(all, e, func(a, b diag.Edit) int {
			return cmp.Or(cmp.Compare(a.Span.Start.Offset, b.Span.Start.Offset), cmp.Compare(a.Span.End.Offset, b.Span.End.Offset))
		})
		if same || i > 0 && all[i-1].Span.End.Offset > start || i < len(all) && all[i].Span.Start.Offset < end {
			return nil, false
		}
		all = slices.Insert(all, i, e)
	}
	return all, true
}

// within reports whether an edit is one of a file of a size.
func within(e diag.Edit, file string, size int) bool {
	start, end := e.Span.Start.Offset, e.Span.End.Offset
	return e.Span.File == file && 0 <= start && start <= end && end <= size
}

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
		var ok bool
		if edits, ok = insert(edits, f, file, len(text)); ok {
			made++
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

// insert adds the edits of a fix to some edits, which stay in order. It is not ok, and adds
// nothing, if the fix has no edits, if one overlaps another, or if one is not of the file.
func insert(edits []diag.Edit, f diag.Fix, file string, size int) (all []diag.Edit, ok bool) {
	var inserted []diag.Edit
	for _, e := range f.Edits {
		start, end := e.Span.Start.Offset, e.Span.End.Offset
		i, same := slices.BinarySearchFunc(edits, e, inOrder)
		if !within(e, file, size) || same || i > 0 && edits[i-1].Span.End.Offset > start || i < len(edits) && edits[i].Span.Start.Offset < end {
			for _, e := range inserted {
				i, _ := slices.BinarySearchFunc(edits, e, inOrder)
				edits = slices.Delete(edits, i, i+1)
			}
			return edits, false
		}
		edits = slices.Insert(edits, i, e)
		inserted = append(inserted, e)
	}
	return edits, len(f.Edits) > 0
}

// inOrder compares edits by where they start and end.
func inOrder(a, b diag.Edit) int {
	return cmp.Or(cmp.Compare(a.Span.Start.Offset, b.Span.Start.Offset), cmp.Compare(a.Span.End.Offset, b.Span.End.Offset))
}

// within reports whether an edit is one of a file of a size.
func within(e diag.Edit, file string, size int) bool {
	start, end := e.Span.Start.Offset, e.Span.End.Offset
	return e.Span.File == file && 0 <= start && start <= end && end <= size
}

package aion

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// applyEdits applies the edits of fixes to the text of a file, and returns how many fixes
// it applied. Of two fixes that overlap, it applies the first. It skips fixes that edit
// another file or places outside of the text. Inserted lines get the line breaks of the
// first line of the text.
func applyEdits(file string, text []byte, fixes []diag.Fix) (fixed []byte, applied int) {
	var edits []diag.Edit // sorted, without overlaps
	for _, f := range fixes {
		var ok bool
		if edits, ok = insertFix(edits, f, file, len(text)); ok {
			applied++
		}
	}
	lineEnds := strings.NewReplacer() // changes nothing
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
	return out.Bytes(), applied
}

// insertFix adds the edits of a fix to sorted edits. It returns false and adds nothing if
// the fix has no edits, if one overlaps another edit, or if one is outside of the file.
func insertFix(edits []diag.Edit, f diag.Fix, file string, size int) (all []diag.Edit, ok bool) {
	var inserted []diag.Edit
	for _, e := range f.Edits {
		start, end := e.Span.Start.Offset, e.Span.End.Offset
		i, same := slices.BinarySearchFunc(edits, e, compareEdits)
		if !isInFile(e, file, size) || same || i > 0 && edits[i-1].Span.End.Offset > start || i < len(edits) && edits[i].Span.Start.Offset < end {
			for _, e := range inserted {
				i, _ := slices.BinarySearchFunc(edits, e, compareEdits)
				edits = slices.Delete(edits, i, i+1)
			}
			return edits, false
		}
		edits = slices.Insert(edits, i, e)
		inserted = append(inserted, e)
	}
	return edits, len(f.Edits) > 0
}

// compareEdits compares edits by their start and end.
func compareEdits(a, b diag.Edit) int {
	return cmp.Or(cmp.Compare(a.Span.Start.Offset, b.Span.Start.Offset), cmp.Compare(a.Span.End.Offset, b.Span.End.Offset))
}

// isInFile reports whether an edit is inside a file of the given name and size.
func isInFile(e diag.Edit, file string, size int) bool {
	start, end := e.Span.Start.Offset, e.Span.End.Offset
	return e.Span.File == file && 0 <= start && start <= end && end <= size
}

package diag

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A Fix is one way to mend a fault. Its edits belong together: they are made all, or
// none of them.
type Fix struct {
	Guess bool   `json:"guess"` // a person has to say whether this is what was meant
	Edits []Edit `json:"edits"`
}

// An Edit replaces a stretch of a file. Where it is empty, the text is inserted.
type Edit struct {
	Span Span   `json:"span"`
	Text string `json:"text"`
}

// InsertAt is the edit that inserts a text where a span ends.
func InsertAt(at Span, text string) Edit {
	at.Start = at.End
	return Edit{at, text}
}

// WithFix adds a way to mend the fault that is certain to be what was meant.
func (d *Diagnostic) WithFix(edits ...Edit) *Diagnostic { return d.withFix(Fix{false, edits}) }

// WithGuess adds a way to mend the fault that may not be what was meant.
func (d *Diagnostic) WithGuess(edits ...Edit) *Diagnostic { return d.withFix(Fix{true, edits}) }

func (d *Diagnostic) withFix(f Fix) *Diagnostic {
	if len(f.Edits) > 0 && !slices.ContainsFunc(f.Edits, func(e Edit) bool { return !e.Span.Start.IsValid() || !e.Span.End.IsValid() }) {
		d.Fixes = append(d.Fixes, f)
	}
	return d
}

// Title says in a few words what the fix does.
func (f Fix) Title() string {
	var parts []string
	for _, e := range f.Edits {
		part := "delete what stands there"
		if e.Text != "" {
			part = "write " + strconv.Quote(e.Text)
		}
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

// Mend makes the edits of fixes in the text of a file, and says how many of the fixes
// that were. Of two that overlap it takes the first; it leaves out those that edit
// another file, too, or what the text does not have. Lines that come in end as the
// first one of the text does.
func Mend(file string, text []byte, fixes []Fix) (mended []byte, made int) {
	var edits []Edit // in order, none overlaps another
	for _, f := range fixes {
		if with, ok := f.joined(file, len(text), edits); ok {
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

// joined are some edits of a file of a size and those of the fix, in order. It is not
// ok where two of them overlap.
func (f Fix) joined(file string, size int, edits []Edit) (all []Edit, ok bool) {
	if len(f.Edits) == 0 || slices.ContainsFunc(f.Edits, func(e Edit) bool { return !e.within(file, size) }) {
		return nil, false
	}
	all = slices.Clone(edits)
	for _, e := range f.Edits {
		start, end := e.Span.Start.Offset, e.Span.End.Offset
		i, same := slices.BinarySearchFunc(all, e, func(a, b Edit) int {
			return cmp.Or(cmp.Compare(a.Span.Start.Offset, b.Span.Start.Offset), cmp.Compare(a.Span.End.Offset, b.Span.End.Offset))
		})
		if same || i > 0 && all[i-1].Span.End.Offset > start || i < len(all) && all[i].Span.Start.Offset < end {
			return nil, false
		}
		all = slices.Insert(all, i, e)
	}
	return all, true
}

// within reports whether the edit is one of a file of a size.
func (e Edit) within(file string, size int) bool {
	start, end := e.Span.Start.Offset, e.Span.End.Offset
	return e.Span.File == file && 0 <= start && start <= end && end <= size
}

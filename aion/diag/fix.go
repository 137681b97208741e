package diag

import (
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

// Insert is the edit that inserts a text where the span ends.
func (s Span) Insert(text string) Edit {
	s.Start = s.End
	return Edit{s, text}
}

// WithFix adds a way to mend the fault that is certain to be what was meant.
func (d *Diagnostic) WithFix(edits ...Edit) *Diagnostic { return d.withFix(Fix{false, edits}) }

// WithGuess adds a way to mend the fault that may not be what was meant.
func (d *Diagnostic) WithGuess(edits ...Edit) *Diagnostic { return d.withFix(Fix{true, edits}) }

// WithFixIf does what WithFix does where it is certain, else what WithGuess does.
func (d *Diagnostic) WithFixIf(certain bool, edits ...Edit) *Diagnostic {
	return d.withFix(Fix{!certain, edits})
}

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

package diag

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
)

// A Fix is one way to fix a fault. Its edits belong together: either all of them are
// applied or none.
type Fix struct {
	Guess bool   `json:"guess"` // the fix may not be what the author meant
	Edits []Edit `json:"edits"`
}

// An Edit replaces a span of a file by a text. At an empty span, it inserts the text.
type Edit struct {
	Span Span   `json:"span"`
	Text string `json:"text"`
}

// Insert returns the edit that inserts a text at the end of the span.
func (s Span) Insert(text string) Edit {
	s.Start = s.End
	return Edit{s, text}
}

// WithFix adds a fix that is certainly what the author meant.
func (d *Diagnostic) WithFix(edits ...Edit) *Diagnostic { return d.addFix(Fix{false, edits}) }

// WithGuess adds a fix that may not be what the author meant.
func (d *Diagnostic) WithGuess(edits ...Edit) *Diagnostic { return d.addFix(Fix{true, edits}) }

// WithFixIf adds a fix as WithFix does if it is certain, and as WithGuess does otherwise.
func (d *Diagnostic) WithFixIf(certain bool, edits ...Edit) *Diagnostic {
	return d.addFix(Fix{!certain, edits})
}

func (d *Diagnostic) addFix(f Fix) *Diagnostic {
	if len(f.Edits) > 0 && !slices.ContainsFunc(f.Edits, func(e Edit) bool { return !e.Span.Start.IsValid() || !e.Span.End.IsValid() }) {
		d.Fixes = append(d.Fixes, f)
	}
	return d
}

// Title describes the fix in a few words: its first distinct edits and the beginnings of
// their texts.
func (f Fix) Title() string {
	var parts []string
	for _, e := range f.Edits {
		part := "delete the text"
		if e.Text != "" {
			part = "write " + strconv.Quote(words.Cut(e.Text, maxTitleText))
		}
		if slices.Contains(parts, part) {
			continue
		}
		if len(parts) == maxTitleParts {
			return strings.Join(parts, ", ") + " and more"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

const (
	maxTitleParts = 4   // parts of a title
	maxTitleText  = 128 // bytes of a text in a title
)

// Package diag says what a fault in a source file is and how it is shown.
// It knows nothing of what faults there are: a stage of the compiler appends
// [Diagnostic] values to a [List], and a [Printer] shows them to a person or
// writes them for a program.
//
// Its layers, from top to bottom:
//
//	print, json, sarif, github  a list for a person, and for three kinds of programs
//	source, cells               the lines that are shown, and how wide they are
//	diag, fix                   what a fault is, a list of them, and what mends them
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
)

// A Pos is a place in a file. Line and Column count from 1, columns in bytes,
// as Go's do; the zero Pos is an unknown place.
type Pos struct {
	Offset int `json:"offset"`
	Line   int `json:"line"`
	Column int `json:"column"`
}

// IsValid reports whether the place is known.
func (p Pos) IsValid() bool { return p.Line > 0 }

// A Span is a stretch of a file, from Start to before End.
type Span struct {
	File  string `json:"file,omitempty"` // with slashes
	Start Pos    `json:"start,omitzero"`
	End   Pos    `json:"end,omitzero"`
}

// String is the place where the span starts, as compilers write it: file:line:col.
// What is unknown is left out.
func (s Span) String() string {
	switch {
	case !s.Start.IsValid():
		return s.File
	case s.File == "":
		return fmt.Sprintf("%d:%d", s.Start.Line, s.Start.Column)
	}
	return fmt.Sprintf("%s:%d:%d", s.File, s.Start.Line, s.Start.Column)
}

// A Code is the word for a kind of fault, such as "unknown-property". It stays
// the same in all versions, so that people can look it up and programs can
// compare it.
type Code string

// A Severity says how grave a diagnostic is. The zero value is Error.
type Severity int

// Only an Error keeps the compiler from writing its output. A Note is nothing
// that has to be changed.
const (
	Error Severity = iota
	Warning
	Note
)

// String is the word that stands in front of a message.
func (s Severity) String() string {
	switch s {
	case Warning:
		return "warning"
	case Note:
		return "note"
	}
	return "error"
}

// MarshalText returns the word of String.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText takes the words of String.
func (s *Severity) UnmarshalText(text []byte) error {
	for _, known := range []Severity{Error, Warning, Note} {
		if known.String() == string(text) {
			*s = known
			return nil
		}
	}
	return fmt.Errorf("a severity is error, warning or note, not %q", text)
}

// A Diagnostic is one fault: what is wrong, where, and what to do about it.
type Diagnostic struct {
	Code     Code      `json:"code"`
	Severity Severity  `json:"severity"`
	Span     Span      `json:"span,omitzero"`
	Message  string    `json:"message"`           // one line without a full stop; names stand in quotes
	Help     []string  `json:"help,omitempty"`    // what to do; an entry may hold an example of a few lines
	Related  []Related `json:"related,omitempty"` // other places that have a part in it
	Fixes    []Fix     `json:"fixes,omitempty"`   // ways to do what the help says, the likelier first
	Cause    error     `json:"-"`                 // the typed error for errors.As, or nil
}

// Related is another place that has a part in a fault, such as the first of two
// definitions that clash.
type Related struct {
	Span    Span   `json:"span,omitzero"`
	Message string `json:"message"`
}

// Error is the diagnostic on one line: "file:line:col: error: message [code]".
func (d *Diagnostic) Error() string {
	return head(d.Span, d.Severity.String(), d.Message) + " [" + string(d.Code) + "]"
}

// Unwrap returns the cause.
func (d *Diagnostic) Unwrap() error { return d.Cause }

// WithHelp adds a line that says what to do.
func (d *Diagnostic) WithHelp(format string, args ...any) *Diagnostic {
	d.Help = append(d.Help, clip(fmt.Sprintf(format, args...)))
	return d
}

// maxMessage limits the length of a message and of each help, in bytes: they quote texts
// of the file, which may be long.
const maxMessage = 2000

// clip shortens a text in its middle, between characters, if it is too long.
func clip(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	head := words.Boundary(text, maxMessage*3/4)
	tail := words.Boundary(text, len(text)-maxMessage/4)
	return text[:head] + "…" + text[tail:]
}

// SplitMessage makes help of all but the first line of the message, which the go
// command and compiler may write several of. What is in brackets stays together.
func (d *Diagnostic) SplitMessage() *Diagnostic {
	message, more, _ := strings.Cut(d.Message, "\n")
	if strings.Count(message, "(") > strings.Count(message, ")") {
		message, more = strings.Join(strings.Fields(d.Message), " "), ""
	}
	d.Message = message
	if more = strings.TrimSpace(more); more != "" {
		d.WithHelp("%s", strings.ReplaceAll(more, "\n\t", "\n"))
	}
	return d
}

// WithRelated adds another place that has a part in the fault.
func (d *Diagnostic) WithRelated(at Span, format string, args ...any) *Diagnostic {
	d.Related = append(d.Related, Related{at, fmt.Sprintf(format, args...)})
	return d
}

// WithCause sets the typed error that errors.As finds.
func (d *Diagnostic) WithCause(err error) *Diagnostic {
	d.Cause = err
	return d
}

// head is the first line of a diagnostic or a note, in the shape that editors
// and build servers link to the source.
func head(at Span, word, message string) string {
	if place := at.String(); place != "" {
		return place + ": " + word + ": " + message
	}
	return word + ": " + message
}

// A List collects the faults of a stage. The zero List is ready for use.
type List []*Diagnostic

// Errorf appends an error and returns it, so that help can be added.
func (l *List) Errorf(code Code, at Span, format string, args ...any) *Diagnostic {
	return l.add(Error, code, at, format, args)
}

// Warnf appends a warning and returns it, so that help can be added.
func (l *List) Warnf(code Code, at Span, format string, args ...any) *Diagnostic {
	return l.add(Warning, code, at, format, args)
}

// Notef appends a note and returns it, so that help can be added.
func (l *List) Notef(code Code, at Span, format string, args ...any) *Diagnostic {
	return l.add(Note, code, at, format, args)
}

func (l *List) add(severity Severity, code Code, at Span, format string, args []any) *Diagnostic {
	d := &Diagnostic{Code: code, Severity: severity, Span: at, Message: clip(fmt.Sprintf(format, args...))}
	*l = append(*l, d)
	return d
}

// Sort puts the list in the order of file, place and code, leaves what is equal
// in these in its order, and keeps one of several diagnostics that say the same.
func (l *List) Sort() {
	slices.SortStableFunc(*l, func(a, b *Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Span.File, b.Span.File),
			cmp.Compare(a.Span.Start.Line, b.Span.Start.Line),
			cmp.Compare(a.Span.Start.Column, b.Span.Start.Column),
			cmp.Compare(a.Code, b.Code),
		)
	})
	*l = slices.CompactFunc(*l, func(a, b *Diagnostic) bool {
		return a.Code == b.Code && a.Span == b.Span && a.Message == b.Message
	})
}

// maxShown limits how many diagnostics of a file with errors are shown.
const maxShown = 1000

// Short returns the list, which must be sorted, with the first maxShown diagnostics of
// each file that has errors. It reports how many more there are.
func (l List) Short() (short List) {
	for len(l) > 0 {
		n := slices.IndexFunc(l, func(d *Diagnostic) bool { return d.Span.File != l[0].Span.File })
		if n < 0 {
			n = len(l)
		}
		file := l[:n]
		l = l[n:]
		if more := n - maxShown; more > 0 && file.Err() != nil {
			short = append(short, file[:maxShown]...)
			if file[n-1].Code == tooMany {
				short = append(short, file[n-1])
				continue
			}
			short.Errorf(tooMany, file[maxShown].Span, "too many errors: %d more are not shown", more).
				WithHelp("fix the first ones; a file with so many errors may be in another format")
			continue
		}
		short = append(short, file...)
	}
	return short
}

// Err is nil if the list holds no error, warnings and notes aside. Otherwise it is an
// error that says the first of them and how many follow, and that errors.As and
// errors.Is look through for the diagnostics and their causes.
func (l List) Err() error {
	var errs listError
	for _, d := range l {
		if d.Severity == Error {
			errs = append(errs, d)
		}
	}
	if errs == nil {
		return nil
	}
	return errs
}

type listError []error

func (e listError) Error() string {
	if len(e) == 1 {
		return e[0].Error()
	}
	return fmt.Sprintf("%v (and %d more)", e[0], len(e)-1)
}

func (e listError) Unwrap() []error { return e }

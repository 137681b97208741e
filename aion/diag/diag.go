// Package diag provides the diagnostics of the compiler and the formats in which they are
// written: text, JSON, SARIF and annotations of GitHub Actions. The compiler returns a [List]
// with a [Diagnostic] for each error, warning and note. To show it to a user or to a program, use
// the methods of a [Printer].
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
)

// A Pos is a position in a file. Line and Column count from 1, columns in bytes,
// as in package go/token. The zero Pos is an unknown position.
type Pos struct {
	Offset int `json:"offset"`
	Line   int `json:"line"`
	Column int `json:"column"`
}

// IsValid reports whether the position is known.
func (p Pos) IsValid() bool { return p.Line > 0 }

// A Span is the part of a file from Start up to, but not including, End.
type Span struct {
	File  string `json:"file,omitempty"` // with slashes
	Start Pos    `json:"start,omitzero"`
	End   Pos    `json:"end,omitzero"`
}

// String returns the start of the span as file:line:col, the form that compilers use. It
// omits an unknown file or position.
func (s Span) String() string {
	switch {
	case !s.Start.IsValid():
		return s.File
	case s.File == "":
		return fmt.Sprintf("%d:%d", s.Start.Line, s.Start.Column)
	}
	return fmt.Sprintf("%s:%d:%d", s.File, s.Start.Line, s.Start.Column)
}

// A Code identifies a kind of fault, such as "unknown-property". It stays the same in
// all versions, so that people can look it up and programs can compare it.
type Code string

// A Severity is the severity of a diagnostic. The zero value is Error.
type Severity int

// The compiler writes no output if there is an Error. A Note requires no action.
const (
	Error Severity = iota
	Warning
	Note
)

// String returns the word before a message: error, warning or note.
func (s Severity) String() string {
	switch s {
	case Warning:
		return "warning"
	case Note:
		return "note"
	}
	return "error"
}

// MarshalText returns the word that String returns.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText accepts the words that String returns.
func (s *Severity) UnmarshalText(text []byte) error {
	for _, severity := range []Severity{Error, Warning, Note} {
		if severity.String() == string(text) {
			*s = severity
			return nil
		}
	}
	return fmt.Errorf("invalid severity %q: want error, warning or note", text)
}

// A Diagnostic is one fault: what is wrong, where, and how to fix it.
type Diagnostic struct {
	Code     Code      `json:"code"`
	Severity Severity  `json:"severity"`
	Span     Span      `json:"span,omitzero"`
	Message  string    `json:"message"`           // one line without a period; names are quoted
	Help     []string  `json:"help,omitempty"`    // what to do; an entry may contain an example of a few lines
	Related  []Related `json:"related,omitempty"` // other places that are involved
	Fixes    []Fix     `json:"fixes,omitempty"`   // edits that do what the help says, the most likely first
	Group    *Group    `json:"group,omitempty"`   // set if [List.Grouped] may merge the note with similar ones
	Cause    error     `json:"-"`                 // the typed error for errors.As, or nil
}

// Related is another place that is involved in a fault, such as the first of two
// definitions that clash.
type Related struct {
	Span    Span   `json:"span,omitzero"`
	Message string `json:"message"`
}

// Error returns the diagnostic on one line: "file:line:col: error: message [code]".
func (d *Diagnostic) Error() string {
	return formatHeadline(d.Span, d.Severity.String(), d.Message) + " [" + string(d.Code) + "]"
}

// Unwrap returns the cause.
func (d *Diagnostic) Unwrap() error { return d.Cause }

// WithHelp adds a line that says what to do.
func (d *Diagnostic) WithHelp(format string, args ...any) *Diagnostic {
	d.Help = append(d.Help, clipMessage(fmt.Sprintf(format, args...)))
	return d
}

// maxMessage limits the length of a message and of each help text, in bytes. Both can quote
// long texts of the file.
const maxMessage = 2000

// clipMessage shortens the middle of a text that is too long, between characters.
func clipMessage(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	head := words.Boundary(text, maxMessage*3/4)
	tail := words.Boundary(text, len(text)-maxMessage/4)
	return text[:head] + "…" + text[tail:]
}

// SplitMessage moves all but the first line of the message to the help. The go command and
// the Go compiler write messages of several lines. A message with a parenthesis that spans lines
// is joined to one line.
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

// WithRelated adds another place that is involved in the fault.
func (d *Diagnostic) WithRelated(at Span, format string, args ...any) *Diagnostic {
	d.Related = append(d.Related, Related{at, fmt.Sprintf(format, args...)})
	return d
}

// WithCause sets the typed error that errors.As finds.
func (d *Diagnostic) WithCause(err error) *Diagnostic {
	d.Cause = err
	return d
}

// formatHeadline returns the first line of a diagnostic or a note, in the form that editors
// and build servers link to the source.
func formatHeadline(at Span, word, message string) string {
	if place := at.String(); place != "" {
		return place + ": " + word + ": " + message
	}
	return word + ": " + message
}

// A List collects the diagnostics of a stage of the compiler. The zero List is ready for use.
type List []*Diagnostic

// Errorf appends an error and returns it, so that help can be added.
func (l *List) Errorf(code Code, at Span, format string, args ...any) *Diagnostic {
	return l.appendDiagnostic(Error, code, at, format, args)
}

// Warnf appends a warning and returns it, so that help can be added.
func (l *List) Warnf(code Code, at Span, format string, args ...any) *Diagnostic {
	return l.appendDiagnostic(Warning, code, at, format, args)
}

// Notef appends a note and returns it, so that help can be added.
func (l *List) Notef(code Code, at Span, format string, args ...any) *Diagnostic {
	return l.appendDiagnostic(Note, code, at, format, args)
}

func (l *List) appendDiagnostic(severity Severity, code Code, at Span, format string, args []any) *Diagnostic {
	d := &Diagnostic{Code: code, Severity: severity, Span: at, Message: clipMessage(fmt.Sprintf(format, args...))}
	*l = append(*l, d)
	return d
}

// Sort sorts the list by file, position and code, and removes duplicates. The sort is stable.
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

// Short shortens a sorted list. If a file has errors and more than maxShown diagnostics, Short keeps
// the first maxShown of them and adds one with the number of those that it omitted.
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

// Err returns nil if the list has no errors; warnings and notes do not count. Otherwise it
// returns an error that contains the first one and the number of others. errors.As and
// errors.Is find the diagnostics and their causes in it.
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

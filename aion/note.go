package aion

import (
	"reflect"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/notes"
	"github.com/aiongen/aiongen/aion/internal/syntax"
	"github.com/aiongen/aiongen/internal/values"
)

// A Note describes an argument, a result or a field: its type, its meaning, and the values
// that it allows. This package does not know whether the type exists. Format keeps the text
// of the file unless the fields were changed.
type Note struct {
	Span        diag.Span // of its text, with the quotes
	Type        string    // as written, without a trailing ?; empty if the note is prose
	Description string
	Optional    bool     // set by a ? after the type, by the option, or by a default
	Default     *Literal // like the bounds, nil if absent
	Enum        []Literal
	Min, Max    *Literal // numbers
	Open        bool     // values outside of the enum are accepted as well
	Take        *Literal // the largest number of items of a sequence, a positive integer

	// Required, Fields, Omit, Ref and Text apply to the value as a whole, Shape to parts of it.
	Required, Fields, Omit, Ref, Text bool
	Shape                             []Shaping // each option once

	raw string // the text in the file, with its quotes
}

// A Literal is a value in a note: its Text without quotes, and whether it is Quoted. Its
// method String returns it as in a note. Its meaning depends on the type: an unquoted 5 is a
// text if the type is string, and a number otherwise.
type Literal = values.Literal

// ParseNote parses the text of a note, for a document that is created in Go.
func ParseNote(text string) (Note, diag.List) {
	n := noteReader{Collector: &diag.Collector{}, text: Text{Value: text}}
	n.parseNote()
	setCauses(n.List)
	return n.Note, n.List
}

// text returns the note as a text. It returns false if no text can express the note.
func (n *Note) text() (text Text, ok bool) {
	if n.raw != "" {
		text = Text{Value: syntax.TextValue(n.raw), Span: n.Span, raw: n.raw}
		if n.matchesText(text) {
			return text, true
		}
	}
	text = Text{Value: n.composeText(), Span: n.Span}
	return text, n.matchesText(text)
}

// Written returns the text of the note in its file, or an empty text if the note was
// created in Go.
func (n *Note) Written() Text { return Text{Value: syntax.TextValue(n.raw), Span: n.Span, raw: n.raw} }

// String returns the text of the note. If the fields were not changed, it is the text in the file.
func (n Note) String() string {
	text, _ := n.text()
	return text.Value
}

// Retype returns the edit that changes the type of the note.
func (n *Note) Retype(typ string) []diag.Edit {
	text := n.Written()
	at := strings.Index(text.Value, n.Type)
	if at < 0 || n.raw == "" || strings.Contains(typ, `"`) {
		return nil
	}
	return []diag.Edit{{Span: text.Between(at, at+len(n.Type)), Text: typ}}
}

// Without returns the edit that deletes an option of the note.
func (n *Note) Without(option string) []diag.Edit {
	r := noteReader{text: n.Written()}
	for i, part := range notes.Split(r.text.Value) {
		if i > 0 && strings.TrimSuffix(notes.OptionName(part.Text), "=") == option {
			return []diag.Edit{r.deletePart(part)}
		}
	}
	return nil
}

// matchesText reports whether parsing a text yields the note.
func (n *Note) matchesText(text Text) bool {
	r := noteReader{Collector: &diag.Collector{}, text: text}
	r.parseNote()
	want := *n
	want.Span, want.raw = r.Span, r.raw
	want.Optional = n.Optional || n.Default != nil
	if len(n.Enum) == 0 {
		want.Enum = nil
	}
	want.Shape, r.Shape = clonePaths(n.Shape), clonePaths(r.Shape)
	return r.List.Err() == nil && reflect.DeepEqual(want, r.Note)
}

// composeText builds the text of a note from its fields.
func (n *Note) composeText() string {
	if n.Type == "" {
		return n.Description
	}
	head, rest := n.Type, ""
	if n.Optional && n.Default == nil {
		head += "?"
	}
	if strings.Contains(n.Description, "|") {
		rest = n.Description
	} else if n.Description != "" {
		head += " (" + n.Description + ")"
	}
	parts := []string{head}
	parts = append(parts, n.composeOptions()...)
	if rest != "" {
		parts = append(parts, rest)
	}
	return strings.Join(parts, " | ")
}

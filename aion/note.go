package aion

import (
	"reflect"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/notes"
	"github.com/aiongen/aiongen/aion/internal/syntax"
	"github.com/aiongen/aiongen/internal/values"
)

// A Note describes an argument, a result or a field: its type, what it is, and
// what values it takes. Whether the type exists is not known here. What a note says
// are its parts; Format keeps the words of the file as long as they say the same.
type Note struct {
	Span        diag.Span // of its text, with the quotes
	Type        string    // as written, without a trailing ?; empty in prose
	Description string
	Optional    bool     // said, or implied by a default
	Default     *Literal // nil when absent, as are the bounds
	Enum        []Literal
	Min, Max    *Literal // numbers
	Open        bool     // an enum type takes other values, too

	// What a model sees of the value as a whole, and of places in it.
	Required, Omit, Ref, Text bool
	Shape                     []Shaping // each option once

	raw string // as it stands in the file
}

// A Literal is a value in a note: its Text as it is written, without quotes around it,
// and whether it stands in such, Quoted. Its method String writes it as in a note. What it
// is depends on the type that it is for: only for a string, 5 without quotes is a text.
type Literal = values.Literal

// ParseNote reads the text of a note, for a document that is made in Go.
func ParseNote(text string) (Note, diag.List) {
	n := noteReader{Collector: &diag.Collector{}, text: Text{Value: text}}
	n.read()
	giveCauses(n.List)
	return n.Note, n.List
}

// text is the note as a document has it. It is not ok if no text says what the parts
// of the note say.
func (n *Note) text() (text Text, ok bool) {
	if n.raw != "" {
		text = Text{Value: syntax.Value(n.raw), Span: n.Span, raw: n.raw}
		if n.isSaidBy(text) {
			return text, true
		}
	}
	text = Text{Value: n.compose(), Span: n.Span}
	return text, n.isSaidBy(text)
}

// Written is the note as the text of its file; empty in a document that was made in Go.
func (n *Note) Written() Text { return Text{Value: syntax.Value(n.raw), Span: n.Span, raw: n.raw} }

// Retype returns the edit that gives the note another type.
func (n *Note) Retype(typ string) []diag.Edit {
	text := n.Written()
	at := strings.Index(text.Value, n.Type)
	if at < 0 || n.raw == "" || strings.Contains(typ, `"`) {
		return nil
	}
	return []diag.Edit{{Span: text.Between(at, at+len(n.Type)), Text: typ}}
}

// Without returns the edit that takes an option out of the note.
func (n *Note) Without(option string) []diag.Edit {
	r := noteReader{text: n.Written()}
	for i, part := range notes.Split(r.text.Value) {
		if i > 0 && strings.TrimSuffix(notes.OptionName(part.Text), "=") == option {
			return []diag.Edit{r.leaveOut(part)}
		}
	}
	return nil
}

// isSaidBy reports whether reading a text yields the note.
func (n *Note) isSaidBy(text Text) bool {
	r := noteReader{Collector: &diag.Collector{}, text: text}
	r.read()
	want := *n
	want.Span, want.raw = r.Span, r.raw
	want.Optional = n.Optional || n.Default != nil
	if len(n.Enum) == 0 {
		want.Enum = nil
	}
	want.Shape, r.Shape = clonePaths(n.Shape), clonePaths(r.Shape)
	return r.List.Err() == nil && reflect.DeepEqual(want, r.Note)
}

// compose writes a note from its parts.
func (n *Note) compose() string {
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
	if n.Default != nil {
		parts = append(parts, "default="+n.Default.String())
	}
	if len(n.Enum) > 0 {
		var allowed []string
		for _, l := range n.Enum {
			allowed = append(allowed, l.String())
		}
		parts = append(parts, "enum="+strings.Join(allowed, ","))
	}
	if n.Min != nil {
		parts = append(parts, "min="+n.Min.String())
	}
	if n.Max != nil {
		parts = append(parts, "max="+n.Max.String())
	}
	if n.Open {
		parts = append(parts, "open")
	}
	parts = append(parts, n.composeShape()...)
	if rest != "" {
		parts = append(parts, rest)
	}
	return strings.Join(parts, " | ")
}

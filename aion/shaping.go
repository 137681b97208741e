package aion

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/notes"
	"github.com/aiongen/aiongen/internal/values"
)

// A Shaping is an option of a note that applies to parts of a value.
type Shaping struct {
	Option string // the name of an option whose value is a list of paths, such as "only"
	Paths  []Path
}

// A Path leads from a value to a part of it by JSON names. It has no names for the items of
// lists, the values of maps and embedded structs: labels.name is the name of each label.
type Path struct {
	Names    []string
	Anywhere bool      // written with *. in front: the path applies at every depth
	Text     string    // the description, if the option is "describe"
	Span     diag.Span // zero in a document that was created in Go
}

// String returns the path as in a note.
func (p Path) String() string { return notes.FormatPath(p.Anywhere, p.Names) }

// Paths returns the paths of one of the note's options, as in Paths("omit").
func (n *Note) Paths(option string) []Path {
	for _, s := range n.Shape {
		if s.Option == option {
			return s.Paths
		}
	}
	return nil
}

// clonePaths copies the options with paths, without their spans.
func clonePaths(shape []Shaping) (clone []Shaping) {
	for _, s := range shape {
		s.Paths = slices.Clone(s.Paths)
		for i := range s.Paths {
			s.Paths[i].Span = diag.Span{}
		}
		clone = append(clone, s)
	}
	return clone
}

// composeOptions writes the options: those with paths last, in the order of the note.
func (n *Note) composeOptions() (parts []string) {
	for _, form := range n.Options() {
		switch field := n.field(form).(type) {
		case *bool:
			if form != "optional" { // written as a ? after the type
				parts = append(parts, form)
			}
		case **Literal:
			parts = append(parts, form+(*field).String())
		case *[]Literal:
			var allowed []string
			for _, l := range *field {
				allowed = append(allowed, l.String())
			}
			parts = append(parts, form+strings.Join(allowed, ","))
		}
	}
	for _, s := range n.Shape {
		if s.Option == "describe" {
			for _, p := range s.Paths {
				parts = append(parts, s.Option+"="+p.String()+":"+notes.QuoteText(p.Text))
			}
			continue
		}
		var paths []string
		for _, p := range s.Paths {
			paths = append(paths, p.String())
		}
		parts = append(parts, s.Option+"="+strings.Join(paths, ","))
	}
	return parts
}

// Options returns the options of the note in the forms in which they are written, such as
// "open", "enum=", "omit" and "omit=". A default implies "optional", which is not listed then.
func (n *Note) Options() (forms []string) {
	for _, o := range values.Options {
		for _, form := range o.Forms() {
			var set bool
			switch field := n.field(form).(type) {
			case nil:
				set = n.Paths(o.Name) != nil
			case *bool:
				set = *field && !(form == "optional" && n.Default != nil)
			case **Literal:
				set = *field != nil
			case *[]Literal:
				set = len(*field) > 0
			}
			if set {
				forms = append(forms, form)
			}
		}
	}
	return forms
}

// field returns a pointer to the field that an option sets, or nil for an option whose paths are
// in Shape.
func (n *Note) field(form string) any {
	switch form {
	case "default=":
		return &n.Default
	case "enum=":
		return &n.Enum
	case "min=":
		return &n.Min
	case "max=":
		return &n.Max
	case "open":
		return &n.Open
	case "take=":
		return &n.Take
	case "optional":
		return &n.Optional
	case "required":
		return &n.Required
	case "fields":
		return &n.Fields
	case "omit":
		return &n.Omit
	case "ref":
		return &n.Ref
	case "text":
		return &n.Text
	}
	return nil
}

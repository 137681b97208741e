package aion

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/notes"
)

// A Shaping is an option of a note that says something of places in a value.
type Shaping struct {
	Option string // only, omit, required, optional, ref or text
	Paths  []Path
}

// A Path leads from a value downwards, by names of JSON, through lists, the values of
// maps and embedded structs: labels.name.
type Path struct {
	Names    []string
	Anywhere bool      // written with *. in front: it begins at every depth
	Span     diag.Span // empty in a document that was made in Go
}

// String is the path as a note has it.
func (p Path) String() string { return notes.NamePath(p.Anywhere, p.Names) }

// Paths are those that a note gives to one of its options, as in Paths("omit").
func (n *Note) Paths(option string) []Path {
	for _, s := range n.Shape {
		if s.Option == option {
			return s.Paths
		}
	}
	return nil
}

// clonePaths copies the options that shape a value, without the places in a file.
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

// composeShape writes what marks and paths say.
func (n *Note) composeShape() (parts []string) {
	parts = append(parts, n.marks()...)
	for _, s := range n.Shape {
		var paths []string
		for _, p := range s.Paths {
			paths = append(paths, p.String())
		}
		parts = append(parts, s.Option+"="+strings.Join(paths, ","))
	}
	return parts
}

// marks are what a note says of the value as a whole, with one word; optional aside,
// which has a sign of its own.
func (n *Note) marks() (marks []string) {
	for _, m := range []struct {
		set  bool
		name string
	}{{n.Required, "required"}, {n.Omit, "omit"}, {n.Ref, "ref"}, {n.Text, "text"}} {
		if m.set {
			marks = append(marks, m.name)
		}
	}
	return marks
}

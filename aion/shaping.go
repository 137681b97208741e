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

// shape reads an option with paths.
func (n *noteReader) shape(option string) {
	part := n.given[option+"="]
	s := Shaping{Option: option}
	for _, p := range notes.SplitPaths(part, len(option)+1) {
		path := Path{Names: p.Names, Anywhere: p.Anywhere, Span: n.place(p.Part)}
		switch same := func(other Path) bool { return other.String() == path.String() }; {
		case p.Problem != "":
			n.badPath(part, option, p)
		case slices.ContainsFunc(s.Paths, same):
			n.bad("repeated-option", p.Part, "the path %s is given twice", path)
		default:
			s.Paths = append(s.Paths, path)
		}
	}
	if len(s.Paths) > 0 {
		n.Shape = append(n.Shape, s)
	}
}

func (n *noteReader) badPath(part notes.Part, option string, p notes.Path) {
	if p.Text == "" {
		p.Part = part
	}
	d := n.bad("bad-path", p.Part, "the path of %q %s", option+"=", p.Problem)
	if row := notes.Barred(part.Text); row != "" {
		d.WithHelp("a bar ends the value of an option: write %q", row)
	} else if dotted := notes.Dotted(p.Text); dotted != "" {
		d.WithHelp("lists need no sign: write %q", option+"="+dotted)
	} else {
		d.WithHelp(`a path is names with dots between, as in %q; a name with other signs stands in quotes: 'a.b'`, option+"=labels.name")
	}
}

// checkShape reports options that say two things of one place.
func (n *noteReader) checkShape() {
	var whole []string
	for _, mark := range n.marks() {
		if mark != "required" {
			whole = append(whole, mark)
		}
	}
	limited := n.Optional || n.Required || n.Open || len(n.Enum) > 0 || n.Min != nil || n.Max != nil
	switch {
	case n.Required && n.Optional:
		n.against("required", n.optionalBy())
	case len(whole) > 1:
		n.against(whole[0], whole[1])
	case len(whole) == 1 && len(n.Shape) > 0:
		n.against(whole[0], n.Shape[0].Option+"=")
	case n.Omit && limited:
		n.bad("note-option", n.given["omit"], "what is omitted has no other options").WithHelp("leave out one or the other")
	}
	for _, two := range [][2]string{{"required", "optional"}, {"ref", "text"}} {
		for _, p := range n.Paths(two[0]) {
			if slices.ContainsFunc(n.Paths(two[1]), func(o Path) bool { return o.String() == p.String() }) {
				n.Errorf("note-option", p.Span, "%s cannot be %q and %q", p, two[0], two[1]).WithHelp("leave out one of the two")
			}
		}
	}
}

// optionalBy is the option that makes a note optional.
func (n *noteReader) optionalBy() string {
	if n.Default != nil {
		return "default="
	}
	return "optional"
}

// against reports two options of which only one can be meant.
func (n *noteReader) against(option, other string) {
	n.bad("note-option", n.given[option], "%q and %q cannot both be meant", option, other).WithHelp("leave out one of the two")
}

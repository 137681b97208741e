package narrow

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// Note is what the paths of a note leave of a type: itself where they change
// nothing, else a copy along the paths, whose definitions begin with the name of the
// tool. The list has the paths that lead nowhere. Where a path leads into what is passed
// by reference, fields returns that with its fields, nil if it has none.
func Note(t *model.Type, n *aion.Note, tool string, fields func(*model.Type) *model.Type) (*model.Type, diag.List) {
	var faults diag.List
	whole := t
	for _, option := range []string{"ref", "text", "only", "omit", "required", "optional"} {
		paths := n.Paths(option)
		if len(paths) == 0 {
			continue
		}
		c := newCut(paths, fields)
		c.option, c.name, c.faults = option, goname.Exported(tool, "Tool"), &faults
		c.explore(t, c.start(), spot{})
		if !c.complain(t, whole) {
			t = c.apply(t, c.start())
		}
	}
	return t, faults
}

// A cut is what one option does to a type.
type cut struct {
	fields func(*model.Type) *model.Type // of a reference
	option string
	paths  []aion.Path
	name   string
	found  []bool          // by path: it ends somewhere
	above  map[spot][]spot // from where each was reached
	live   map[spot]bool   // those below which a path ends
	made   map[spot]*model.Type
	faults *diag.List
}

func newCut(paths []aion.Path, fields func(*model.Type) *model.Type) *cut {
	return &cut{
		fields: fields, paths: paths, found: make([]bool, len(paths)),
		above: map[spot][]spot{}, live: map[spot]bool{}, made: map[spot]*model.Type{},
	}
}

// A step is how far along one of the paths one is.
type step struct{ path, at int }

// A spot is a type with the steps that were made when it was reached, which decide what
// becomes of it.
type spot struct {
	t     *model.Type
	steps string
}

func at(t *model.Type, steps []step) spot { return spot{t, fmt.Sprint(steps)} }

func (c *cut) start() (steps []step) {
	for i := range c.paths {
		steps = append(steps, step{i, 0})
	}
	return steps
}

// walk goes down to a field: to the paths that end there, and those that lead on.
func (c *cut) walk(steps []step, f *model.Field) (ends []int, on []step) {
	for _, s := range steps {
		p := c.paths[s.path]
		if p.Anywhere && s.at == 0 {
			on = append(on, s)
		}
		switch {
		case f.Name != p.Names[s.at]:
		case s.at+1 == len(p.Names):
			ends = append(ends, s.path)
		default:
			on = append(on, step{s.path, s.at + 1})
		}
	}
	return ends, on
}

// within is what a path goes on in, of what is no object itself; nil for others. By
// only= it goes on in a handle.
func (c *cut) within(t *model.Type) *model.Type {
	if c.option == "only" && t.Kind == model.Ref {
		t = cmp.Or(c.fields(t), t)
	}
	return within(t)
}

// explore notes which paths end somewhere, and below which spots.
func (c *cut) explore(t *model.Type, steps []step, from spot) {
	if t == nil || len(steps) == 0 {
		return
	}
	here := at(t, steps)
	_, known := c.above[here]
	c.above[here] = append(c.above[here], from)
	if known {
		if c.live[here] {
			c.enliven(from)
		}
		return
	}
	c.explore(c.within(t), steps, here)
	for _, f := range slices.Concat(t.Shown(), c.kept(t)) {
		ends, on := c.walk(steps, f)
		for _, end := range ends {
			if c.option != "only" || slices.Contains(t.Fields, f) {
				c.found[end] = true
				c.enliven(here)
			}
		}
		c.explore(f.Type, on, here)
	}
}

// kept are the fields that JSON cannot carry and the option can do something about.
func (c *cut) kept(t *model.Type) (fields []*model.Field) {
	for _, u := range t.Unseen {
		switch {
		case u.Field == nil && c.option != "omit", c.option == "required", c.option == "optional":
		case u.Field == nil:
			fields = append(fields, &model.Field{Name: u.Name, Type: &model.Type{Kind: model.Opaque}})
		case c.option == "only" && c.fields(u.Field.Type) == nil:
		default:
			fields = append(fields, u.Field)
		}
	}
	return fields
}

// enliven notes that a path ends below a spot, and so below all above it.
func (c *cut) enliven(s spot) {
	if !c.live[s] {
		c.live[s] = true
		for _, above := range c.above[s] {
			c.enliven(above)
		}
	}
}

// apply returns the type as the option leaves it.
func (c *cut) apply(t *model.Type, steps []step) *model.Type {
	here := at(t, steps)
	switch {
	case !c.live[here]:
		return t
	case c.made[here] != nil:
		return c.made[here]
	}
	copied := *t
	if t.Kind == model.Ref {
		copied = *c.fields(t)
	}
	copied.Narrowed = true
	if t.Def != nil {
		copied.Def = &model.Def{Stem: t.Def.Stem, Name: c.name + strings.TrimPrefix(t.Def.Name, c.name)}
	}
	c.made[here] = &copied
	if elem := c.within(t); elem != nil {
		copied.Elem = c.apply(elem, steps)
	}
	copied.Fields, copied.Unseen = nil, nil
	if c.option == "only" {
		copied.Clashes = nil // who says what is meant need not hear of the rest
	}
	for _, f := range t.Fields {
		if field := c.field(f, steps); field != nil {
			copied.Fields = append(copied.Fields, field)
		}
	}
	for _, u := range t.Unseen {
		c.settle(&copied, u, steps)
	}
	return &copied
}

// settle decides on a field that JSON cannot carry: it is kept in one way or another, or
// left out, by the note or still for what it is.
func (c *cut) settle(t *model.Type, u model.Unseen, steps []step) {
	ends, on := c.walk(steps, &model.Field{Name: u.Name})
	ended := len(ends) > 0
	switch {
	case c.option == "only":
		if u.Field == nil || !c.live[at(u.Field.Type, on)] {
			return
		}
		kept := *u.Field
		kept.Type = c.apply(u.Field.Type, on)
		t.Fields = append(t.Fields, &kept)
	case c.option == "omit" && ended:
	case ended && u.Field != nil && (c.option == "ref" || c.option == "text"):
		kept := *u.Field
		for _, end := range ends {
			c.change(&kept, c.paths[end])
		}
		t.Fields = append(t.Fields, &kept)
	default:
		t.Unseen = append(t.Unseen, u)
	}
}

// field returns a field as the option leaves it, nil if it does not.
func (c *cut) field(f *model.Field, steps []step) *model.Field {
	ends, on := c.walk(steps, f)
	if f.Hidden {
		ends, on = nil, nil
	}
	kept := *f
	switch {
	case c.option == "only" && len(ends) > 0:
		return &kept
	case c.option == "only" && !c.live[at(f.Type, on)], c.option == "omit" && len(ends) > 0:
		return nil
	}
	kept.Type = c.apply(f.Type, on)
	for _, end := range ends {
		c.change(&kept, c.paths[end])
	}
	return &kept
}

// change is what an option other than only and omit does to the field at the end of a
// path.
func (c *cut) change(f *model.Field, p aion.Path) {
	problem := ""
	switch c.option {
	case "required":
		f.Optional, f.Default = false, ""
	case "optional":
		f.Optional = true
	case "ref":
		if f.Type.HasPart() {
			f.Type, problem = ByReference(f.Type)
		}
	case "text":
		f.Type, problem = AsText(f.Type)
	}
	if problem != "" {
		c.faults.Errorf("note-option", p.Span, "%s: %s", p, problem)
	}
}

// complain reports the paths that lead nowhere in a type, which may be what other
// options have left of the whole.
func (c *cut) complain(t, whole *model.Type) bool {
	for i, p := range c.paths {
		if c.found[i] {
			continue
		}
		alone := newCut([]aion.Path{p}, c.fields)
		alone.option = c.option
		if alone.explore(whole, alone.start(), spot{}); alone.found[0] {
			c.faults.Errorf("unknown-path", p.Span, "%s= of %s, which the note leaves out", c.option, p).WithHelp("leave out one of the two")
			continue
		}
		c.lost(t, p)
	}
	return slices.Contains(c.found, false)
}

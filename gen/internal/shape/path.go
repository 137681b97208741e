package shape

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/words"
)

// Shaped is what the paths of a note leave of a type: itself where they change
// nothing, else a copy along the paths, whose definitions begin with a name. The list
// has the paths that lead nowhere.
func (s *Shapes) Shaped(t *model.Type, n *aion.Note, name string) (*model.Type, diag.List) {
	var faults diag.List
	whole := t
	for _, option := range []string{"ref", "text", "only", "omit", "required", "optional"} {
		paths := n.Paths(option)
		if len(paths) == 0 {
			continue
		}
		c := s.newCut(paths)
		c.option, c.name, c.faults = option, name, &faults
		c.explore(t, c.start(), spot{})
		if !c.complain(t, whole) {
			t = c.apply(t, c.start())
		}
	}
	return t, faults
}

// A cut is what one option does to a type.
type cut struct {
	*Shapes
	option string
	paths  []aion.Path
	name   string
	found  []bool          // by path: it ends somewhere
	above  map[spot][]spot // from where each was reached
	live   map[spot]bool   // those below which a path ends
	made   map[spot]*model.Type
	faults *diag.List
}

func (s *Shapes) newCut(paths []aion.Path) *cut {
	return &cut{
		Shapes: s, paths: paths, found: make([]bool, len(paths)),
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
		t = cmp.Or(c.valueOf(t), t)
	}
	return within(t)
}

func within(t *model.Type) *model.Type {
	switch t.Kind {
	case model.Pointer, model.Slice, model.Array, model.Map, model.Null:
		return t.Elem
	}
	return nil
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
	for _, f := range slices.Concat(objectFields(t), c.kept(t)) {
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
		case c.option == "only" && c.valueOf(u.Field.Type) == nil:
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

// objectFields are the fields that a model may see of a type.
func objectFields(t *model.Type) []*model.Field {
	if t.Kind != model.StructKind {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(t.Fields), func(f *model.Field) bool { return f.Hidden })
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
		copied = *c.valueOf(t)
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
		if f.Type.Kind != model.Ref && hasPart(f.Type) {
			f.Type, problem = ByReference(f.Type)
		}
	case "text":
		f.Type, problem = AsText(f.Type)
	}
	if problem != "" {
		c.faults.Errorf("note-option", p.Span, "%s: %s", p, problem)
	}
}

// ByReference is a type whose values are passed by reference, or the problem with that.
func ByReference(t *model.Type) (*model.Type, string) {
	if t.Kind == model.Opaque {
		return t, "generated code cannot name the type, so that there is no reference to it"
	}
	return &model.Type{Kind: model.Ref, Go: t.Go}, ""
}

// AsText is a type whose values are text: bytes that are not in base64, or what the
// String method of a result returns. The problem is that there is none.
func AsText(t *model.Type) (*model.Type, string) {
	text := *t
	text.Narrowed = true
	switch {
	case t.Kind == model.Bytes:
		text.Kind, text.Elem = model.ByteText, nil
	case t.Stringer:
		text = model.Type{Kind: model.Stringer, Go: t.Go, Nilable: t.Nilable}
	case within(t) != nil:
		elem, problem := AsText(t.Elem)
		if problem != "" {
			return t, problem
		}
		text.Elem = elem
	default:
		return t, fmt.Sprintf("text does not fit the Go type %s: bytes have one, and results with a method String() string", t.Go)
	}
	return &text, ""
}

// complain reports the paths that lead nowhere in a type, which may be what other
// options have left of the whole.
func (c *cut) complain(t, whole *model.Type) bool {
	for i, p := range c.paths {
		if c.found[i] {
			continue
		}
		alone := c.newCut([]aion.Path{p})
		if alone.explore(whole, alone.start(), spot{}); alone.found[0] {
			c.faults.Errorf("unknown-path", p.Span, "%s= of %s, which the note leaves out", c.option, p).WithHelp("leave out one of the two")
			continue
		}
		c.lost(t, p)
	}
	return slices.Contains(c.found, false)
}

// lost says how far a path leads, and what is there.
func (c *cut) lost(t *model.Type, p aion.Path) {
	if p.Anywhere {
		names := namesWithin(t, map[*model.Type]bool{})
		d := c.faults.Errorf("unknown-path", p.Span, "%s: nothing has such a field at any depth", p)
		if near := words.Nearest(p.Names[0], names); near != "" {
			d.WithHelp("did you mean %s?", aion.Path{Anywhere: true, Names: append([]string{near}, p.Names[1:]...)})
		}
		return
	}
	way := aion.Path{}
	for _, name := range p.Names {
		for within(t) != nil {
			t = within(t)
		}
		what := "the value"
		if len(way.Names) > 0 {
			what = way.String()
		}
		fields := objectFields(t)
		if t.Kind != model.StructKind {
			c.faults.Errorf("unknown-path", p.Span, "%s: %s is %s in Go, which has no fields for a model", p, what, describe(t))
			return
		}
		i := slices.IndexFunc(fields, func(f *model.Field) bool { return f.Name == name })
		if i >= 0 {
			t, way.Names = fields[i].Type, append(way.Names, name)
			continue
		}
		if u := slices.IndexFunc(t.Unseen, func(u model.Unseen) bool { return u.Name == name }); u >= 0 {
			c.faults.Errorf("unknown-path", p.Span, "%s: %s (%s) is left out, since JSON cannot carry it", p, name, t.Unseen[u].Type).
				WithHelp("keep it by reference: %q", "ref="+aion.Path{Names: append(way.Names, name)}.String())
			return
		}
		d := c.faults.Errorf("unknown-path", p.Span, "%s: %s, %s in Go, has no field %s", p, what, describe(t), name)
		if near := nearestField(name, fields); near != "" {
			d.WithHelp("did you mean %s?", aion.Path{Names: slices.Concat(way.Names, []string{near}, p.Names[len(way.Names)+1:])})
		} else {
			d.WithHelp("it has %s", words.Sample(namesOf(fields)))
		}
		return
	}
}

// describe is the Go type, or what stands for one without a name.
func describe(t *model.Type) string {
	if t.Kind == model.Opaque {
		return "of a type that generated code cannot name"
	}
	if t.Go.Name == "" && t.Kind == model.StructKind {
		return "an object"
	}
	return t.Go.String()
}

// nearestField is the JSON name of the field that a name was likely meant for: it may
// be that of Go.
func nearestField(name string, fields []*model.Field) string {
	for _, f := range fields {
		if goname.Loose(f.Name) == goname.Loose(name) || len(f.Path) > 0 && f.Path[len(f.Path)-1] == name {
			return f.Name
		}
	}
	return words.Nearest(name, namesOf(fields))
}

func namesOf(fields []*model.Field) (names []string) {
	for _, f := range fields {
		names = append(names, f.Name)
	}
	return names
}

// namesWithin are the names of all fields that a path can lead to.
func namesWithin(t *model.Type, seen map[*model.Type]bool) (names []string) {
	if t == nil || seen[t] {
		return nil
	}
	seen[t] = true
	names = namesWithin(within(t), seen)
	for _, f := range objectFields(t) {
		names = append(append(names, f.Name), namesWithin(f.Type, seen)...)
	}
	return names
}

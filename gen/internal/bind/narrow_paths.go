package bind

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

// narrowType applies the paths of a note to a type. It returns t itself if they change
// nothing, otherwise a copy along the paths, whose definitions begin with the name of the
// tool. The list reports paths that lead nowhere. The function fields returns a type passed
// by reference with its fields, nil if it has none.
func narrowType(t *model.Type, n *aion.Note, tool string, fields func(*model.Type) *model.Type) (*model.Type, diag.List) {
	var faults diag.List
	whole := t
	for _, option := range []string{"ref", "text", "only", "omit", "required", "optional", "open", "describe"} {
		paths := n.Paths(option)
		if len(paths) == 0 {
			continue
		}
		c := newNarrower(paths, fields)
		c.option, c.defPrefix, c.faults = option, goname.Exported(tool, "Tool"), &faults
		c.findPositions(t, c.startSteps(), position{})
		if !c.reportUnmatched(t, whole) {
			t = c.applyOption(t, c.startSteps())
		}
	}
	return t, faults
}

// A narrower applies the paths of one option to a type.
type narrower struct {
	handleFields func(*model.Type) *model.Type // returns a reference with its fields
	option       string
	change       func(*model.Field) // changes the field at the end of a path, for entries with a path
	paths        []aion.Path
	defPrefix    string
	matched      []bool                  // by path: whether it ends at a field
	parents      map[position][]position // the positions that lead to each
	live         map[position]bool       // positions below which a path ends
	copies       map[position]*model.Type
	faults       *diag.List
}

func newNarrower(paths []aion.Path, fields func(*model.Type) *model.Type) *narrower {
	return &narrower{
		handleFields: fields, paths: paths, matched: make([]bool, len(paths)),
		parents: map[position][]position{}, live: map[position]bool{}, copies: map[position]*model.Type{},
	}
}

// A pathStep says how many names of a path lead to the current type.
type pathStep struct{ path, at int }

// A position is a type and the path steps that led to it. Both decide how the option changes
// the type there.
type position struct {
	t     *model.Type
	steps string
}

func newPosition(t *model.Type, steps []pathStep) position { return position{t, fmt.Sprint(steps)} }

func (c *narrower) startSteps() (steps []pathStep) {
	for i := range c.paths {
		steps = append(steps, pathStep{i, 0})
	}
	return steps
}

// enterField follows the paths into a field. It returns those that end there and the steps of
// those that go on.
func (c *narrower) enterField(steps []pathStep, f *model.Field) (ends []int, on []pathStep) {
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
			on = append(on, pathStep{s.path, s.at + 1})
		}
	}
	return ends, on
}

// isWithoutFields reports whether a type may be a handle, whose fields only only= selects.
func isWithoutFields(t *model.Type) bool { return t.Kind == model.Ref || t.Kind == model.ErrorText }

// elementOf returns the type in which a path goes on if t is not an object, nil if there is
// none. With only=, paths also go on in the fields of values passed by reference.
func (c *narrower) elementOf(t *model.Type) *model.Type {
	if c.option == "only" && isWithoutFields(t) {
		t = cmp.Or(c.handleFields(t), t)
	}
	return innerType(t)
}

// findPositions records which paths match a field, and the positions above one that do.
func (c *narrower) findPositions(t *model.Type, steps []pathStep, from position) {
	if t == nil || len(steps) == 0 {
		return
	}
	here := newPosition(t, steps)
	_, known := c.parents[here]
	c.parents[here] = append(c.parents[here], from)
	if known {
		if c.live[here] {
			c.markLive(from)
		}
		return
	}
	c.findPositions(c.elementOf(t), steps, here)
	for _, f := range slices.Concat(t.ShownFields(), c.unseenFields(t)) {
		ends, on := c.enterField(steps, f)
		for _, end := range ends {
			if c.option != "only" || slices.Contains(t.Fields, f) {
				c.matched[end] = true
				c.markLive(here)
			}
		}
		c.findPositions(f.Type, on, here)
	}
}

// unseenFields returns the fields that JSON cannot carry but to which the option applies.
func (c *narrower) unseenFields(t *model.Type) (fields []*model.Field) {
	for _, u := range t.Unseen {
		switch {
		case u.Field == nil && c.option != "omit", c.option == "", c.option == "required", c.option == "optional", c.option == "open", c.option == "describe":
		case u.Field == nil:
			fields = append(fields, &model.Field{Name: u.Name, Type: &model.Type{Kind: model.Opaque}})
		case c.option == "only" && c.handleFields(u.Field.Type) == nil:
		default:
			fields = append(fields, u.Field)
		}
	}
	return fields
}

// markLive records that a path ends below a position and all positions above it.
func (c *narrower) markLive(s position) {
	if !c.live[s] {
		c.live[s] = true
		for _, above := range c.parents[s] {
			c.markLive(above)
		}
	}
}

// applyOption returns the type with the option applied.
func (c *narrower) applyOption(t *model.Type, steps []pathStep) *model.Type {
	here := newPosition(t, steps)
	switch {
	case !c.live[here]:
		return t
	case c.copies[here] != nil:
		return c.copies[here]
	}
	copied := *t
	if isWithoutFields(t) {
		copied = *c.handleFields(t)
	}
	copied.Narrowed = true
	if t.Def != nil {
		copied.Def = &model.Def{Stem: t.Def.Stem, Name: c.defPrefix + strings.TrimPrefix(t.Def.Name, c.defPrefix)}
	}
	c.copies[here] = &copied
	if elem := c.elementOf(t); elem != nil {
		copied.Elem = c.applyOption(elem, steps)
	}
	copied.Fields, copied.Unseen = nil, nil
	if c.option == "only" {
		copied.Clashes = nil // only= selects fields explicitly
		copied.Selected = true
	}
	for _, f := range t.Fields {
		field := c.narrowField(f, steps)
		switch {
		case t.Kind != model.Union:
		case field == nil && t.Nilable: // in a result, which may still have the variant
			field = withoutMembers(f)
		case field != nil:
			c.checkVariantOption(f, steps)
		}
		if field != nil {
			copied.Fields = append(copied.Fields, field)
		}
	}
	for _, u := range t.Unseen {
		c.narrowUnseen(&copied, u, steps)
	}
	return &copied
}

// withoutMembers returns a variant of which only the name is written.
func withoutMembers(f *model.Field) *model.Field {
	elem := f.Type
	if elem.Kind == model.Pointer {
		elem = elem.Elem
	}
	kept := *f
	kept.Type = &model.Type{Kind: model.StructKind, Go: elem.Go, Narrowed: true}
	if elem != f.Type {
		kept.Type = &model.Type{Kind: model.Pointer, Go: f.Type.Go, Elem: kept.Type, Narrowed: true}
	}
	return &kept
}

// checkVariantOption reports paths that end at a variant, unless they select or remove it.
func (c *narrower) checkVariantOption(f *model.Field, steps []pathStep) {
	if c.option == "only" || c.option == "omit" {
		return
	}
	ends, _ := c.enterField(steps, f)
	for _, end := range ends {
		c.faults.Errorf("note-option", c.paths[end].Span, "%s= of %s, which is a variant and not a field", c.option, c.paths[end]).
			WithHelp("name a field of the variant: %s=%s.…", c.option, c.paths[end])
	}
}

// narrowUnseen decides whether a field that JSON cannot carry is kept, dropped by the note,
// or still left out.
func (c *narrower) narrowUnseen(t *model.Type, u model.Unseen, steps []pathStep) {
	ends, on := c.enterField(steps, &model.Field{Name: u.Name})
	ended := len(ends) > 0
	switch {
	case c.option == "only":
		if u.Field == nil || !c.live[newPosition(u.Field.Type, on)] {
			return
		}
		kept := *u.Field
		kept.Type = c.applyOption(u.Field.Type, on)
		t.Fields = append(t.Fields, &kept)
	case c.option == "omit" && ended:
	case ended && u.Field != nil && (c.option == "ref" || c.option == "text"):
		kept := *u.Field
		for _, end := range ends {
			c.changeField(&kept, c.paths[end])
		}
		t.Fields = append(t.Fields, &kept)
	default:
		t.Unseen = append(t.Unseen, u)
	}
}

// narrowField returns the field with the option applied, nil if the option removes it.
func (c *narrower) narrowField(f *model.Field, steps []pathStep) *model.Field {
	ends, on := c.enterField(steps, f)
	if f.Hidden {
		ends, on = nil, nil
	}
	kept := *f
	switch {
	case c.option == "only" && len(ends) > 0:
		return &kept
	case c.option == "only" && !c.live[newPosition(f.Type, on)], c.option == "omit" && len(ends) > 0:
		return nil
	}
	kept.Type = c.applyOption(f.Type, on)
	for _, end := range ends {
		c.changeField(&kept, c.paths[end])
	}
	return &kept
}

// changeField applies an option other than only and omit to the field at the end of a path.
func (c *narrower) changeField(f *model.Field, p aion.Path) {
	problem := ""
	switch c.option {
	case "":
		c.change(f)
	case "required":
		f.Optional, f.Default = false, ""
	case "optional":
		f.Optional = true
	case "describe":
		f.Description = p.Text
	case "ref":
		if f.Type.HasPart() {
			f.Type, problem = convertToReference(f.Type)
		}
	case "text":
		f.Type, problem = asText(f.Type)
	case "open":
		f.Type, problem = openEnum(f.Type)
	}
	if problem != "" {
		c.faults.Errorf("note-option", p.Span, "%s: %s", p, problem)
	}
}

// reportUnmatched reports the paths that match nothing in t, which other options may have cut
// down from whole. It reports whether there are any.
func (c *narrower) reportUnmatched(t, whole *model.Type) bool {
	for i, p := range c.paths {
		if c.matched[i] {
			continue
		}
		alone := newNarrower([]aion.Path{p}, c.handleFields)
		alone.option = c.option
		if alone.findPositions(whole, alone.startSteps(), position{}); alone.matched[0] {
			c.faults.Errorf("unknown-path", p.Span, "%s= of %s, which another option of the note removes", c.option, p).WithHelp("leave out one of the two")
			continue
		}
		c.reportUnknownPath(t, p)
	}
	return slices.Contains(c.matched, false)
}

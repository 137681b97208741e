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

// narrowType applies the options of a note that have paths, such as only=id,items.price, to a type. It
// returns t itself if they change nothing. Otherwise it copies the types along the paths, and gives the
// definitions of the copies names that begin with the name of the tool. The list contains a diagnostic for
// each path that matches no field. The function handleFields takes a type whose values are passed by
// reference, and returns its shape with fields, or nil if it has none.
func narrowType(t *model.Type, n *aion.Note, tool string, handleFields func(*model.Type) *model.Type) (*model.Type, diag.List) {
	var faults diag.List
	original := t
	for _, option := range []string{"ref", "text", "only", "omit", "required", "optional", "open", "describe"} {
		paths := n.Paths(option)
		if len(paths) == 0 {
			continue
		}
		c := newNarrower(paths, handleFields)
		c.option, c.defPrefix, c.faults = option, goname.Exported(tool, "Tool"), &faults
		c.findPositions(t, c.startSteps(), position{})
		if !c.reportUnmatched(t, original) {
			t = c.applyOption(t, c.startSteps())
		}
	}
	return t, faults
}

// A narrower applies the paths of one option to a type.
type narrower struct {
	handleFields func(*model.Type) *model.Type // see narrowType
	option       string
	change       func(*model.Field) // changes the field at the end of a path, if option is empty
	paths        []aion.Path
	defPrefix    string                  // of the names of new definitions
	matched      []bool                  // by path: whether a field was found at its end
	parents      map[position][]position // the positions directly above each
	live         map[position]bool       // positions below which a path ends
	copies       map[position]*model.Type
	faults       *diag.List
}

func newNarrower(paths []aion.Path, handleFields func(*model.Type) *model.Type) *narrower {
	return &narrower{
		handleFields: handleFields, paths: paths, matched: make([]bool, len(paths)),
		parents: map[position][]position{}, live: map[position]bool{}, copies: map[position]*model.Type{},
	}
}

// A pathStep says that the first depth names of the path with the index path led to the current type.
type pathStep struct{ path, depth int }

// A position is a type together with the path steps that led to it, as text. Two occurrences of a type with
// the same steps are the same position, so the option changes them in the same way.
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

// enterField follows the paths into a field. It returns the indexes of the paths that end there,
// and the steps of those that continue.
func (c *narrower) enterField(steps []pathStep, f *model.Field) (ends []int, next []pathStep) {
	for _, s := range steps {
		p := c.paths[s.path]
		if p.Anywhere && s.depth == 0 {
			next = append(next, s)
		}
		switch {
		case f.Name != p.Names[s.depth]:
		case s.depth+1 == len(p.Names):
			ends = append(ends, s.path)
		default:
			next = append(next, pathStep{s.path, s.depth + 1})
		}
	}
	return ends, next
}

// isHandle reports whether values of a type are passed by reference. Only the option only= can
// select their fields.
func isHandle(t *model.Type) bool { return t.Kind == model.Ref || t.Kind == model.ErrorText }

// elementOf returns the type that t points to, or the type of its elements. The paths continue there. It
// returns nil for other types. With only=, paths also continue in a value that is passed by reference.
func (c *narrower) elementOf(t *model.Type) *model.Type {
	if c.option == "only" && isHandle(t) {
		t = cmp.Or(c.handleFields(t), t)
	}
	return innerType(t)
}

// findPositions visits t, which is directly below the position above. It records which paths match
// a field, and marks the positions above these fields as live.
func (c *narrower) findPositions(t *model.Type, steps []pathStep, above position) {
	if t == nil || len(steps) == 0 {
		return
	}
	here := newPosition(t, steps)
	_, visited := c.parents[here]
	c.parents[here] = append(c.parents[here], above)
	if visited {
		if c.live[here] {
			c.markLive(above)
		}
		return
	}
	c.findPositions(c.elementOf(t), steps, here)
	for _, f := range slices.Concat(t.ShownFields(), c.unseenFields(t)) {
		ends, next := c.enterField(steps, f)
		for _, end := range ends {
			if c.option != "only" || slices.Contains(t.Fields, f) {
				c.matched[end] = true
				c.markLive(here)
			}
		}
		c.findPositions(f.Type, next, here)
	}
}

// unseenFields returns the fields that JSON cannot carry but that the option can select, omit or
// convert.
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

// markLive records that a path ends below a position, and therefore below all positions above it.
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
	if isHandle(t) {
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
		case field == nil && t.Nilable: // a result can still have this variant
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

// withoutMembers returns a copy of a variant of which generated code writes only the name.
func withoutMembers(f *model.Field) *model.Field {
	elem := f.Type
	if elem.Kind == model.Pointer {
		elem = elem.Elem
	}
	variant := *f
	variant.Type = &model.Type{Kind: model.StructKind, Go: elem.Go, Narrowed: true}
	if elem != f.Type {
		variant.Type = &model.Type{Kind: model.Pointer, Go: f.Type.Go, Elem: variant.Type, Narrowed: true}
	}
	return &variant
}

// checkVariantOption reports paths that end at a variant, unless they select or remove it.
func (c *narrower) checkVariantOption(f *model.Field, steps []pathStep) {
	if c.option == "only" || c.option == "omit" {
		return
	}
	ends, _ := c.enterField(steps, f)
	for _, end := range ends {
		c.faults.Errorf("note-option", c.paths[end].Span, "%s= names %s, which is a variant, not a field", c.option, c.paths[end]).
			WithHelp("name a field of the variant: %s=%s.…", c.option, c.paths[end])
	}
}

// narrowUnseen adds a field that JSON cannot carry to the fields of t if the option selects or
// converts it. It drops the field if the option removes it, and otherwise records it as unseen
// again.
func (c *narrower) narrowUnseen(t *model.Type, u model.Unseen, steps []pathStep) {
	ends, next := c.enterField(steps, &model.Field{Name: u.Name})
	endsHere := len(ends) > 0
	switch {
	case c.option == "only":
		if u.Field == nil || !c.live[newPosition(u.Field.Type, next)] {
			return
		}
		field := *u.Field
		field.Type = c.applyOption(u.Field.Type, next)
		t.Fields = append(t.Fields, &field)
	case c.option == "omit" && endsHere:
	case endsHere && u.Field != nil && (c.option == "ref" || c.option == "text"):
		field := *u.Field
		for _, end := range ends {
			c.changeField(&field, c.paths[end])
		}
		t.Fields = append(t.Fields, &field)
	default:
		t.Unseen = append(t.Unseen, u)
	}
}

// narrowField returns the field with the option applied, nil if the option removes it.
func (c *narrower) narrowField(f *model.Field, steps []pathStep) *model.Field {
	ends, next := c.enterField(steps, f)
	if f.Hidden {
		ends, next = nil, nil
	}
	field := *f
	switch {
	case c.option == "only" && len(ends) > 0:
		return &field
	case c.option == "only" && !c.live[newPosition(f.Type, next)], c.option == "omit" && len(ends) > 0:
		return nil
	}
	field.Type = c.applyOption(f.Type, next)
	for _, end := range ends {
		c.changeField(&field, c.paths[end])
	}
	return &field
}

// changeField applies the option, which is neither only nor omit, to the field at the end of a
// path.
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

// reportUnmatched reports the paths that match no field of t, and returns true if there are any. The type
// original is t before any option of the note was applied.
func (c *narrower) reportUnmatched(t, original *model.Type) bool {
	for i, p := range c.paths {
		if c.matched[i] {
			continue
		}
		single := newNarrower([]aion.Path{p}, c.handleFields)
		single.option = c.option
		if single.findPositions(original, single.startSteps(), position{}); single.matched[0] {
			c.faults.Errorf("unknown-path", p.Span, "%s= names %s, which another option of the note removes", c.option, p).WithHelp("delete one of the two paths")
			continue
		}
		c.reportUnknownPath(t, p)
	}
	return slices.Contains(c.matched, false)
}

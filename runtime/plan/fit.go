package plan

import (
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsonschema/compare"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// fitting holds arguments against a schema, some of whose strings stand for values
// that are not known yet.
type fitting struct {
	holes   map[*jsontext.Node]hole
	open    map[*jsontext.Node]bool // what has holes in it
	checker *jsonschema.Checker
	faults  faults
}

// A hole is where a value will be, which is one of these schemas.
type hole struct {
	schemas []*jsonschema.Schema
	shown   string // as it stands there
}

// newFitting returns one for a value in which there are holes.
func newFitting(v *jsontext.Node, holes map[*jsontext.Node]hole, size int) *fitting {
	f := &fitting{holes: holes, open: map[*jsontext.Node]bool{}, checker: jsonschema.NewChecker(jsonschema.StepsFor(size))}
	var mark func(*jsontext.Node) bool
	mark = func(n *jsontext.Node) bool {
		_, has := holes[n]
		for _, item := range n.Items {
			has = mark(item) || has
		}
		if has {
			f.open[n] = true
		}
		return has
	}
	mark(v)
	return f
}

// may reports whether the value may be one of the schema, once it is known.
func (f *fitting) may(v *jsontext.Node, s *jsonschema.Schema) bool {
	if h, ok := f.holes[v]; ok {
		return slices.ContainsFunc(h.schemas, func(other *jsonschema.Schema) bool { return !compare.Disjoint(other, s) })
	}
	if !f.open[v] {
		return f.checker.Fits(v, s) || f.checker.Err() != nil
	}
	defer f.checker.Leave()
	if !f.checker.Enter(1 + len(v.Items)) {
		return true
	}
	if s.Never || !isKind(v, s) || !f.mayParts(v, s) {
		return false
	}
	if s.Ref != nil && !f.may(v, s.Ref) {
		return false
	}
	for _, other := range s.AllOf {
		if !f.may(v, other) {
			return false
		}
	}
	any := func(list []*jsonschema.Schema) bool {
		return len(list) == 0 || slices.ContainsFunc(list, func(other *jsonschema.Schema) bool { return f.may(v, other) })
	}
	return any(s.AnyOf) && any(s.OneOf)
}

// isKind reports whether a schema allows arrays, or objects, as the value is one.
func isKind(v *jsontext.Node, s *jsonschema.Schema) bool {
	listed := s.Values == nil || slices.ContainsFunc(s.Values.List, func(other *jsontext.Node) bool { return other.Kind == v.Kind })
	return listed && (s.Types == 0 || s.Types.Include(v))
}

// mayParts reports the same for the elements or members.
func (f *fitting) mayParts(v *jsontext.Node, s *jsonschema.Schema) bool {
	for i, item := range v.Items {
		for _, other := range partsOf(v, s, i) {
			if !f.may(item, other) {
				return false
			}
		}
	}
	size := s.Count
	if v.Kind == jsontext.Object {
		size = s.Members
	}
	for _, m := range v.Items {
		if s.Names != nil && v.Kind == jsontext.Object && !f.checker.Fits(&jsontext.Node{Kind: jsontext.String, Text: m.Key}, s.Names) {
			return false
		}
	}
	missing := v.Kind == jsontext.Object && slices.ContainsFunc(s.Required, func(name string) bool { return v.Member(name) == nil })
	return !missing && size.Least <= len(v.Items) && len(v.Items) <= size.Most
}

// partsOf returns the schemas of an element or a member.
func partsOf(v *jsontext.Node, s *jsonschema.Schema, i int) []*jsonschema.Schema {
	switch {
	case v.Kind == jsontext.Object:
		return s.AppendOf(nil, v.Items[i].Name())
	case i < len(s.Prefix):
		return s.Prefix[i : i+1]
	case s.Items != nil:
		return []*jsonschema.Schema{s.Items}
	}
	return nil
}

// tell adds why the value cannot be one of the schema.
func (f *fitting) tell(v *jsontext.Node, s *jsonschema.Schema, at string) {
	if !f.open[v] {
		for _, fault := range f.checker.Faults(v, s) {
			f.faults.add(at+fault.Pointer, fault.Expected, fault.Found)
		}
		return
	}
	if f.may(v, s) {
		return
	}
	if h, ok := f.holes[v]; ok {
		f.faults.add(at, demand(s), h.String())
		return
	}
	before := len(f.faults)
	switch {
	case s.Never || !isKind(v, s):
		f.faults.add(at, demand(s), jsonschema.Found(v))
	default:
		f.tellParts(v, s, at)
		f.tellBeside(v, s, at)
	}
	if len(f.faults) == before {
		f.faults.add(at, demand(s), jsonschema.Found(v)+" that cannot be one")
	}
}

// tellParts adds what is wrong with elements or members.
func (f *fitting) tellParts(v *jsontext.Node, s *jsonschema.Schema, at string) {
	for i, item := range v.Items {
		within := pointerTo(v, i, at)
		for _, other := range partsOf(v, s, i) {
			if other.Never && v.Kind == jsontext.Object {
				f.faults.add(within, words.Key(item.Name(), namesIn([]*jsonschema.Schema{s})), "the key "+show(item.Name()))
				continue
			}
			f.tell(item, other, within)
		}
	}
	for _, name := range s.Required {
		if v.Kind == jsontext.Object && v.Member(name) == nil {
			f.faults.add(jsontext.Join(at, name), words.Value, words.Nothing)
		}
	}
}

// tellBeside adds what is wrong by the schemas that the value has to be one of, too.
func (f *fitting) tellBeside(v *jsontext.Node, s *jsonschema.Schema, at string) {
	if s.Ref != nil {
		f.tell(v, s.Ref, at)
	}
	for _, other := range s.AllOf {
		f.tell(v, other, at)
	}
	for _, list := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf} {
		meant := slices.DeleteFunc(slices.Clone(list), func(other *jsonschema.Schema) bool {
			return other.Never || !isKind(v, other)
		})
		switch {
		case len(list) == 0 || slices.ContainsFunc(list, func(other *jsonschema.Schema) bool { return f.may(v, other) }):
		case len(meant) == 1:
			f.tell(v, meant[0], at)
		default:
			f.faults.add(at, "a value of one of "+strconv.Itoa(len(list))+" kinds", jsonschema.Found(v))
		}
	}
}

// demand says what a schema is for.
func demand(s *jsonschema.Schema) string {
	for each := range s.All() {
		switch {
		case each.Never:
			return "nothing"
		case each.Values != nil:
			return each.Values.String()
		}
	}
	if kinds := s.Speaks(); kinds != 0 {
		return kinds.String()
	}
	return "a value that fits the schema"
}

// String says what stands in the place of a value, and what that will be.
func (h hole) String() string {
	var all []string
	for _, s := range h.schemas {
		if text := demand(s); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return cut(h.shown) + ", which is " + words.Join(all, " or ", len(all))
}

package plan

import (
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsonschema/compare"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// fitChecker checks arguments against a schema. The arguments may contain holes, which are values that are
// not known yet.
type fitChecker struct {
	holes   map[*jsontext.Node]hole
	open    map[*jsontext.Node]bool // values that contain holes
	checker *jsonschema.Checker
	faults  faults
}

// hole is a node in the arguments that will be replaced later, such as a string with a reference. The value that
// replaces it will match one of the schemas.
type hole struct {
	schemas []*jsonschema.Schema
	shown   string // the text that is now in place of the value, for messages
}

// newFitChecker returns a checker for a value with holes.
func newFitChecker(v *jsontext.Node, holes map[*jsontext.Node]hole, size int) *fitChecker {
	f := &fitChecker{holes: holes, open: map[*jsontext.Node]bool{}, checker: jsonschema.NewChecker(jsonschema.StepsFor(size))}
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

// mayFit reports whether the value may fit the schema once its holes are filled.
func (f *fitChecker) mayFit(v *jsontext.Node, s *jsonschema.Schema) bool {
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
	if s.Never || !isKind(v, s) || !f.partsMayFit(v, s) {
		return false
	}
	if s.Ref != nil && !f.mayFit(v, s.Ref) || slices.ContainsFunc(s.AllOf, func(other *jsonschema.Schema) bool { return !f.mayFit(v, other) }) {
		return false
	}
	mayFitOne := func(list []*jsonschema.Schema) bool {
		return len(list) == 0 || slices.ContainsFunc(list, func(other *jsonschema.Schema) bool { return f.mayFit(v, other) })
	}
	return mayFitOne(s.AnyOf) && mayFitOne(s.OneOf)
}

// isKind reports whether a schema allows values of the kind of v, which is an array or an object.
func isKind(v *jsontext.Node, s *jsonschema.Schema) bool {
	listed := s.Values == nil || slices.ContainsFunc(s.Values.List, func(other *jsontext.Node) bool { return other.Kind == v.Kind })
	return listed && (s.Types == 0 || s.Types.Include(v))
}

// partsMayFit reports whether the elements or members of v may fit the schema once their holes are filled, and
// whether their number and names fit it now.
func (f *fitChecker) partsMayFit(v *jsontext.Node, s *jsonschema.Schema) bool {
	for i, item := range v.Items {
		if slices.ContainsFunc(partSchemas(v, s, i), func(other *jsonschema.Schema) bool { return !f.mayFit(item, other) }) {
			return false
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

// partSchemas returns the schemas in s that apply to the element or member of v at index i.
func partSchemas(v *jsontext.Node, s *jsonschema.Schema, i int) []*jsonschema.Schema {
	switch {
	case v.Kind == jsontext.Object:
		return s.AppendMemberSchemas(nil, v.Items[i].Name())
	case i < len(s.Prefix):
		return s.Prefix[i : i+1]
	case s.Items != nil:
		return []*jsonschema.Schema{s.Items}
	}
	return nil
}

// reportMisfit adds the reasons why the value cannot fit the schema.
func (f *fitChecker) reportMisfit(v *jsontext.Node, s *jsonschema.Schema, at string) {
	if !f.open[v] {
		for _, fault := range f.checker.Faults(v, s) {
			f.faults.addFault(at+fault.Pointer, fault.Expected, fault.Found)
		}
		return
	}
	if f.mayFit(v, s) {
		return
	}
	if h, ok := f.holes[v]; ok {
		f.faults.addFault(at, describeSchema(s), h.String())
		return
	}
	before := len(f.faults)
	switch {
	case s.Never || !isKind(v, s):
		f.faults.addFault(at, describeSchema(s), jsonschema.Found(v))
	default:
		f.reportParts(v, s, at)
		f.reportSubschemas(v, s, at)
	}
	if len(f.faults) == before {
		f.faults.addFault(at, describeSchema(s), jsonschema.Found(v)+" that does not match the schema")
	}
}

// reportParts adds faults of elements or members.
func (f *fitChecker) reportParts(v *jsontext.Node, s *jsonschema.Schema, at string) {
	for i, item := range v.Items {
		pointer := childPointer(v, i, at)
		for _, other := range partSchemas(v, s, i) {
			if other.Never && v.Kind == jsontext.Object {
				f.faults.addFault(pointer, words.ExpectedKey(item.Name(), propertyNames([]*jsonschema.Schema{s})), "the key "+quoteText(item.Name()))
				continue
			}
			f.reportMisfit(item, other, pointer)
		}
	}
	for _, name := range s.Required {
		if v.Kind == jsontext.Object && v.Member(name) == nil {
			f.faults.addFault(jsontext.Join(at, name), words.Value, words.Nothing)
		}
	}
}

// reportSubschemas adds faults of a value that does not match the schemas in $ref, allOf, anyOf or oneOf of s.
func (f *fitChecker) reportSubschemas(v *jsontext.Node, s *jsonschema.Schema, at string) {
	if s.Ref != nil {
		f.reportMisfit(v, s.Ref, at)
	}
	for _, other := range s.AllOf {
		f.reportMisfit(v, other, at)
	}
	for _, list := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf} {
		possible := slices.DeleteFunc(slices.Clone(list), func(other *jsonschema.Schema) bool {
			return other.Never || !isKind(v, other)
		})
		switch {
		case len(list) == 0 || slices.ContainsFunc(list, func(other *jsonschema.Schema) bool { return f.mayFit(v, other) }):
		case len(possible) == 1:
			f.reportMisfit(v, possible[0], at)
		default:
			f.faults.addFault(at, "a value of one of "+strconv.Itoa(len(list))+" kinds", jsonschema.Found(v))
		}
	}
}

// describeSchema describes the values of a schema.
func describeSchema(s *jsonschema.Schema) string {
	for each := range s.All() {
		switch {
		case each.Never:
			return "nothing"
		case each.Values != nil:
			return each.Values.String()
		}
	}
	if kinds := s.Kinds(); kinds != 0 {
		return kinds.String()
	}
	return "a value that fits the schema"
}

// String describes the hole and its future value.
func (h hole) String() string {
	var all []string
	for _, s := range h.schemas {
		if text := describeSchema(s); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return cutText(h.shown) + ", which is " + words.Join(all, " or ", len(all))
}

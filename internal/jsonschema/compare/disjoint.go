package compare

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// Disjoint reports whether it is certain that no value matches both schemas. It returns
// false if a keyword is not understood or the search takes too long.
func Disjoint(a, b *jsonschema.Schema) bool {
	return newDisjointness().areDisjoint(a, b)
}

// disjointness searches for proof that two schemas share no value.
type disjointness struct {
	budget budget
	open   map[pair]bool // pairs that are being compared; a nested comparison assumes that they are not disjoint
	depth  int
}

func newDisjointness() *disjointness {
	return &disjointness{budget: budget{maxSteps}, open: map[pair]bool{}}
}

// areDisjoint reports whether a requirement of a and one of b contradict each other. Since a value must meet all
// requirements of a schema, one contradiction is enough.
func (d *disjointness) areDisjoint(a, b *jsonschema.Schema) bool {
	p := pair{a, b}
	d.budget.steps--
	if d.budget.isSpent() || d.depth > maxDepth || d.open[p] {
		return false
	}
	d.open[p] = true
	d.depth++
	defer func() {
		d.depth--
		delete(d.open, p)
	}()
	return a.Never || b.Never || d.areAloneDisjoint(a, b) || d.excludes(a, b) || d.excludes(b, a)
}

// excludes reports whether b is disjoint from a subschema or reference that every value of a must match.
func (d *disjointness) excludes(a, b *jsonschema.Schema) bool {
	with := func(other *jsonschema.Schema) bool { return d.areDisjoint(other, b) }
	all := func(others []*jsonschema.Schema) bool {
		return len(others) > 0 && !slices.ContainsFunc(others, func(s *jsonschema.Schema) bool { return !with(s) })
	}
	return a.Ref != nil && with(a.Ref) || slices.ContainsFunc(a.AllOf, with) || all(a.AnyOf) || all(a.OneOf)
}

// areAloneDisjoint reports whether the two schemas are disjoint without considering allOf, anyOf, oneOf and references.
func (d *disjointness) areAloneDisjoint(a, b *jsonschema.Schema) bool {
	if noneFits(a, b) || noneFits(b, a) {
		return true
	}
	kinds := []jsontext.Kind{jsontext.Null, jsontext.Bool, jsontext.Number, jsontext.String, jsontext.Array, jsontext.Object}
	return !slices.ContainsFunc(kinds, func(k jsontext.Kind) bool {
		return allowsKind(a, k) && allowsKind(b, k) && !d.disjointAs(k, a, b)
	})
}

// allowsKind reports whether a schema allows values of a kind. Integers count as numbers.
func allowsKind(s *jsonschema.Schema, k jsontext.Kind) bool {
	if s.Values != nil && !slices.ContainsFunc(s.Values.List, func(v *jsontext.Node) bool { return v.Kind == k }) {
		return false
	}
	return s.Types == 0 || s.Types.Has(k) || k == jsontext.Number && s.Types.Has(jsonschema.Integer)
}

// noneFits reports whether a enumerates its values and none of them matches b.
func noneFits(a, b *jsonschema.Schema) bool {
	if a.Values == nil {
		return false
	}
	size := 0
	for _, v := range a.Values.List {
		size += len(v.String())
	}
	c := jsonschema.NewChecker(jsonschema.StepsFor(size))
	fits := slices.ContainsFunc(a.Values.List, func(v *jsontext.Node) bool { return c.Fits(v, b) })
	return !fits && c.Err() == nil
}

// disjointAs reports whether no value of a kind matches both schemas.
func (d *disjointness) disjointAs(k jsontext.Kind, a, b *jsonschema.Schema) bool {
	switch k {
	case jsontext.Number:
		return isAbove(a, b) || isAbove(b, a)
	case jsontext.String:
		return haveNoCommonSize(a.Length, b.Length)
	case jsontext.Array:
		return haveNoCommonSize(a.Count, b.Count) || d.disjointElements(a, b)
	case jsontext.Object:
		return haveNoCommonSize(a.Members, b.Members) || d.disjointMembers(a, b) || d.disjointMembers(b, a)
	}
	return false
}

// haveNoCommonSize reports whether there is no count that both sizes allow.
func haveNoCommonSize(a, b jsonschema.Size) bool { return max(a.Least, b.Least) > min(a.Most, b.Most) }

// isAbove reports whether all numbers that a allows are greater than all numbers that b allows.
func isAbove(a, b *jsonschema.Schema) bool {
	least := tighter(a.Minimum, a.ExclusiveMinimum, 1)
	most := tighter(b.Maximum, b.ExclusiveMaximum, -1)
	if least.limit == nil || most.limit == nil {
		return false
	}
	order := least.limit.Value.Compare(most.limit.Value)
	return order > 0 || order == 0 && (least.exclusive || most.exclusive)
}

// disjointElements reports whether every array that matches a and b must have an element at some index for which
// a and b have disjoint schemas.
func (d *disjointness) disjointElements(a, b *jsonschema.Schema) bool {
	element := func(s *jsonschema.Schema, i int) *jsonschema.Schema {
		if i < len(s.Prefix) {
			return s.Prefix[i]
		}
		return orAny(s.Items)
	}
	least := max(a.Count.Least, b.Count.Least)
	for i := range min(least, 1+max(len(a.Prefix), len(b.Prefix))) {
		if d.areDisjoint(element(a, i), element(b, i)) {
			return true
		}
	}
	return false
}

// disjointMembers reports whether a requires a member for which a and b have disjoint schemas.
func (d *disjointness) disjointMembers(a, b *jsonschema.Schema) bool {
	for _, name := range a.Required {
		for _, x := range orAnything(a.AppendMemberSchemas(nil, name)) {
			for _, y := range orAnything(b.AppendMemberSchemas(nil, name)) {
				if d.areDisjoint(x, y) {
					return true
				}
			}
		}
	}
	return false
}

func orAnything(all []*jsonschema.Schema) []*jsonschema.Schema {
	if len(all) == 0 {
		return []*jsonschema.Schema{anything}
	}
	return all
}

// anything is the schema that allows all values.
var anything = func() *jsonschema.Schema {
	s, err := jsonschema.Parse([]byte("true"))
	if err != nil {
		panic(err)
	}
	return s
}()

// orAny returns a schema, or the schema that allows all values if it is nil.
func orAny(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return anything
	}
	return s
}

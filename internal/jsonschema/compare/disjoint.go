package compare

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// Disjoint reports whether it is certain that no value is one of both schemas. What
// is not understood, or takes too long to find out, is not certain.
func Disjoint(a, b *jsonschema.Schema) bool {
	return newDisjointness().disjoint(a, b)
}

// disjointness is the search for a reason why two schemas share no value.
type disjointness struct {
	budget budget
	open   map[pair]bool // under way, where nothing is certain
	depth  int
}

func newDisjointness() *disjointness {
	return &disjointness{budget: budget{maxSteps}, open: map[pair]bool{}}
}

// disjoint looks for two demands that contradict each other. All that a value of
// one schema has to be holds at once, so any one of the demands may do it.
func (d *disjointness) disjoint(a, b *jsonschema.Schema) bool {
	p := pair{a, b}
	d.budget.steps--
	if d.budget.spent() || d.depth > maxDepth || d.open[p] {
		return false
	}
	d.open[p] = true
	d.depth++
	defer func() {
		d.depth--
		delete(d.open, p)
	}()
	return a.Never || b.Never || d.alone(a, b) || d.demands(a, b) || d.demands(b, a)
}

// demands reports whether something that a value of a has to be beside a itself
// shares no value with b.
func (d *disjointness) demands(a, b *jsonschema.Schema) bool {
	with := func(other *jsonschema.Schema) bool { return d.disjoint(other, b) }
	all := func(others []*jsonschema.Schema) bool {
		return len(others) > 0 && !slices.ContainsFunc(others, func(s *jsonschema.Schema) bool { return !with(s) })
	}
	return a.Ref != nil && with(a.Ref) || slices.ContainsFunc(a.AllOf, with) || all(a.AnyOf) || all(a.OneOf)
}

// alone reports whether what two schemas say themselves excludes each other.
func (d *disjointness) alone(a, b *jsonschema.Schema) bool {
	if noneFits(a, b) || noneFits(b, a) {
		return true
	}
	kinds := []jsontext.Kind{jsontext.Null, jsontext.Bool, jsontext.Number, jsontext.String, jsontext.Array, jsontext.Object}
	return !slices.ContainsFunc(kinds, func(k jsontext.Kind) bool {
		return allows(a, k) && allows(b, k) && !d.disjointAs(k, a, b)
	})
}

// allows reports whether a schema allows values of a kind, of which integers are
// none of their own.
func allows(s *jsonschema.Schema, k jsontext.Kind) bool {
	if s.Values != nil && !slices.ContainsFunc(s.Values.List, func(v *jsontext.Node) bool { return v.Kind == k }) {
		return false
	}
	return s.Types == 0 || s.Types.Has(k) || k == jsontext.Number && s.Types.Has(jsonschema.Integer)
}

// noneFits reports whether a lists its values, and none of them is one of b.
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

// disjointAs reports the same for values of one kind.
func (d *disjointness) disjointAs(k jsontext.Kind, a, b *jsonschema.Schema) bool {
	switch k {
	case jsontext.Number:
		return above(a, b) || above(b, a)
	case jsontext.String:
		return apart(a.Length, b.Length)
	case jsontext.Array:
		return apart(a.Count, b.Count) || d.disjointElements(a, b)
	case jsontext.Object:
		return apart(a.Members, b.Members) || d.disjointMembers(a, b) || d.disjointMembers(b, a)
	}
	return false
}

// apart reports whether there is no number of things that both allow.
func apart(a, b jsonschema.Size) bool { return max(a.Least, b.Least) > min(a.Most, b.Most) }

// above reports whether the numbers of a are all greater than those of b.
func above(a, b *jsonschema.Schema) bool {
	least := tighter(a.Minimum, a.ExclusiveMinimum, 1)
	most := tighter(b.Maximum, b.ExclusiveMaximum, -1)
	if least.limit == nil || most.limit == nil {
		return false
	}
	order := least.limit.Value.Compare(most.limit.Value)
	return order > 0 || order == 0 && (least.exclusive || most.exclusive)
}

// disjointElements looks at the elements that every list has.
func (d *disjointness) disjointElements(a, b *jsonschema.Schema) bool {
	element := func(s *jsonschema.Schema, i int) *jsonschema.Schema {
		if i < len(s.Prefix) {
			return s.Prefix[i]
		}
		return orAny(s.Items)
	}
	always := max(a.Count.Least, b.Count.Least)
	for i := range min(always, 1+max(len(a.Prefix), len(b.Prefix))) {
		if d.disjoint(element(a, i), element(b, i)) {
			return true
		}
	}
	return false
}

// disjointMembers looks at the members that every object of a has.
func (d *disjointness) disjointMembers(a, b *jsonschema.Schema) bool {
	for _, name := range a.Required {
		for _, x := range orAnything(a.AppendOf(nil, name)) {
			for _, y := range orAnything(b.AppendOf(nil, name)) {
				if d.disjoint(x, y) {
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

// anything is the schema of all values.
var anything = func() *jsonschema.Schema {
	s, err := jsonschema.Parse([]byte("true"))
	if err != nil {
		panic(err)
	}
	return s
}()

// orAny returns a schema, or that of all values if there is none.
func orAny(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return anything
	}
	return s
}

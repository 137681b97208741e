package schema

import "github.com/santhosh-tekuri/jsonschema/v6"

// steps is how often a value may be held against a schema, or a part of it against
// a part: the validator does so once for each way that leads there, and schemas of
// unions that refer to others have ways without number.
func (n *node) steps() int { return 10_000 + 100*n.count() }

// count returns how many values there are, with those within.
func (n *node) count() int {
	sum := 1
	for _, v := range n.values {
		sum += v.count()
	}
	return sum
}

// costs tells beforehand how many steps a validation takes at most. It counts what
// each pair of schema and value takes once, however many ways lead there.
type costs struct {
	limit int
	asked int // how often, each time for a step at least
	known map[pair]int
}

type pair struct {
	schema *jsonschema.Schema
	value  *node
}

// exceeds reports whether a validation takes more steps than a value is worth.
func exceeds(s *jsonschema.Schema, v *node) bool {
	c := costs{limit: v.steps(), known: map[pair]int{}}
	return c.of(s, v) > c.limit || c.asked > c.limit
}

// of returns how many steps it takes to hold a value against a schema, more than
// the limit if there is no end to it.
func (c *costs) of(s *jsonschema.Schema, v *node) int {
	if s == nil {
		return 0
	}
	at := pair{s, v}
	c.asked++
	if cost, known := c.known[at]; known || c.asked > c.limit {
		return cost
	}
	c.known[at] = c.limit + 1 // for what leads back here
	cost := 1
	hold := func(v *node, schemas ...*jsonschema.Schema) {
		for _, s := range schemas {
			if cost <= c.limit {
				cost += c.of(s, v)
			}
		}
	}
	hold(v, s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else)
	hold(v, s.AllOf...)
	hold(v, s.AnyOf...)
	hold(v, s.OneOf...)
	if s.DynamicRef != nil {
		hold(v, s.DynamicRef.Ref)
	}
	for _, dependent := range s.DependentSchemas {
		hold(v, dependent)
	}
	for _, dependent := range s.Dependencies {
		hold(v, schemaOf(dependent))
	}
	for i, w := range v.values {
		if v.is('[') {
			hold(w, itemOf(s, i), s.Contains, s.UnevaluatedItems)
			continue
		}
		hold(w, memberOf(s, v.name(i))...)
		hold(&node{text: v.keys[i]}, s.PropertyNames)
	}
	c.known[at] = cost
	return cost
}

// itemOf returns the schema that the element of an array is held against.
func itemOf(s *jsonschema.Schema, i int) *jsonschema.Schema {
	tuple, _ := s.Items.([]*jsonschema.Schema)
	switch {
	case i < len(s.PrefixItems):
		return s.PrefixItems[i]
	case i < len(tuple):
		return tuple[i]
	case tuple != nil:
		return schemaOf(s.AdditionalItems)
	case s.Items2020 != nil:
		return s.Items2020
	}
	return schemaOf(s.Items)
}

// memberOf returns the schemas that the member of an object is held against.
func memberOf(s *jsonschema.Schema, name string) []*jsonschema.Schema {
	all := []*jsonschema.Schema{s.UnevaluatedProperties}
	if property := s.Properties[name]; property != nil {
		all = append(all, property)
	}
	for pattern, property := range s.PatternProperties {
		if pattern.MatchString(name) {
			all = append(all, property)
		}
	}
	if len(all) == 1 {
		all = append(all, schemaOf(s.AdditionalProperties))
	}
	return all
}

// schemaOf returns the schema that may stand where other things may.
func schemaOf(v any) *jsonschema.Schema {
	s, _ := v.(*jsonschema.Schema)
	return s
}

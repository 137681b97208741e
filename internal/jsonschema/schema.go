package jsonschema

import (
	"iter"
	"math"
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// A Schema describes the allowed values. [Parse] creates one Schema for each schema of the
// document, which all references to it share.
type Schema struct {
	Node *jsontext.Node // as it was written

	Never  bool  // no value is one of it
	Types  Types // none if all are allowed
	Values *Values

	Ref   *Schema   // what it refers to
	AllOf []*Schema // and so for the others
	AnyOf []*Schema
	OneOf []*Schema
	Not   *Schema
	If    *Schema
	Then  *Schema
	Else  *Schema

	Minimum, Maximum                   *Limit
	ExclusiveMinimum, ExclusiveMaximum *Limit
	MultipleOf                         *Limit

	Length          Size // of a string, in characters
	Pattern         *Pattern
	Format          string
	ContentEncoding string

	Count            Size // of elements
	Prefix           []*Schema
	Items            *Schema // of elements behind those
	Contains         *Schema
	Contained        Size // of elements that are one of Contains
	Unique           bool
	UnevaluatedItems *Schema

	Members               Size // how many there are
	Properties            []Property
	Patterns              []PatternProperty
	Additional            *Schema // of members that have no other
	Names                 *Schema
	Required              []string
	DependentRequired     []Dependency
	DependentSchemas      []Property // by the name of the member that they depend on
	UnevaluatedProperties *Schema

	dynamic  *dynamicReference
	resource *resource
	byName   map[string]*Schema
	speaks   Types
	cost     int // of checking a value against it, without related schemas
}

// Size is a range of counts, such as lengths.
type Size struct{ Least, Most int }

// anySize is the Size without limits.
var anySize = Size{0, math.MaxInt}

// Limit is a number that values are compared with.
type Limit struct {
	Text  string // as it was written
	Value jsontext.Decimal
	words string // as it is written in messages
}

// Values are the only allowed values of a schema.
type Values struct {
	List  []*jsontext.Node
	known map[string]bool // by canonical form
	size  int             // of all that, in bytes
	kinds Types
}

// Property is the schema of the members with a name.
type Property struct {
	Name   string
	Schema *Schema
}

// PatternProperty is the schema of the members whose names match a pattern.
type PatternProperty struct {
	Pattern *Pattern
	Schema  *Schema
}

// Dependency lists the members that are required if another member is present.
type Dependency struct {
	Name     string
	Required []string
}

// Types is a set of kinds of values. Integers are a kind of their own in addition to
// numbers.
type Types uint8

// Integer is the kind of numbers without a fraction.
const Integer = jsontext.Object + 1

// TypeNames are the names of the kinds, by kind.
var TypeNames = [...]string{"null", "boolean", "number", "string", "array", "object", "integer"}

// TypesOf returns the set of some kinds.
func TypesOf(kinds ...jsontext.Kind) (t Types) {
	for _, k := range kinds {
		t |= 1 << k
	}
	return t
}

// Has reports whether a kind is in the set.
func (t Types) Has(k jsontext.Kind) bool { return t&(1<<k) != 0 }

// Include reports whether the kind of a value is in the set.
func (t Types) Include(v *jsontext.Node) bool {
	return t.Has(v.Kind) || v.Kind == jsontext.Number && t.Has(Integer) && jsontext.ParseDecimal(v.Text).IsInteger()
}

// Lists reports whether a value is one of the values.
func (v *Values) Lists(n *jsontext.Node) bool {
	ok, _ := v.findValue(n)
	return ok
}

// findValue is like Lists and also returns its cost in bytes.
func (v *Values) findValue(n *jsontext.Node) (ok bool, size int) {
	if !v.kinds.Has(n.Kind) {
		return false, 0
	}
	text := n.AppendCanonical(nil)
	return v.known[string(text)], len(text)
}

// describeCost returns how many steps it takes to describe the values.
func (v *Values) describeCost() int {
	if v == nil {
		return 0
	}
	return v.size / 8
}

// Property returns the schema of the property with a name, or nil.
func (s *Schema) Property(name string) *Schema { return s.byName[name] }

// AppendOf appends the schemas in s itself that a member with a name must match.
func (s *Schema) AppendOf(all []*Schema, name string) []*Schema {
	before := len(all)
	if p := s.byName[name]; p != nil {
		all = append(all, p)
	}
	for _, p := range s.Patterns {
		if p.Pattern.Match(name) {
			all = append(all, p.Schema)
		}
	}
	if len(all) == before && s.Additional != nil {
		all = append(all, s.Additional)
	}
	return all
}

// relatedSchemas returns the schemas that apply to the same value as s: the target of its
// reference and those in allOf, anyOf and oneOf.
func (s *Schema) relatedSchemas() []*Schema {
	if s.Ref == nil {
		return slices.Concat(s.AllOf, s.AnyOf, s.OneOf)
	}
	return slices.Concat([]*Schema{s.Ref}, s.AllOf, s.AnyOf, s.OneOf)
}

// All yields s and, once each, all schemas that apply to the same value: the targets of
// references and the schemas in allOf, anyOf and oneOf, recursively.
func (s *Schema) All() iter.Seq[*Schema] {
	return func(yield func(*Schema) bool) {
		seen := map[*Schema]bool{}
		var each func(s *Schema) bool
		each = func(s *Schema) bool {
			if seen[s] {
				return true
			}
			seen[s] = true
			return yield(s) && !slices.ContainsFunc(s.relatedSchemas(), func(other *Schema) bool { return !each(other) })
		}
		each(s)
	}
}

// deepestKinds limits how many references and alternatives are followed to find the kinds of
// values that a schema is about.
const deepestKinds = 6

// Speaks returns the kinds of values that s is about, or none if it is about all.
func (s *Schema) Speaks() Types { return s.speaks }

// settleKinds computes the kinds of values that schemas are about: those that they name, or
// else those of related schemas. It works level by level, because there may be more paths
// through a schema than schemas.
func settleKinds(all []*Schema) {
	own := func(s *Schema) Types {
		if s.Types == 0 && s.Values != nil {
			return s.Values.kinds
		}
		return s.Types
	}
	for _, s := range all {
		s.speaks = own(s)
	}
	for range deepestKinds {
		next := make([]Types, len(all))
		for i, s := range all {
			next[i] = own(s)
			if s.Types == 0 {
				for _, other := range s.relatedSchemas() {
					next[i] |= other.speaks
				}
			}
		}
		for i, s := range all {
			s.speaks = next[i]
		}
	}
}

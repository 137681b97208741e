package jsonschema

import (
	"iter"
	"math"
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema/text"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// A Schema says what values are allowed. It is made by [Parse], and is the same
// for every reference to it.
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
	Pattern         *text.Pattern
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
	cost     int // of holding a value against it, beside what it refers to
}

// Size is how many there may be of something.
type Size struct{ Least, Most int }

// anySize is what there may be where nothing is said.
var anySize = Size{0, math.MaxInt}

// Limit is a number that others are compared with.
type Limit struct {
	Text  string // as it was written
	Value jsontext.Decimal
	words string // the same to who is told of it
}

// Values are the only ones that are allowed.
type Values struct {
	List  []*jsontext.Node
	known map[string]bool // by canonical form
	size  int             // of all that, in bytes
	kinds Types
}

// Property is the schema of the members of a name.
type Property struct {
	Name   string
	Schema *Schema
}

// PatternProperty is the schema of the members whose names match.
type PatternProperty struct {
	Pattern *text.Pattern
	Schema  *Schema
}

// Dependency tells which members there must be if there is another.
type Dependency struct {
	Name     string
	Required []string
}

// Types is a set of kinds of values. Integers are a kind of their own beside
// numbers.
type Types uint8

// Integer is the kind of numbers without a fraction.
const Integer = jsontext.Object + 1

// TypeNames are the names of the kinds, by kind.
var TypeNames = [...]string{"null", "boolean", "number", "string", "array", "object", "integer"}

// TypesOf returns a set.
func TypesOf(kinds ...jsontext.Kind) (t Types) {
	for _, k := range kinds {
		t |= 1 << k
	}
	return t
}

// Has reports whether a kind is in the set.
func (t Types) Has(k jsontext.Kind) bool { return t&(1<<k) != 0 }

// Include reports whether a value is of one of the kinds.
func (t Types) Include(v *jsontext.Node) bool {
	return t.Has(v.Kind) || v.Kind == jsontext.Number && t.Has(Integer) && jsontext.ParseDecimal(v.Text).IsInteger()
}

// Lists reports whether a value is one of those.
func (v *Values) Lists(n *jsontext.Node) bool {
	ok, _ := v.lists(n)
	return ok
}

// lists also returns what it took to find out, in bytes.
func (v *Values) lists(n *jsontext.Node) (ok bool, size int) {
	if !v.kinds.Has(n.Kind) {
		return false, 0
	}
	text := n.AppendCanonical(nil)
	return v.known[string(text)], len(text)
}

// spelling is how many steps it takes to say what the values are.
func (v *Values) spelling() int {
	if v == nil {
		return 0
	}
	return v.size / 8
}

// Property returns the schema of the members of a name; nil if there is none for
// this one.
func (s *Schema) Property(name string) *Schema { return s.byName[name] }

// AppendOf appends the schemas in s itself that a member has to be one of.
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

// also returns the schemas that a value of s is held against beside s: what it
// refers to, and what is in allOf, anyOf and oneOf.
func (s *Schema) also() []*Schema {
	if s.Ref == nil {
		return slices.Concat(s.AllOf, s.AnyOf, s.OneOf)
	}
	return slices.Concat([]*Schema{s.Ref}, s.AllOf, s.AnyOf, s.OneOf)
}

// All yields s and the schemas that a value of s is held against beside it, each
// once: what it refers to, what is in allOf, anyOf and oneOf, and so on.
func (s *Schema) All() iter.Seq[*Schema] {
	return func(yield func(*Schema) bool) {
		seen := map[*Schema]bool{}
		var each func(s *Schema) bool
		each = func(s *Schema) bool {
			if seen[s] {
				return true
			}
			seen[s] = true
			return yield(s) && !slices.ContainsFunc(s.also(), func(other *Schema) bool { return !each(other) })
		}
		each(s)
	}
}

// deepestKinds bounds how many references and alternatives are followed to know what
// kinds of values a schema speaks of.
const deepestKinds = 6

// Speaks returns the kinds of values that s speaks of; none if of all.
func (s *Schema) Speaks() Types { return s.speaks }

// settleKinds reckons what kinds of values schemas speak of: those that they name,
// else those of what is beside them, level by level, for there may be more ways
// through a schema than there are schemas.
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
				for _, other := range s.also() {
					next[i] |= other.speaks
				}
			}
		}
		for i, s := range all {
			s.speaks = next[i]
		}
	}
}

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
	Node *jsontext.Node // the JSON of the schema

	Never  bool    // the schema allows no value
	Types  Types   // the allowed types; 0 if all are allowed
	Values *Values // the enumerated values; nil if the schema does not enumerate values

	// These are the schemas of the keywords with the same names.
	Ref   *Schema
	AllOf []*Schema
	AnyOf []*Schema
	OneOf []*Schema
	Not   *Schema
	If    *Schema
	Then  *Schema
	Else  *Schema

	Minimum, Maximum                   *Limit
	ExclusiveMinimum, ExclusiveMaximum *Limit
	MultipleOf                         *Limit

	Length          Size // the length of a string, in characters
	Pattern         *Pattern
	Format          string
	ContentEncoding string

	Count            Size      // the number of elements
	Prefix           []*Schema // prefixItems
	Items            *Schema   // the schema of the elements after those of Prefix
	Contains         *Schema
	Contained        Size // the number of elements that match Contains
	Unique           bool
	UnevaluatedItems *Schema

	Members               Size // the number of members
	Properties            []Property
	Patterns              []PatternProperty
	Additional            *Schema // the schema of the members that are in neither Properties nor Patterns
	Names                 *Schema // propertyNames
	Required              []string
	DependentRequired     []Dependency
	DependentSchemas      []Property // named for the member that they depend on
	UnevaluatedProperties *Schema

	dynamic  *dynamicReference
	resource *resource
	byName   map[string]*Schema
	kinds    Types // see Kinds
	cost     int   // steps for checking a value against this schema, without its subschemas
}

// Size is a range of counts, such as lengths.
type Size struct{ Least, Most int }

// anySize is the Size without limits.
var anySize = Size{0, math.MaxInt}

// Limit is a number that values are compared with.
type Limit struct {
	Text  string // as written in the schema
	Value jsontext.Decimal
	words string // as written in messages
}

// Values are the only allowed values of a schema.
type Values struct {
	List  []*jsontext.Node
	known map[string]bool // the canonical JSON of the values
	size  int             // total size of the canonical JSON, in bytes
	kinds Types           // the kinds of the values
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

// Types is a set of kinds of values. In addition to the kinds of package jsontext, there is the kind Integer.
type Types uint8

// Integer is the kind of numbers without a fraction.
const Integer = jsontext.Object + 1

// TypeNames are the names of the kinds in JSON Schema, indexed by kind.
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

// findValue is like Lists, but also returns the size of the canonical JSON that it compared, in bytes.
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

// AppendMemberSchemas appends the schemas that a member with a name must match. It considers properties,
// patternProperties and additionalProperties of s itself, but not those of subschemas such as allOf.
func (s *Schema) AppendMemberSchemas(all []*Schema, name string) []*Schema {
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

// deepestKinds is the number of references and alternatives that computeKinds follows from a schema.
const deepestKinds = 6

// Kinds returns the kinds of values that s mentions: its types or the kinds of its enumerated values. If it has
// neither, they are the kinds that the schemas in $ref, allOf, anyOf and oneOf mention. Kinds returns 0 if s
// mentions none, and so allows all.
func (s *Schema) Kinds() Types { return s.kinds }

// computeKinds sets the field kinds of schemas. It works in rounds: in each, a schema takes over the kinds of its
// related schemas. It does not follow each path of references and alternatives, because there may be far more
// paths than schemas.
func computeKinds(all []*Schema) {
	own := func(s *Schema) Types {
		if s.Types == 0 && s.Values != nil {
			return s.Values.kinds
		}
		return s.Types
	}
	for _, s := range all {
		s.kinds = own(s)
	}
	for range deepestKinds {
		next := make([]Types, len(all))
		for i, s := range all {
			next[i] = own(s)
			if s.Types == 0 {
				for _, other := range s.relatedSchemas() {
					next[i] |= other.kinds
				}
			}
		}
		for i, s := range all {
			s.kinds = next[i]
		}
	}
}

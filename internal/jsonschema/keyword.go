package jsonschema

import (
	"slices"
	"strconv"
	"sync"

	"github.com/aiongen/aiongen/internal/jsonschema/text"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// keyword is one that is read.
type keyword struct {
	*reader
	s     *Schema
	value *jsontext.Node
	at    place
}

// keywords are those that say something of a value, and how they are read; see
// [readers].
var keywords struct {
	once    sync.Once
	readers map[string]func(keyword)
}

// readers returns the keywords. They are made when the first schema is read: programs
// that read none do not link what reads them, as they would all that a variable of the
// package is initialised with.
func readers() map[string]func(keyword) {
	keywords.once.Do(func() { keywords.readers = allReaders() })
	return keywords.readers
}

func allReaders() map[string]func(keyword) {
	return map[string]func(keyword){
		"$ref":          func(k keyword) { k.s.Ref, _ = k.target() },
		"$dynamicRef":   keyword.dynamicRef,
		"$recursiveRef": func(k keyword) { k.fail(k.at, `"$dynamicRef" instead`, Found(k.value)) },

		"type":  keyword.types,
		"enum":  func(k keyword) { k.expect(jsontext.Array, "an array"); k.values(k.value.Items) },
		"const": func(k keyword) { k.values([]*jsontext.Node{k.value}) },

		"allOf": func(k keyword) { k.s.AllOf = k.list() },
		"anyOf": func(k keyword) { k.s.AnyOf = k.list() },
		"oneOf": func(k keyword) { k.s.OneOf = k.list() },
		"not":   func(k keyword) { k.s.Not = k.schema() },
		"if":    func(k keyword) { k.s.If = k.schema() },
		"then":  func(k keyword) { k.s.Then = k.schema() },
		"else":  func(k keyword) { k.s.Else = k.schema() },

		"minimum":          func(k keyword) { k.s.Minimum = k.inclusive("exclusiveMinimum") },
		"maximum":          func(k keyword) { k.s.Maximum = k.inclusive("exclusiveMaximum") },
		"exclusiveMinimum": func(k keyword) { k.exclusive(&k.s.ExclusiveMinimum, "minimum") },
		"exclusiveMaximum": func(k keyword) { k.exclusive(&k.s.ExclusiveMaximum, "maximum") },
		"multipleOf":       keyword.multipleOf,

		"minLength":       func(k keyword) { k.s.Length.Least = k.count() },
		"maxLength":       func(k keyword) { k.s.Length.Most = k.count() },
		"pattern":         func(k keyword) { k.s.Pattern = k.pattern(k.text()) },
		"format":          func(k keyword) { k.s.Format = k.text() },
		"contentEncoding": func(k keyword) { k.s.ContentEncoding = k.text() },

		"minItems":         func(k keyword) { k.s.Count.Least = k.count() },
		"maxItems":         func(k keyword) { k.s.Count.Most = k.count() },
		"uniqueItems":      func(k keyword) { k.s.Unique = k.truth() },
		"prefixItems":      func(k keyword) { k.s.Prefix = k.list() },
		"items":            keyword.items,
		"contains":         func(k keyword) { k.s.Contains = k.schema() },
		"minContains":      func(k keyword) { k.s.Contained.Least = k.count() },
		"maxContains":      func(k keyword) { k.s.Contained.Most = k.count() },
		"unevaluatedItems": func(k keyword) { k.s.UnevaluatedItems, k.tracks = k.schema(), true },

		"minProperties":         func(k keyword) { k.s.Members.Least = k.count() },
		"maxProperties":         func(k keyword) { k.s.Members.Most = k.count() },
		"properties":            keyword.properties,
		"patternProperties":     keyword.patternProperties,
		"additionalProperties":  func(k keyword) { k.s.Additional = k.schema() },
		"propertyNames":         func(k keyword) { k.s.Names = k.schema() },
		"required":              func(k keyword) { k.s.Required = k.names() },
		"dependentRequired":     keyword.dependencies,
		"dependentSchemas":      keyword.dependencies,
		"dependencies":          keyword.dependencies, // of older drafts, and still in use
		"unevaluatedProperties": func(k keyword) { k.s.UnevaluatedProperties, k.tracks = k.schema(), true },
	}
}

// expect reports whether the value is of a kind, and fails if not.
func (k keyword) expect(kind jsontext.Kind, words string) bool {
	if !k.value.Is(kind) {
		k.fail(k.at, words, Found(k.value))
		return false
	}
	return true
}

// of returns the keyword for a value in that of this one.
func (k keyword) of(value *jsontext.Node, name string) keyword {
	return keyword{k.reader, k.s, value, k.at.within(name)}
}

// parts are the elements or members of the value.
func (k keyword) parts() (all []keyword) {
	for i, item := range lasting(k.value) {
		name := item.Name()
		if k.value.Is(jsontext.Array) {
			name = strconv.Itoa(i)
		}
		all = append(all, k.of(item, name))
	}
	return all
}

func (k keyword) schema() *Schema { return k.reader.schema(k.value, k.at) }

func (k keyword) list() (all []*Schema) {
	if k.expect(jsontext.Array, "an array of schemas") && len(k.value.Items) == 0 {
		k.fail(k.at, "at least 1 schema", "none")
	}
	for _, part := range k.parts() {
		all = append(all, part.schema())
	}
	return all
}

func (k keyword) properties() {
	k.s.byName = map[string]*Schema{}
	if k.expect(jsontext.Object, "an object of schemas") {
		for _, part := range k.parts() {
			p := Property{part.value.Name(), part.schema()}
			k.s.Properties, k.s.byName[p.Name] = append(k.s.Properties, p), p.Schema
		}
	}
}

func (k keyword) text() string {
	k.expect(jsontext.String, "a string")
	return k.value.Str()
}

func (k keyword) truth() bool {
	return k.expect(jsontext.Bool, words.Truth) && k.value.Text == "true"
}

func (k keyword) count() int {
	n, ok := 0, k.value.Is(jsontext.Number)
	if ok {
		n, ok = jsontext.ParseDecimal(k.value.Text).Int()
	}
	if !ok || n < 0 {
		k.fail(k.at, "an integer of at least 0", Found(k.value))
	}
	return n
}

func (k keyword) limit() *Limit {
	if !k.expect(jsontext.Number, "a number") {
		return nil
	}
	return &Limit{k.value.Text, jsontext.ParseDecimal(k.value.Text), numeral(k.value.Text)}
}

// inclusive reads a bound. In draft 4, another keyword that is true makes it exclusive; then
// inclusive returns nil, and exclusive reads the bound.
func (k keyword) inclusive(other string) *Limit {
	limit := k.limit()
	if flag := k.s.Node.Member(other); k.at.resource.draft == draft4 && flag.Is(jsontext.Bool) && flag.Text == "true" {
		return nil
	}
	return limit
}

// exclusive reads a bound that is none itself: of draft 4, true for that of
// another keyword.
func (k keyword) exclusive(limit **Limit, other string) {
	bound := k.s.Node.Member(other)
	if !k.value.Is(jsontext.Bool) || k.at.resource.draft != draft4 || bound == nil {
		*limit = k.limit()
	} else if k.value.Text == "true" {
		*limit = k.of(bound, other).limit()
	}
}

// LongestStep limits the digits of multipleOf, because each digit of a number is divided by
// all of them.
const LongestStep = 400

func (k keyword) multipleOf() {
	k.s.MultipleOf = k.limit()
	if m := k.s.MultipleOf; m != nil && (m.Value.Digits == "" || m.Value.Negative || len(m.Value.Digits) > LongestStep) {
		k.fail(k.at, "a number above 0 of at most 400 digits", Found(k.value))
	}
}

// MostProgram limits the instructions of the programs of all patterns of a schema.
const MostProgram = 1 << 18

func (k keyword) pattern(expression string) *text.Pattern {
	p, err := text.Compile(expression, k.program)
	if err == nil {
		k.program -= p.Size
	} else {
		k.fail(k.at, "a regular expression that package regexp of Go knows", words.Cut(jsontext.Quote(expression), jsontext.LongestShown)+" ("+err.Error()+")")
	}
	return p
}

func (k keyword) types() {
	parts := k.parts()
	if k.value.Is(jsontext.String) {
		parts = []keyword{k}
	}
	for _, part := range parts {
		if i := slices.Index(TypeNames[:], part.value.Str()); i >= 0 {
			k.s.Types |= 1 << i
		} else {
			k.fail(part.at, "one of the types "+words.List(TypeNames[:], ", "), Found(part.value))
		}
	}
	if k.s.Types == 0 {
		k.fail(k.at, "a type, or several", Found(k.value))
	}
}

// values reads what alone is allowed, by enum and by const: by both, if there are
// both.
func (k keyword) values(list []*jsontext.Node) {
	if other := k.s.Values; other != nil {
		list = slices.DeleteFunc(slices.Clone(list), func(v *jsontext.Node) bool { return !other.Lists(v) })
	}
	v := &Values{List: list, known: map[string]bool{}}
	for _, n := range list {
		text := string(n.AppendCanonical(nil))
		v.known[text], v.size = true, v.size+2+len(text)
		v.kinds |= TypesOf(n.Kind)
	}
	k.s.Values = v
}

func (k keyword) names() (all []string) {
	if k.expect(jsontext.Array, "an array of strings") {
		for _, part := range k.parts() {
			all = append(all, part.text())
		}
	}
	return all
}

// items reads the schema of elements. In older drafts there may be several, and
// another for those behind them.
func (k keyword) items() {
	if !k.value.Is(jsontext.Array) || k.at.resource.draft >= draft2020 {
		k.s.Items = k.schema()
		return
	}
	for _, part := range k.parts() {
		k.s.Prefix = append(k.s.Prefix, part.schema())
	}
	if rest := k.s.Node.Member("additionalItems"); rest != nil {
		k.s.Items = k.reader.schema(rest, k.at.outer.within("additionalItems"))
	}
}

func (k keyword) patternProperties() {
	k.expect(jsontext.Object, "an object of schemas")
	for _, part := range k.parts() {
		k.s.Patterns = append(k.s.Patterns, PatternProperty{part.pattern(part.value.Name()), part.schema()})
	}
}

// dependencies reads what there must be where a member is: other members, or a
// value of a schema.
func (k keyword) dependencies() {
	k.expect(jsontext.Object, "an object")
	keyword := k.value.Name()
	for _, part := range k.parts() {
		name := part.value.Name()
		if keyword == "dependentRequired" || keyword == "dependencies" && part.value.Is(jsontext.Array) {
			k.s.DependentRequired = append(k.s.DependentRequired, Dependency{name, part.names()})
		} else {
			k.s.DependentSchemas = append(k.s.DependentSchemas, Property{name, part.schema()})
		}
	}
}

// target returns what the value refers to, and the anchor by which it does.
func (k keyword) target() (*Schema, string) {
	n, at, anchor := k.find(k.text(), k.at)
	if n == nil {
		return nil, ""
	}
	return k.reader.schema(n, at), anchor
}

func (k keyword) dynamicRef() {
	target, anchor := k.target()
	k.s.dynamic = &dynamicReference{static: target}
	if target != nil && anchor != "" && target.resource.dynamic[anchor] == target.Node {
		k.s.dynamic.name = anchor
		k.scoped = true
		if !k.wanted[anchor] {
			k.wanted[anchor], k.asked = true, append(k.asked, anchor)
		}
	}
}

// settle reckons what is known of s when all was read.
func (s *Schema) settle() {
	s.cost += (len(s.Required) + len(s.DependentRequired) + len(s.DependentSchemas)) / 8
	for _, d := range s.DependentRequired {
		s.cost += len(d.Required) / 8
	}
}

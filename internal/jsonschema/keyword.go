package jsonschema

import (
	"slices"
	"strconv"
	"sync"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// keyword is a keyword that is being read.
type keyword struct {
	*reader
	s     *Schema
	value *jsontext.Node
	at    place
}

// keywords contains the result of readers.
var keywords struct {
	once    sync.Once
	readers map[string]func(keyword)
}

// readers returns the functions that read keywords, by the names of the keywords. The map is created when the first
// schema is read: if a variable were initialized with it, every program would link the functions.
func readers() map[string]func(keyword) {
	keywords.once.Do(func() { keywords.readers = allReaders() })
	return keywords.readers
}

func allReaders() map[string]func(keyword) {
	return map[string]func(keyword){
		"$ref":          func(k keyword) { k.s.Ref, _ = k.readTarget() },
		"$dynamicRef":   keyword.readDynamicRef,
		"$recursiveRef": func(k keyword) { k.fail(k.at, `"$dynamicRef" instead`, Found(k.value)) },

		"type":  keyword.readTypes,
		"enum":  func(k keyword) { k.expectKind(jsontext.Array, "an array"); k.readValues(k.value.Items) },
		"const": func(k keyword) { k.readValues([]*jsontext.Node{k.value}) },

		"allOf": func(k keyword) { k.s.AllOf = k.readList() },
		"anyOf": func(k keyword) { k.s.AnyOf = k.readList() },
		"oneOf": func(k keyword) { k.s.OneOf = k.readList() },
		"not":   func(k keyword) { k.s.Not = k.readSchema() },
		"if":    func(k keyword) { k.s.If = k.readSchema() },
		"then":  func(k keyword) { k.s.Then = k.readSchema() },
		"else":  func(k keyword) { k.s.Else = k.readSchema() },

		"minimum":          func(k keyword) { k.s.Minimum = k.readInclusive("exclusiveMinimum") },
		"maximum":          func(k keyword) { k.s.Maximum = k.readInclusive("exclusiveMaximum") },
		"exclusiveMinimum": func(k keyword) { k.readExclusive(&k.s.ExclusiveMinimum, "minimum") },
		"exclusiveMaximum": func(k keyword) { k.readExclusive(&k.s.ExclusiveMaximum, "maximum") },
		"multipleOf":       keyword.readMultipleOf,

		"minLength":       func(k keyword) { k.s.Length.Least = k.readCount() },
		"maxLength":       func(k keyword) { k.s.Length.Most = k.readCount() },
		"pattern":         func(k keyword) { k.s.Pattern = k.readPattern(k.readText()) },
		"format":          func(k keyword) { k.s.Format = k.readText() },
		"contentEncoding": func(k keyword) { k.s.ContentEncoding = k.readText() },

		"minItems":         func(k keyword) { k.s.Count.Least = k.readCount() },
		"maxItems":         func(k keyword) { k.s.Count.Most = k.readCount() },
		"uniqueItems":      func(k keyword) { k.s.Unique = k.readBool() },
		"prefixItems":      func(k keyword) { k.s.Prefix = k.readList() },
		"items":            keyword.readItems,
		"contains":         func(k keyword) { k.s.Contains = k.readSchema() },
		"minContains":      func(k keyword) { k.s.Contained.Least = k.readCount() },
		"maxContains":      func(k keyword) { k.s.Contained.Most = k.readCount() },
		"unevaluatedItems": func(k keyword) { k.s.UnevaluatedItems, k.tracks = k.readSchema(), true },

		"minProperties":         func(k keyword) { k.s.Members.Least = k.readCount() },
		"maxProperties":         func(k keyword) { k.s.Members.Most = k.readCount() },
		"properties":            keyword.readProperties,
		"patternProperties":     keyword.readPatternProperties,
		"additionalProperties":  func(k keyword) { k.s.Additional = k.readSchema() },
		"propertyNames":         func(k keyword) { k.s.Names = k.readSchema() },
		"required":              func(k keyword) { k.s.Required = k.readNames() },
		"dependentRequired":     keyword.readDependencies,
		"dependentSchemas":      keyword.readDependencies,
		"dependencies":          keyword.readDependencies, // defined in older drafts, and still in use
		"unevaluatedProperties": func(k keyword) { k.s.UnevaluatedProperties, k.tracks = k.readSchema(), true },
	}
}

// expectKind reports whether the value has a kind, and fails if it does not.
func (k keyword) expectKind(kind jsontext.Kind, words string) bool {
	if !k.value.Is(kind) {
		k.fail(k.at, words, Found(k.value))
		return false
	}
	return true
}

// child returns the keyword for a value inside this one.
func (k keyword) child(value *jsontext.Node, name string) keyword {
	return keyword{k.reader, k.s, value, k.at.child(name)}
}

// children returns the elements or members of the value.
func (k keyword) children() (all []keyword) {
	for i, item := range k.value.LastMembers() {
		name := item.Name()
		if k.value.Is(jsontext.Array) {
			name = strconv.Itoa(i)
		}
		all = append(all, k.child(item, name))
	}
	return all
}

func (k keyword) readSchema() *Schema { return k.reader.readSchema(k.value, k.at) }

func (k keyword) readList() (all []*Schema) {
	if k.expectKind(jsontext.Array, "an array of schemas") && len(k.value.Items) == 0 {
		k.fail(k.at, "at least 1 schema", "none")
	}
	for _, part := range k.children() {
		all = append(all, part.readSchema())
	}
	return all
}

func (k keyword) readProperties() {
	k.s.byName = map[string]*Schema{}
	if k.expectKind(jsontext.Object, "an object of schemas") {
		for _, part := range k.children() {
			p := Property{part.value.Name(), part.readSchema()}
			k.s.Properties, k.s.byName[p.Name] = append(k.s.Properties, p), p.Schema
		}
	}
}

func (k keyword) readText() string {
	k.expectKind(jsontext.String, "a string")
	return k.value.Str()
}

func (k keyword) readBool() bool {
	return k.expectKind(jsontext.Bool, words.Truth) && k.value.Text == "true"
}

func (k keyword) readCount() int {
	n, ok := 0, k.value.Is(jsontext.Number)
	if ok {
		n, ok = jsontext.ParseDecimal(k.value.Text).Int()
	}
	if !ok || n < 0 {
		k.fail(k.at, "an integer of at least 0", Found(k.value))
	}
	return n
}

func (k keyword) readLimit() *Limit {
	if !k.expectKind(jsontext.Number, "a number") {
		return nil
	}
	return &Limit{k.value.Text, jsontext.ParseDecimal(k.value.Text), formatLimit(k.value.Text)}
}

// readInclusive reads a bound. In draft 4, the bound is exclusive if the keyword other is true; in that case,
// readInclusive returns nil, and readExclusive reads the bound.
func (k keyword) readInclusive(other string) *Limit {
	limit := k.readLimit()
	if flag := k.s.Node.Member(other); k.at.resource.draft == draft4 && flag.Is(jsontext.Bool) && flag.Text == "true" {
		return nil
	}
	return limit
}

// readExclusive reads an exclusive bound. In draft 4, its value is true, and the bound is the
// value of the keyword other.
func (k keyword) readExclusive(limit **Limit, other string) {
	bound := k.s.Node.Member(other)
	if !k.value.Is(jsontext.Bool) || k.at.resource.draft != draft4 || bound == nil {
		*limit = k.readLimit()
	} else if k.value.Text == "true" {
		*limit = k.child(bound, other).readLimit()
	}
}

// LongestStep is the maximum number of digits of multipleOf. The cost of a division grows with their number.
const LongestStep = 400

func (k keyword) readMultipleOf() {
	k.s.MultipleOf = k.readLimit()
	if m := k.s.MultipleOf; m != nil && (m.Value.Digits == "" || m.Value.Negative || len(m.Value.Digits) > LongestStep) {
		k.fail(k.at, "a number above 0 of at most 400 digits", Found(k.value))
	}
}

// MostProgram is the maximum number of instructions of all patterns of a schema together.
const MostProgram = 1 << 18

func (k keyword) readPattern(expression string) *Pattern {
	p, err := CompilePattern(expression, k.program)
	if err == nil {
		k.program -= p.Size
	} else {
		k.fail(k.at, "a regular expression that Go's package regexp supports", words.Cut(jsontext.Quote(expression), jsontext.LongestShown)+" ("+err.Error()+")")
	}
	return p
}

func (k keyword) readTypes() {
	parts := k.children()
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

// readValues reads the allowed values of enum or const. If a schema has both, only values in
// both are allowed.
func (k keyword) readValues(list []*jsontext.Node) {
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

func (k keyword) readNames() (all []string) {
	if k.expectKind(jsontext.Array, "an array of strings") {
		for _, part := range k.children() {
			all = append(all, part.readText())
		}
	}
	return all
}

// readItems reads the schema of elements. In older drafts, items may be a list of schemas,
// and additionalItems is the schema of the elements after them.
func (k keyword) readItems() {
	if !k.value.Is(jsontext.Array) || k.at.resource.draft >= draft2020 {
		k.s.Items = k.readSchema()
		return
	}
	for _, part := range k.children() {
		k.s.Prefix = append(k.s.Prefix, part.readSchema())
	}
	if rest := k.s.Node.Member("additionalItems"); rest != nil {
		k.s.Items = k.reader.readSchema(rest, k.at.outer.child("additionalItems"))
	}
}

func (k keyword) readPatternProperties() {
	k.expectKind(jsontext.Object, "an object of schemas")
	for _, part := range k.children() {
		k.s.Patterns = append(k.s.Patterns, PatternProperty{part.readPattern(part.value.Name()), part.readSchema()})
	}
}

// readDependencies reads the requirements that apply if a member is present: other required members, or a schema that
// the value must match.
func (k keyword) readDependencies() {
	k.expectKind(jsontext.Object, "an object")
	keyword := k.value.Name()
	for _, part := range k.children() {
		name := part.value.Name()
		if keyword == "dependentRequired" || keyword == "dependencies" && part.value.Is(jsontext.Array) {
			k.s.DependentRequired = append(k.s.DependentRequired, Dependency{name, part.readNames()})
		} else {
			k.s.DependentSchemas = append(k.s.DependentSchemas, Property{name, part.readSchema()})
		}
	}
}

// readTarget returns the schema that the value refers to, and the anchor in the reference.
func (k keyword) readTarget() (*Schema, string) {
	n, at, anchor := k.findTarget(k.readText(), k.at)
	if n == nil {
		return nil, ""
	}
	return k.reader.readSchema(n, at), anchor
}

func (k keyword) readDynamicRef() {
	target, anchor := k.readTarget()
	k.s.dynamic = &dynamicReference{static: target}
	if target != nil && anchor != "" && target.resource.dynamic[anchor] == target.Node {
		k.s.dynamic.name = anchor
		k.scoped = true
		if !k.dynamicAnchors[anchor] {
			k.dynamicAnchors[anchor], k.unreadAnchors = true, append(k.unreadAnchors, anchor)
		}
	}
}

// computeCost adds the cost of the keywords that require members. All keywords must have been read.
func (s *Schema) computeCost() {
	s.cost += (len(s.Required) + len(s.DependentRequired) + len(s.DependentSchemas)) / 8
	for _, d := range s.DependentRequired {
		s.cost += len(d.Required) / 8
	}
}

package schema

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// typeNames names object types that several results share. The first occurrence of a type is written with its
// definition, as in "T1 = {id: integer}", and later ones as "T1".
type typeNames struct {
	depth int               // levels of nested objects that are written out
	uses  map[string]int    // number of occurrences, by short form
	names map[string]string // by short form
}

// leastShape is the minimum length of a short form that gets a name, in bytes.
const leastShape = 16

func newTypeNames(definitions []tool.Definition, depth int) *typeNames {
	t := &typeNames{depth: depth, uses: map[string]int{}, names: map[string]string{}}
	for _, d := range definitions {
		if output := parseInputSchema(d.Output); output.Node != nil {
			t.countObjects(output, depth)
		}
	}
	return t
}

// countObjects counts the occurrences of object types in a schema and its subschemas.
func (t *typeNames) countObjects(s schema, depth int) {
	if s.Member("$ref") != nil {
		if s = s.referencedObject(); s.Node == nil {
			return
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		for _, n := range s.arrayMember(keyword) {
			t.countObjects(s.subschema(n), depth)
		}
	}
	switch {
	case depth == 0:
	case s.textMember("type") == "array" && s.Member("items").Is(jsontext.Object):
		t.countObjects(s.subschema(s.Member("items")), depth)
	case s.textMember("type") == "object":
		key := s.shortForm(t.depth)
		if t.uses[key]++; t.uses[key] > 1 {
			return // only the first occurrence is written out, with the types inside it
		}
		for _, p := range s.listProperties() {
			t.countObjects(p.schema, depth-1)
		}
		if values := s.subschema(s.Member("additionalProperties")); values.Is(jsontext.Object) {
			t.countObjects(values, depth-1)
		}
	}
}

// nameObject returns the name of an object type, with its definition at the first occurrence. It returns only
// the definition, from shape, if the type is short or occurs once.
func (t *typeNames) nameObject(s schema, shape func() string) string {
	plain := s
	plain.types = nil
	key := plain.shortForm(t.depth)
	if t.uses[key] < 2 || len(key) < leastShape {
		return shape()
	}
	if name, ok := t.names[key]; ok {
		return name
	}
	name := fmt.Sprintf("T%d", len(t.names)+1)
	t.names[key] = name
	return name + " = " + shape()
}

// describeResult returns the type of a tool's result, as in " -> list[string]", or "" if there is no result.
func (t *typeNames) describeResult(d tool.Definition) string {
	output := parseInputSchema(d.Output)
	if output.Node == nil || output.textMember("type") == "null" {
		return ""
	}
	output.types = t
	return " -> " + output.shortForm(t.depth)
}

// signatureDepth is the number of levels of objects in signatures.
const signatureDepth = 4

// Signatures describes tools like [Describe], but for prompts of planners. It omits examples, and the first line
// of each description, which these prompts list separately. It adds the bounds of arguments, and writes out more
// levels of the objects in results, because plans refer to their members.
func Signatures(definitions []tool.Definition) string {
	var b strings.Builder
	results := newTypeNames(definitions, signatureDepth)
	for _, d := range definitions {
		input := parseInputSchema(d.Input)
		input.withMeanings, input.withBounds = true, true
		b.WriteString(d.Name)
		_, more, _ := strings.Cut(strings.TrimSpace(d.Description), "\n")
		writeArguments(&b, more, input.listProperties(), results.describeResult(d))
	}
	return b.String()
}

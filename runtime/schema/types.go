package schema

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// typeNames names object types that several results share. The first occurrence of a type shows its name and
// its definition.
type typeNames struct {
	depth int            // how many levels of objects are written out
	uses  map[string]int // by short form
	names map[string]string
}

// leastShape is the length in bytes from which a name is used.
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

// countObjects counts the objects in values of a schema and in their parts.
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
			return // its parts are written out only once
		}
		for _, p := range s.listProperties() {
			t.countObjects(p.schema, depth-1)
		}
		if values := s.subschema(s.Member("additionalProperties")); values.Is(jsontext.Object) {
			t.countObjects(values, depth-1)
		}
	}
}

// nameObject returns the name of an object type, with the definition at its first occurrence.
func (t *typeNames) nameObject(s schema, shape func() string) string {
	plain := s
	plain.types = nil
	key := plain.shortForm(t.depth)
	if t.uses[key] < 2 || len(key) < leastShape {
		return shape()
	}
	if name, known := t.names[key]; known {
		return name
	}
	name := fmt.Sprintf("T%d", len(t.names)+1)
	t.names[key] = name
	return name + " = " + shape()
}

// describeResult returns the type of a tool's result as text; "" if there is none.
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

// Signatures describes parameters and results of tools like [Describe], for a prompt that lists the names
// with the first lines of their descriptions elsewhere. It writes out results as deeply as plans refer to
// them, and includes the bounds of arguments.
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

package prompt

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// types names the objects that several results have. The first time that one is written,
// its name is followed by what it stands for.
type types struct {
	depth int            // how many levels of objects are written out
	uses  map[string]int // by what they look like
	names map[string]string
}

// leastShape is the length, in bytes, from which on a name is shorter.
const leastShape = 16

func newTypes(definitions []tool.Definition, depth int) *types {
	t := &types{depth: depth, uses: map[string]int{}, names: map[string]string{}}
	for _, d := range definitions {
		if output := parseSchema(d.Output); output.Node != nil {
			t.count(output, depth)
		}
	}
	return t
}

// count notes the objects in values of a schema, and in their parts.
func (t *types) count(s schema, depth int) {
	if s.Member("$ref") != nil {
		if s = s.referred(); s.Node == nil {
			return
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		for _, n := range s.elements(keyword) {
			t.count(s.at(n), depth)
		}
	}
	switch {
	case depth == 0:
	case s.text("type") == "array" && s.Member("items").Is(jsontext.Object):
		t.count(s.at(s.Member("items")), depth)
	case s.text("type") == "object":
		key := s.short(t.depth)
		if t.uses[key]++; t.uses[key] > 1 {
			return // its parts are written out once
		}
		for _, p := range s.properties() {
			t.count(p.schema, depth-1)
		}
		if values := s.at(s.Member("additionalProperties")); values.Is(jsontext.Object) {
			t.count(values, depth-1)
		}
	}
}

// named returns the name of an object, with what it stands for if it is the first.
func (t *types) named(s schema, shape func() string) string {
	plain := s
	plain.types = nil
	key := plain.short(t.depth)
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

// result returns what a tool returns, as text; "" if that is nothing.
func (t *types) result(d tool.Definition) string {
	output := parseSchema(d.Output)
	if output.Node == nil || output.text("type") == "null" {
		return ""
	}
	output.types = t
	return " -> " + output.short(t.depth)
}

// signatureDepth is how many levels of objects signatures write out.
const signatureDepth = 4

// Signatures describes how tools are called and what they return, as [Text] does, for a
// prompt that lists their names with the first lines of their descriptions elsewhere. It
// writes out results as far as plans refer to them, and the bounds of arguments.
func Signatures(definitions []tool.Definition) string {
	var b strings.Builder
	results := newTypes(definitions, signatureDepth)
	for _, d := range definitions {
		input := parseSchema(d.Input)
		input.explained, input.bounded = true, true
		b.WriteString(d.Name)
		_, more, _ := strings.Cut(strings.TrimSpace(d.Description), "\n")
		writeArguments(&b, more, input.properties(), results.result(d))
	}
	return b.String()
}

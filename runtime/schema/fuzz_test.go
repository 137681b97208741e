package schema_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// FuzzRaise checks that no schema and no arguments cause a panic, and that valid arguments are the
// same after lowering and raising for each target.
func FuzzRaise(f *testing.F) {
	for _, d := range definitionsByHand(f) {
		for _, arguments := range d.Arguments {
			f.Add(string(d.Definition.Input), string(arguments))
		}
	}
	f.Add(`{"type":"object","properties":7,"required":{},"additionalProperties":[]}`, `{"a":null}`)
	f.Add(`{"$defs":{"P":{"$ref":"#/$defs/Q"},"Q":{"anyOf":[{"$ref":"#/$defs/P"}]}},"properties":{"a":{"$ref":"#/$defs/P"}}}`, `{"a":1}`)
	f.Add(`{"properties":{"a":{"$ref":"#/properties/a"}},"anyOf":{},"enum":7}`, `{"a":[{"key":"a"}]}`)
	f.Fuzz(func(t *testing.T, input, arguments string) {
		d := tool.Definition{Name: "x", Input: json.RawMessage(input), Example: json.RawMessage(arguments)}
		valid := len(input) > 0 && len(arguments) > 0 && schema.Validate(d.Input, d.Example) == nil
		for _, target := range schema.Targets() {
			l, err := schema.Lower(target, d)
			if err != nil {
				continue
			}
			if !json.Valid(l.Input) || !json.Valid(l.JSON(target.Shape())) {
				t.Errorf("%s is no JSON for %s: %s", input, target, l.Input)
			}
			if _, err := l.Raise(d.Example); err == nil && l.Raises() && len(arguments) > 0 && !json.Valid(d.Example) {
				t.Errorf("%s is raised for %s", arguments, target)
			}
			if valid {
				checkRaised(t, l, d)
			}
		}
	})
}

// checkRaised encodes the example of a definition for a target and raises it again.
func checkRaised(t *testing.T, l *schema.Lowered, d tool.Definition) {
	t.Helper()
	written, err := l.Encode(d.Example)
	if err != nil {
		t.Fatal(err)
	}
	raised, err := l.Raise(written)
	if err != nil {
		t.Fatal(err)
	}
	got, want := value(t, raised), value(t, d.Example)
	if slices.ContainsFunc(l.Losses, func(x schema.Loss) bool { return strings.HasPrefix(x.Message, "that it may be absent") }) {
		got, want = withoutNulls(got), withoutNulls(want)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("for %s, %s by %s is written as %s by %s, and raised as %s", l.Target, d.Example, d.Input, written, l.Input, raised)
	}
}

// withoutNulls removes the members that are null.
func withoutNulls(x any) any {
	switch x := x.(type) {
	case map[string]any:
		for name, member := range x {
			if x[name] = withoutNulls(member); member == nil {
				delete(x, name)
			}
		}
	case []any:
		for i := range x {
			x[i] = withoutNulls(x[i])
		}
	}
	return x
}

// FuzzLower derives schemas and values from bytes. A valid value must be expressible in the lowered
// schema, and raising it must restore it.
func FuzzLower(f *testing.F) {
	for i := range 64 {
		f.Add([]byte(fmt.Sprintf("%d%[1]x%[1]o aiongen %[1]b", i*7919)))
	}
	f.Fuzz(roundTrip)
}

func roundTrip(t *testing.T, choices []byte) {
	m := &maker{choices: choices}
	s := m.schema(4)
	root := map[string]any{"type": "object", "properties": map[string]any{"a": s, "b": m.schema(3)}, "additionalProperties": false}
	if m.pick(2) == 0 {
		root["required"] = []any{"a"}
	}
	root["$defs"] = map[string]any{"N": map[string]any{"type": "integer"}, "T": map[string]any{
		"type": "object", "properties": map[string]any{"next": map[string]any{"$ref": "#/$defs/T"}, "v": map[string]any{"type": "string"}}, "required": []any{"v"}, "additionalProperties": false,
	}, "O": m.record(2), "P": m.container(2)}
	arguments := m.value(root, root)
	d := tool.Definition{Name: "x", Input: text(t, root), Example: text(t, arguments)}
	if schema.Validate(d.Input, d.Example) != nil {
		t.Skip()
	}
	for _, target := range schema.Targets() {
		l := lower(t, target, d)
		checkRaised(t, l, d)
		written, err := l.Encode(d.Example)
		if err != nil {
			t.Fatal(err)
		}
		if err := compile(t, l.Input).Validate(value(t, written)); err != nil {
			t.Errorf("for %s, %s by %s is written as %s, but not valid by %s: %v", target, d.Example, d.Input, written, l.Input, err)
		}
	}
}

func text(t testing.TB, v any) json.RawMessage {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// maker creates schemas and values from the given choices. When they are used up, it takes the first
// option.
type maker struct {
	choices []byte
	refs    int // followed so far
}

func (m *maker) pick(n int) int {
	if len(m.choices) == 0 || n == 0 {
		return 0
	}
	choice := int(m.choices[0]) % n
	m.choices = m.choices[1:]
	return choice
}

var names = []string{"a", "b", "key", "value", "x-y", "ä", "arguments", "null", ""}

func (m *maker) name() string { return names[m.pick(len(names))] }

// scalars are values of all scalar kinds.
var scalars = []any{"a", "", "A", "null", 1, 1.5, -3, true, false, nil, "b/~", "(empty)"}

func (m *maker) schema(depth int) any {
	kinds := 8
	if depth > 0 {
		kinds = 17
	}
	switch m.pick(kinds) {
	case 0:
		return map[string]any{"type": "string", "minLength": m.pick(2), "description": "a text"}
	case 1:
		return map[string]any{"type": "integer", "minimum": m.pick(3)}
	case 2:
		return map[string]any{"type": []any{"number", "null"}}
	case 3:
		return map[string]any{"type": "boolean", "default": true}
	case 4:
		return map[string]any{"enum": m.some(scalars)}
	case 5:
		return map[string]any{"$ref": []string{"#/$defs/N", "#/$defs/T", "#/properties/b", "#", "#/$defs/O", "#/$defs/P"}[m.pick(6)]}
	case 6:
		return map[string]any{}
	case 7:
		return map[string]any{"const": scalars[m.pick(len(scalars))]}
	case 8, 9:
		return m.container(depth)
	case 10:
		return map[string]any{"anyOf": []any{m.schema(depth - 1), m.schema(depth - 1)}}
	case 11:
		return map[string]any{"anyOf": []any{m.schema(depth - 1), map[string]any{"type": "null"}}, "title": "T"}
	case 12:
		return map[string]any{"oneOf": []any{m.tagged("x", depth), m.tagged("y", depth)}}
	case 13:
		return map[string]any{"type": "array", "prefixItems": []any{m.schema(depth - 1), m.schema(depth - 1)}}
	case 14:
		return map[string]any{"allOf": []any{m.schema(depth - 1)}, "description": "all"}
	case 15:
		var branches []any
		for range 2 + m.pick(2) {
			branches = append(branches, []any{m.record(depth), m.schema(0), map[string]any{"$ref": "#/$defs/O"}, map[string]any{"$ref": "#/$defs/P"}}[m.pick(4)])
		}
		return map[string]any{"anyOf": branches}
	}
	return m.record(depth)
}

// container creates the schema of a list or a map.
func (m *maker) container(depth int) any {
	if m.pick(2) == 0 {
		return map[string]any{"type": "array", "items": m.schema(depth - 1), "maxItems": 3}
	}
	return map[string]any{"type": "object", "additionalProperties": m.schema(depth - 1)}
}

// record creates the schema of an object with named members. One of them may have few values, which
// distinguish the object from others.
func (m *maker) record(depth int) any {
	properties := map[string]any{}
	required := []any{}
	if m.pick(2) == 0 {
		properties["tag"] = map[string]any{"enum": m.some(append(scalars, map[string]any{"k": 1.0}, []any{}))}
		if m.pick(2) == 0 {
			required = append(required, "tag")
		}
	}
	if m.pick(8) == 7 {
		required = append(required, "there")
	}
	for range m.pick(4) {
		name := m.name()
		if _, known := properties[name]; !known && m.pick(2) == 0 {
			required = append(required, name)
		}
		properties[name] = m.schema(depth - 1)
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": m.pick(8) == 7}
}

func (m *maker) tagged(tag string, depth int) any {
	return map[string]any{"type": "object", "properties": map[string]any{"tag": map[string]any{"const": tag}, "v": m.schema(depth - 1)}, "required": []any{"tag", "v"}, "additionalProperties": false}
}

func (m *maker) some(values []any) (some []any) {
	for range 1 + m.pick(4) {
		some = append(some, values[m.pick(len(values))])
	}
	return some
}

// value creates a value that is usually valid.
func (m *maker) value(of any, root map[string]any) any {
	s := of.(map[string]any)
	switch {
	case s["$ref"] != nil:
		name := s["$ref"].(string)
		target := any(root)
		if _, path, ok := strings.Cut(name, "#/"); ok {
			keyword, member, _ := strings.Cut(path, "/")
			target = root[keyword].(map[string]any)[member]
		}
		if m.refs++; m.refs > 6 {
			return 1 // otherwise the schema or its validation would not end
		}
		return m.value(target, root)
	case s["enum"] != nil:
		all := s["enum"].([]any)
		return all[m.pick(len(all))]
	case s["anyOf"] != nil, s["oneOf"] != nil, s["allOf"] != nil:
		for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
			if all, ok := s[keyword].([]any); ok {
				return m.value(all[m.pick(len(all))], root)
			}
		}
	case s["prefixItems"] != nil:
		all := s["prefixItems"].([]any)
		return []any{m.value(all[0], root), m.value(all[1], root)}
	}
	if c, ok := s["const"]; ok {
		return c
	}
	switch s["type"] {
	case "string":
		return names[m.pick(len(names))]
	case "integer":
		return m.pick(5)
	case "boolean":
		return m.pick(2) == 0
	case "null":
		return nil
	case "array":
		list := []any{}
		for range m.pick(4) {
			list = append(list, m.value(s["items"], root))
		}
		return list
	case "object":
		return m.object(s, root)
	}
	if s["type"] != nil {
		return []any{nil, 1.25}[m.pick(2)]
	}
	return []any{"x", 7, map[string]any{"k": []any{nil}}, []any{1}, nil, "[1]"}[m.pick(6)]
}

func (m *maker) object(s, root map[string]any) any {
	object := map[string]any{}
	properties, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	for _, name := range names {
		if p, known := properties[name]; known && (slices.Contains(required, any(name)) || m.pick(2) == 0) {
			object[name] = m.value(p, root)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) { // of tagged alternatives
		p := properties[name]
		if !slices.Contains(names, name) && (slices.Contains(required, any(name)) || m.pick(2) == 0) {
			object[name] = m.value(p, root)
		}
	}
	if slices.Contains(required, any("there")) {
		object["there"] = m.pick(3)
	}
	if rest, ok := s["additionalProperties"].(map[string]any); ok {
		for range m.pick(3) {
			object[m.name()] = m.value(rest, root)
		}
	}
	return object
}

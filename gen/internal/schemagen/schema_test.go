package schemagen_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/schemagen"
)

func object(fields ...*model.Field) *model.Type {
	return &model.Type{Kind: model.StructKind, Fields: fields}
}

func field(name string, t *model.Type) *model.Field { return &model.Field{Name: name, Type: t} }

// Input returns the schema of the arguments of a tool.
func ExampleInput() {
	limit := &model.Type{Kind: model.Int, Bits: 8}
	fmt.Println(schemagen.Input(object(
		&model.Field{Name: "words", Type: &model.Type{Kind: model.String}, Description: "what to look for"},
		&model.Field{Name: "limit", Type: limit, Optional: true},
	), "users"))
	// Output:
	// {"properties":{"words":{"type":"string","description":"what to look for"},"limit":{"type":"integer","maximum":127,"minimum":-128}},"additionalProperties":false,"type":"object","required":["words"]}
}

func TestDirections(t *testing.T) {
	text := &model.Type{Kind: model.String}
	pointer := &model.Type{Kind: model.Pointer, Elem: text}
	status := &model.Type{Kind: model.String, Enum: []model.Const{{Value: `"on"`, Description: "it  runs\nwell"}, {Value: `"off"`}}}
	flags := &model.Type{Kind: model.Uint, Bits: 8, Known: []model.Const{{Name: "Read", Value: "1"}, {Name: "Write", Value: "2"}}}
	for _, tt := range []struct {
		name          string
		field         *model.Field
		input, output string
	}{
		{"pointer", &model.Field{Type: pointer, Optional: true},
			`{"type":"string"}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`},
		{"pointer left out", &model.Field{Type: pointer, Optional: true, Omit: model.OmitNil},
			`{"type":"string"}`, `{"type":"string"}`},
		{"list of pointers", &model.Field{Type: &model.Type{Kind: model.Slice, Elem: pointer}},
			`{"items":{"type":"string"},"type":"array"}`, `{"items":{"anyOf":[{"type":"string"},{"type":"null"}]},"type":"array"}`},
		{"enum", &model.Field{Type: status},
			`{"type":"string","enum":["on","off"],"description":"on: it runs well\noff"}`,
			`{"type":"string"}`},
		{"flags", &model.Field{Type: flags, Description: "what"},
			`{"type":"integer","maximum":255,"minimum":0,"description":"what\nKnown values:\n1 (Read)\n2 (Write)"}`,
			`{"type":"integer","maximum":255,"minimum":0,"description":"what"}`},
		{"duration", field("", &model.Type{Kind: model.Duration}),
			`{"type":"string","format":"duration"}`, `{"type":"string"}`},
		{"enum of small integers", &model.Field{Type: &model.Type{Kind: model.Int, Bits: 8, Enum: []model.Const{{Value: "1"}, {Value: "2"}}}},
			`{"type":"integer","enum":[1,2]}`, `{"type":"integer","maximum":127,"minimum":-128}`},
		{"URL", field("", &model.Type{Kind: model.URL}),
			`{"type":"string","format":"uri-reference"}`, `{"type":"string"}`},
		{"map with times as keys", field("", &model.Type{Kind: model.Map, Key: &model.Type{Kind: model.Time}, Elem: text}),
			`{"additionalProperties":{"type":"string"},"type":"object"}`, `{"additionalProperties":{"type":"string"},"type":"object"}`},
		{"map with natural numbers as keys", field("", &model.Type{Kind: model.Map, Key: &model.Type{Kind: model.Uint}, Elem: text}),
			`{"additionalProperties":{"type":"string"},"propertyNames":{"pattern":"^[0-9]+$"},"type":"object"}`, `{"additionalProperties":{"type":"string"},"propertyNames":{"pattern":"^[0-9]+$"},"type":"object"}`},
		{"any", field("", &model.Type{Kind: model.Any}), `{}`, `{}`},
		{"any, described", &model.Field{Type: &model.Type{Kind: model.Any}, Description: `a "b" <-- & c`},
			`{"description":"a \"b\" <-- & c"}`, `{"description":"a \"b\" <-- & c"}`},
		{"backslashes", &model.Field{Type: &model.Type{Kind: model.Any}, Description: `\u003c \ \\u003c < \`},
			`{"description":"\\u003c \\ \\\\u003c < \\"}`, `{"description":"\\u003c \\ \\\\u003c < \\"}`},
		{"array", field("", &model.Type{Kind: model.Array, Len: 3, Elem: text}),
			`{"items":{"type":"string"},"type":"array","maxItems":3,"minItems":3}`, `{"items":{"type":"string"},"type":"array","maxItems":3,"minItems":3}`},
		{"map", field("", &model.Type{Kind: model.Map, Key: text, Elem: text}),
			`{"additionalProperties":{"type":"string"},"type":"object"}`, `{"additionalProperties":{"type":"string"},"type":"object"}`},
	} {
		tt.field.Name = "x"
		if got := property(t, schemagen.Input(object(tt.field), "users")); got != tt.input {
			t.Errorf("%s: input is\n%s, want\n%s", tt.name, got, tt.input)
		}
		if got := property(t, schemagen.Output(object(tt.field), "")); got != tt.output {
			t.Errorf("%s: output is\n%s, want\n%s", tt.name, got, tt.output)
		}
	}
}

// property returns the JSON schema of the only property.
func property(t *testing.T, text string) string {
	t.Helper()
	var s struct{ Properties struct{ X json.RawMessage } }
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return string(s.Properties.X)
}

func TestRequired(t *testing.T) {
	text := &model.Type{Kind: model.String}
	root := object(
		&model.Field{Name: "a", Type: text},
		&model.Field{Name: "b", Type: text, Optional: true},
		&model.Field{Name: "c", Type: text, Optional: true, Omit: model.OmitNil},
	)
	for got, want := range map[string]string{schemagen.Input(root, "users"): `["a"]`, schemagen.Output(root, ""): `["a","b"]`} {
		var s struct{ Required json.RawMessage }
		if err := json.Unmarshal([]byte(got), &s); err != nil || string(s.Required) != want {
			t.Errorf("required is %s (%v), want %s", s.Required, err, want)
		}
	}
}

func TestRecursion(t *testing.T) {
	tree := &model.Type{Kind: model.StructKind, Def: &model.Def{Name: "Tree"}}
	list := &model.Type{Kind: model.Slice, Elem: &model.Type{Kind: model.Pointer, Elem: tree}}
	tree.Fields = []*model.Field{{Name: "children", Type: list}}
	const want = `{"$defs":{"Tree":{"properties":{"children":{"items":{"$ref":"#/$defs/Tree"},"type":"array"}},"additionalProperties":false,"type":"object","required":["children"]}},` +
		`"properties":{"trees":{"additionalProperties":{"$ref":"#/$defs/Tree"},"type":"object"}},"additionalProperties":false,"type":"object","required":["trees"]}`
	root := object(field("trees", &model.Type{Kind: model.Map, Key: &model.Type{Kind: model.String}, Elem: tree}))
	if got := schemagen.Input(root, "users"); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
}

// TestShared checks a struct that occurs twice: results always define it, arguments only if
// they would be long otherwise.
func TestShared(t *testing.T) {
	text := &model.Type{Kind: model.String}
	point := &model.Type{Kind: model.StructKind, Def: &model.Def{Name: "Point"}, Fields: []*model.Field{field("x", text)}}
	pointer := &model.Type{Kind: model.Pointer, Elem: point}
	pair := object(field("a", pointer), field("b", pointer))
	if got, want := schemagen.Input(pair, "users"), 0; strings.Count(got, "$ref") != want {
		t.Errorf("input %s has %d references, want %d", got, strings.Count(got, "$ref"), want)
	}
	if got, want := schemagen.Output(pair, ""), 2; strings.Count(got, `"$ref":"#/$defs/Point"`) != want || strings.Count(got, `"properties":{"x"`) != 1 {
		t.Errorf("output %s has %d references, want %d to one definition", got, strings.Count(got, "$ref"), want)
	}

	point.Description = strings.Repeat("long ", 4000)
	if got, want := schemagen.Input(pair, "users"), 2; strings.Count(got, "$ref") != want || len(got) > 32<<10 {
		t.Errorf("long input of %d bytes has %d references, want %d", len(got), strings.Count(got, "$ref"), want)
	}
	point.Description = ""
	for i := range 40 {
		point = &model.Type{Kind: model.StructKind, Def: &model.Def{Name: fmt.Sprint("Twice", i)}, Fields: []*model.Field{field("a", point), field("b", point)}}
	}
	for _, got := range []string{schemagen.Input(point, "users"), schemagen.Output(point, "")} {
		if len(got) > 32<<10 {
			t.Errorf("2⁴⁰ points take %d bytes", len(got))
		}
	}
}

// TestReference checks a definition whose name has to be escaped in a URI.
func TestReference(t *testing.T) {
	list := &model.Type{Kind: model.Slice, Def: &model.Def{Name: "Größe_int"}}
	list.Elem = list
	const want = `"xs":{"$ref":"#/$defs/Gr%C3%B6%C3%9Fe_int"}`
	if got := schemagen.Input(object(field("xs", list)), "users"); !strings.Contains(got, want) || !strings.Contains(got, `"$defs":{"Größe_int":`) {
		t.Errorf("got %s, want %s in it", got, want)
	}
}

func TestNoResult(t *testing.T) {
	if got, want := schemagen.Output(nil, "nothing"), `{"type":"null","description":"nothing"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestOutputDescription checks that a result has its own description instead of that of its
// type.
func TestOutputDescription(t *testing.T) {
	status := &model.Type{Kind: model.String, Description: "A state.", Enum: []model.Const{{Value: `"on"`, Description: "it runs"}, {Value: `"off"`}}}
	pointer := &model.Type{Kind: model.Pointer, Elem: status}
	empty := &model.Type{Kind: model.StructKind, Description: "A thing."}
	for _, tt := range []struct {
		result            *model.Type
		description, want string
	}{
		{status, "", `{"type":"string"}`},
		{status, "a guess", `{"type":"string","description":"a guess"}`},
		{pointer, "a guess", `{"anyOf":[{"type":"string"},{"type":"null"}],"description":"a guess"}`},
		{empty, "", `{"properties":{},"type":"object"}`},
		{empty, "a guess", `{"properties":{},"type":"object","description":"a guess"}`},
		{nil, "done", `{"type":"null","description":"done"}`},
	} {
		if got := schemagen.Output(tt.result, tt.description); got != tt.want {
			t.Errorf("Output(%v, %q) = %s\nwant %s", tt.result, tt.description, got, tt.want)
		}
	}
}

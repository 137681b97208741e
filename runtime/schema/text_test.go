package schema_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	schemapkg "github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// The texts of package tool for models contain schemas and examples, which a validator checks here.
// The tests of that package cannot use other modules, and neither can its users.

// definitions returns the definitions whose text is a golden file of package tool.
func definitions(t *testing.T) (all []tool.Definition) {
	t.Helper()
	text, err := os.ReadFile("testdata/prompt_definitions.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// calls finds the example calls in the text of tools.
var calls = regexp.MustCompile(`(?m)^  (\{"name":.*\})$`)

// TestTextExamples checks that the calls in the text are valid, whether they were given or generated,
// and have values for required arguments.
func TestTextExamples(t *testing.T) {
	made := map[string]bool{}
	for _, d := range definitions(t) {
		for _, call := range calls.FindAllStringSubmatch(schemapkg.Describe([]tool.Definition{d}), -1) {
			var request tool.Request
			if err := json.Unmarshal([]byte(call[1]), &request); err != nil || request.Name != d.Name {
				t.Errorf("%s: %s, %v", d.Name, call[1], err)
			}
			if err := validate(t, d.Input, request.Arguments); err != nil {
				t.Errorf("%s: %v", d.Name, err)
			}
			made[d.Name] = true
		}
	}
	for _, name := range []string{"find_ticket", "now", "set", "everything"} {
		if !made[name] {
			t.Errorf("%s has no example", name)
		}
	}
}

// validate reports whether another implementation accepts a value, including formats and contents. An
// invalid schema fails the test.
func validate(t *testing.T, schema, value json.RawMessage) error {
	t.Helper()
	compiled, err := compileStrict(schema)
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	x, err := jsonschema.UnmarshalJSON(strings.NewReader(string(value)))
	if err != nil {
		return err
	}
	return compiled.Validate(x)
}

// compileStrict compiles a schema that enforces formats and contents.
func compileStrict(schema json.RawMessage) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(schema)))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.AssertContent()
	c.UseLoader(jsonschema.SchemeURLLoader{}) // documents are never loaded
	if err := c.AddResource("schema.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("schema.json")
}

// TestSamples checks for which schemas an example can be generated.
func TestSamples(t *testing.T) {
	nested := func(n int) string {
		return strings.Repeat(`{"type":"array","minItems":4,"items":`, n) + `{"type":"string"}` + strings.Repeat("}", n)
	}
	for schema, want := range map[string]string{
		`{}`:                                              `"text"`,
		`true`:                                            "",
		`{"type":"string","minLength":4}`:                 `"text"`,
		`{"type":"string","minLength":5}`:                 "",
		`{"type":"string","maxLength":0}`:                 `""`,
		`{"type":"string","minLength":1e30}`:              "",
		`{"type":"string","format":"ipv6"}`:               `"2001:db8::1"`,
		`{"type":"string","format":"iri"}`:                "",
		`{"type":"string","format":"date","maxLength":3}`: "",
		`{"type":"string","pattern":"x"}`:                 "",
		`{"type":"string","contentEncoding":"base64","maxLength":3}`:               "",
		`{"type":"string","contentEncoding":"quoted-printable"}`:                   "",
		`{"type":"integer","minimum":1.5}`:                                         "",
		`{"type":"integer","minimum":5.0}`:                                         "5.0",
		`{"type":"integer","minimum":1e30}`:                                        "",
		`{"type":"number","minimum":1e30}`:                                         "1e30",
		`{"type":"number","minimum":2,"maximum":0}`:                                "",
		`{"type":"integer","exclusiveMinimum":1}`:                                  "",
		`{"type":"integer","enum":[7]}`:                                            "7",
		`{"type":"number","enum":[0.5]}`:                                           "0.5",
		`{"type":"integer","enum":[0.5]}`:                                          "",
		`{"type":"integer","enum":["7"]}`:                                          "",
		`{"enum":[null]}`:                                                          "null",
		`{"enum":[]}`:                                                              "",
		`{"enum":[7],"maximum":3}`:                                                 "",
		`{"type":"boolean","not":{}}`:                                              "",
		`{"type":"null"}`:                                                          "null",
		`{"type":"array"}`:                                                         "",
		`{"type":"array","maxItems":0}`:                                            "[]",
		`{"type":"array","items":{"type":"integer"}}`:                              "[1]",
		`{"type":"array","items":{"type":"integer"},"minItems":3}`:                 "[1,1,1]",
		`{"type":"array","items":{"type":"integer"},"minItems":1e9}`:               "",
		`{"type":"array","items":{"type":"integer"},"minItems":3,"maxItems":2}`:    "",
		`{"type":"array","items":{"type":"integer"},"uniqueItems":true}`:           "",
		`{"type":["string"]}`:                                                      "",
		`{"type":"string","type":"string"}`:                                        "",
		`{"type":"unknown"}`:                                                       "",
		`{"anyOf":[{"type":"string","pattern":"x"},{"type":"integer"}]}`:           "1",
		`{"anyOf":[{"type":"integer"}],"maximum":0}`:                               "",
		`{"anyOf":[]}`:                                                             "",
		`{"anyOf":[true]}`:                                                         "",
		`{"$ref":"#"}`:                                                             "",
		`{"type":"object","properties":{"b":{"type":"integer"}},"required":["b"]}`: `{"b":1}`,
		`{"type":"object","required":["a"]}`:                                       "",
		`{"type":"object","minProperties":1}`:                                      "",
		nested(3): "[" + strings.Repeat(`[["text","text","text","text"],["text","text","text","text"],["text","text","text","text"],["text","text","text","text"]],`, 3) +
			`[["text","text","text","text"],["text","text","text","text"],["text","text","text","text"],["text","text","text","text"]]]`,
		nested(5):  "",
		nested(50): "",
	} {
		got := ""
		d := tool.Definition{Name: "t", Input: json.RawMessage(`{"type":"object","properties":{"x":` + schema + `},"required":["x"]}`)}
		if found := calls.FindStringSubmatch(schemapkg.Describe([]tool.Definition{d})); found != nil {
			got = strings.TrimSuffix(strings.TrimPrefix(found[1], `{"name":"t","arguments":{"x":`), "}}")
			if err := validate(t, json.RawMessage(schema), json.RawMessage(got)); err != nil {
				t.Errorf("%s: %s: %v", schema, got, err)
			}
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", schema, got, want)
		}
	}
}

// TestAvailableReferences checks that schemas allow references where the scope does, and are otherwise
// unchanged.
func TestAvailableReferences(t *testing.T) {
	d := tool.Definition{Name: "t", Input: []byte(` { "type" : "object", "properties":
		{"n":{"type":"integer","description":"how many","default":3,"title":"Number"},"any":{}, "r":{"$ref":"#/$defs/R"},"yes":true,
		"in":{"type":"string","pattern":"^<<var:[A-Za-z0-9_.-]{1,64}>>$","description":"where from"}} ,
		"required":["n","in"],"$defs":{"R":{"properties":{"s":{"type":"string"}}}}, "additionalProperties":false}`)}
	r := tool.NewRegistry()
	r.Replace(tool.NewTypedAction(&d, wire.NoArguments, nil).Tool)
	if got := r.Available(tool.NewScope())[0].Input; string(got) != string(d.Input) {
		t.Errorf("in a plain scope: %s", got)
	}
	schema := r.Available(tool.NewScope(tool.ReferToValues()))[0].Input
	for _, tt := range []struct {
		arguments string
		valid     bool
	}{
		{`{"n":1,"in":"<<var:x>>"}`, true},
		{`{"n":"<<var:x>>","in":"<<var:x>>","any":"<<var:x>>","r":"<<var:x>>","yes":"<<var:x>>"}`, true},
		{`{"n":1,"in":"<<var:x>>","any":1,"r":{"s":"a"},"yes":[]}`, true},
		{`{"n":"x","in":"<<var:x>>"}`, false},
		{`{"n":1,"in":"x"}`, false},
		{`{"n":1,"in":"<<var:x>>","r":{"s":"<<var:x>>"}}`, true},
		{`{"n":1,"in":"<<var:x>>","r":{"s":1}}`, false},
		{`{"n":1,"in":"<<var:x>>","more":1}`, false},
		{`{"n":1}`, false},
		{`"<<var:x>>"`, false},
	} {
		if err := validate(t, schema, json.RawMessage(tt.arguments)); (err == nil) != tt.valid {
			t.Errorf("%s: %v", tt.arguments, err)
		}
	}
	var s struct {
		Properties map[string]struct {
			Title, Description string
			Default            json.RawMessage
		}
	}
	if err := json.Unmarshal(schema, &s); err != nil {
		t.Fatal(err)
	}
	if n := s.Properties["n"]; n.Description != "how many" || n.Title != "Number" || string(n.Default) != "3" || s.Properties["in"].Description != "where from" {
		t.Errorf("got %s", schema)
	}
	if string(d.Input) != string(r.All()[0].Input) {
		t.Error("the schema of the tool was changed")
	}
	for _, input := range []string{"", "{}", "true", `{"properties":{}}`} {
		_ = r.Replace(tool.NewTypedAction(&tool.Definition{Name: "t", Input: []byte(input)}, wire.NoArguments, nil).Tool)
		if got := r.Available(tool.NewScope(tool.ReferToValues()))[0].Input; string(got) != input {
			t.Errorf("%.20s: got %.100s", input, got)
		}
	}
}

// FuzzSchema uses any text as the schema of a tool. A generated example must be valid, also if
// references are allowed.
func FuzzSchema(f *testing.F) {
	for _, seed := range []string{
		"", "{", "[]", "true", `{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}`, `{"properties":{"a":{"type":"string","description":"x"},"b":true},"required":["a"]}`,
		`{"type":"object","properties":{"x":{"anyOf":[{"type":"integer","minimum":3.5},{"type":"array","items":{},"minItems":2}]}},"required":["x"]}`,
		`{"type":["object","null"],"properties":{"x":{"const":1}}}`, `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#"}}}`,
		`{"type":"object","properties":{"x":{"type":"string","format":"uuid","minLength":3}},"required":["x"],"minProperties":2}`,
		`{"type":"object","properties":{"x":{"enum":[{"a":1}],"type":"object"}},"required":["x","y"],"additionalProperties":{"type":"string"}}`,
	} {
		f.Add(seed)
	}
	scope := tool.NewScope(tool.ReferToValues())
	f.Fuzz(func(t *testing.T, text string) {
		var doc any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if d.Decode(&doc) == nil && json.Valid([]byte(text)) {
			b, err := json.Marshal(doc) // no key is repeated
			if err != nil {
				t.Fatal(err)
			}
			text = string(b)
		}
		definition := tool.Definition{Name: "t", Input: json.RawMessage(text), Output: json.RawMessage(text)}
		shown := schemapkg.Describe([]tool.Definition{definition})
		r := tool.NewRegistry()
		if r.Replace(tool.New(&definition, func(context.Context, *tool.Invocation) {})) != nil {
			return // a registry rejects such a tool
		}
		admitted := r.Available(scope)[0]
		schemapkg.Describe([]tool.Definition{admitted})
		if json.Valid([]byte(text)) != json.Valid(admitted.Input) {
			t.Fatalf("%s\n%s", text, admitted.Input)
		}

		schema, err := compileStrict(json.RawMessage(text))
		example := calls.FindStringSubmatch(shown)
		if err != nil || example == nil {
			return
		}
		x, err := jsonschema.UnmarshalJSON(strings.NewReader(example[1]))
		if err != nil {
			t.Fatalf("%s: %v", example[1], err)
		}
		arguments := x.(map[string]any)["arguments"]
		if err := schema.Validate(arguments); err != nil {
			t.Fatalf("%s: %s: %v", text, example[1], err)
		}
		if bytes.Contains([]byte(text), []byte(`"#`)) {
			return // it may refer to a place that is now one step deeper
		}
		if schema, err = compileStrict(admitted.Input); err != nil {
			t.Fatalf("%s: %v", admitted.Input, err)
		}
		if err := schema.Validate(arguments); err != nil {
			t.Fatalf("%s: %s: %v", admitted.Input, example[1], err)
		}
	})
}

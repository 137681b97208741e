package tool_test

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/aiongen/aiongen/runtime/tool"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// definitions returns those of a file in testdata.
func definitions(t *testing.T, file string) (all []tool.Definition) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// golden compares a text with a file in testdata.
func golden(t *testing.T, file, got string) {
	t.Helper()
	file = filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; see it with -update\n%s", file, diff)
	}
}

func TestText(t *testing.T) {
	all := definitions(t, "definitions.json")
	golden(t, "text.golden", tool.Text(all))
	if got := tool.Text(nil); got != "" {
		t.Errorf("got %q", got)
	}

	// In a scope that lets every argument be a reference, the text says so.
	r := tool.NewRegistry()
	for _, d := range all {
		r.Replace(tool.NewDo(&d, tool.NoArguments, func(context.Context, struct{}) error { return nil }).Tool)
	}
	golden(t, "text_references.golden", tool.Text(r.Available(tool.NewScope(tool.ReferToValues()))))
}

// calls finds the example calls in the text of tools.
var calls = regexp.MustCompile(`(?m)^  (\{"name":.*\})$`)

// TestTextExamples: the calls in the text are valid, whether they were given or
// made up; arguments that are required get some.
func TestTextExamples(t *testing.T) {
	made := map[string]bool{}
	for _, d := range definitions(t, "definitions.json") {
		for _, call := range calls.FindAllStringSubmatch(tool.Text([]tool.Definition{d}), -1) {
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

// validate asks another implementation whether a value is valid, formats and
// contents included. What is no schema is an error of the test.
func validate(t *testing.T, schema, value json.RawMessage) error {
	t.Helper()
	compiled, err := compile(schema)
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	x, err := jsonschema.UnmarshalJSON(strings.NewReader(string(value)))
	if err != nil {
		return err
	}
	return compiled.Validate(x)
}

func compile(schema json.RawMessage) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(schema)))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.AssertContent()
	c.UseLoader(jsonschema.SchemeURLLoader{}) // nothing is loaded
	if err := c.AddResource("schema.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("schema.json")
}

// TestSamples has schemas that an example can be made of, or cannot.
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
		if found := calls.FindStringSubmatch(tool.Text([]tool.Definition{d})); found != nil {
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

// TestAct: the schemas for prompts are schemas, of what they say.
func TestAct(t *testing.T) {
	for _, tt := range []struct {
		schema, value string
		valid         bool
	}{
		{tool.ActRequestSchema, `[]`, true},
		{tool.ActRequestSchema, `[{"name":"a","arguments":{}},{"name":"b","arguments":{"c":[1]}}]`, true},
		{tool.ActRequestSchema, `[{"name":"a"}]`, false},
		{tool.ActRequestSchema, `[{"name":"a","arguments":[]}]`, false},
		{tool.ActRequestSchema, `[{"name":"a","arguments":{},"more":1}]`, false},
		{tool.ActRequestSchema, `{"name":"a","arguments":{}}`, false},
		{tool.ActResponseSchema, `[{"name":"a","arguments":{},"output":null},{"name":"b","error":"no"}]`, true},
		{tool.ActResponseSchema, `[{"output":1}]`, false},
		{tool.ActResponseSchema, `[{"name":"a","error":1}]`, false},
	} {
		if err := validate(t, json.RawMessage(tt.schema), json.RawMessage(tt.value)); (err == nil) != tt.valid {
			t.Errorf("%s: %v", tt.value, err)
		}
	}
	for _, text := range []string{tool.ActFunction, tool.ActArguments, tool.ActRequests} {
		if !strings.Contains(tool.ActRequestSchema, text) {
			t.Errorf("the schema does not say %q", text)
		}
	}
	if !strings.Contains(tool.ActResponseSchema, tool.ActResponses) || tool.ActRequired == "" {
		t.Error("the schema of responses does not say what they are")
	}
}

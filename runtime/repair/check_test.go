package repair

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	oracle "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
)

// newOracle returns a function that validates values with santhosh-tekuri/jsonschema.
func newOracle(t testing.TB, schema string) func(value string) bool {
	t.Helper()
	compiler := oracle.NewCompiler()
	compiler.AssertFormat()
	parsed, err := oracle.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiler.AddResource("s.json", parsed); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("s.json")
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	return func(value string) bool {
		v, err := oracle.UnmarshalJSON(strings.NewReader(value))
		if err != nil {
			t.Fatal(err)
		}
		return compiled.Validate(v) == nil
	}
}

func fits(t *testing.T, s *jsonschema.Schema, value string) bool {
	t.Helper()
	return s == nil || len(s.Check(parseJSON(value), len(value))) == 0
}

// parseJSON parses valid JSON like this package.
func parseJSON(text string) *jsontext.Node {
	return reader.New(text, 0, len(text)).ReadValue(reader.InText, nil)
}

// TestCheckReferences compares the verdicts on the arguments of the reference functions with those of
// the oracle.
func TestCheckReferences(t *testing.T) {
	b, err := os.ReadFile("testdata/bfcl_calls.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var schemas, values []string
	for line := range strings.Lines(string(b)) {
		var r struct {
			Functions []struct{ Parameters json.RawMessage }
			Calls     []struct{ Arguments json.RawMessage }
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		schemas = append(schemas, string(r.Functions[0].Parameters))
		values = append(values, string(r.Calls[0].Arguments))
	}
	fit := 0
	for i := range schemas {
		s, bad := reader.ParseSchema(json.RawMessage(schemas[i]))
		if bad != nil {
			t.Fatal(bad.Message)
		}
		want := newOracle(t, schemas[i])
		for j := i; j < len(values) && j < i+20; j++ {
			got := fits(t, s, values[j])
			if got {
				fit++
			}
			if got != want(values[j]) {
				t.Errorf("%s: %s: %v", schemas[i], values[j], got)
			}
		}
	}
	if fit < len(schemas)/4 {
		t.Errorf("only %d arguments fit", fit)
	}
}

// TestSchemaErrors checks schemas that cannot be used.
func TestSchemaErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                                    "expected a key in double quotes at byte 1",
		`{"type": "text"}`:                     "/type: expected one of the types",
		`{"$ref": "other.json"}`:               "documents are not loaded",
		`{"properties": {"a": 1}}`:             "/properties/a: expected a schema",
		`"` + strings.Repeat("x", 1<<20) + `"`: "at most 1 MiB",
	} {
		_, err := Arguments(`{}`, json.RawMessage(text))
		if err == nil || !strings.Contains(err.Error(), want) || err.(*Error).Code() != "schema" {
			t.Errorf("%.40s: %v", text, err)
		}
	}
}

// TestLoop checks that a schema that refers to itself does not cause an endless loop.
func TestLoop(t *testing.T) {
	for _, text := range []string{`{"$ref": "#"}`, `{"anyOf": [{"$ref": "#"}]}`, `{"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}`} {
		if _, err := Arguments(`{"a": 1}`, json.RawMessage(text)); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}

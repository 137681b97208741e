package schema_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

var update = flag.Bool("update", false, "write what is lowered to testdata/lowered")

// byHand are handwritten definitions with valid arguments.
type byHand struct {
	Definition tool.Definition
	Arguments  []json.RawMessage
}

func definitionsByHand(t testing.TB) (all []byHand) {
	t.Helper()
	text, err := os.ReadFile("testdata/definitions.json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestLowered compares lowered definitions and their losses with golden files.
func TestLowered(t *testing.T) {
	for _, target := range schema.Targets() {
		var got bytes.Buffer
		for _, d := range definitionsByHand(t) {
			l := lower(t, target, d.Definition)
			fmt.Fprintf(&got, "%s\n", cut(string(l.JSON(target.Shape()))))
			for _, loss := range l.Losses {
				fmt.Fprintf(&got, "\t%s\n", cut(loss.String()))
			}
		}
		file := filepath.Join("testdata", "lowered", string(target)+".txt")
		if *update {
			if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s differs; see what go test -update changes", file)
		}
	}
}

func cut(text string) string {
	if len(text) > 4000 {
		return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(text[:4000], ""), len(text))
	}
	return text
}

func lower(t testing.TB, target schema.Target, d tool.Definition) *schema.Lowered {
	t.Helper()
	l, err := schema.Lower(target, d)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestReferencesAlone checks that a $ref has no siblings for OpenAI, which refuses them.
func TestReferencesAlone(t *testing.T) {
	for _, d := range definitionsByHand(t) {
		l := lower(t, schema.OpenAIStrict, d.Definition)
		var input any
		if err := json.Unmarshal(l.Input, &input); err != nil {
			t.Fatal(err)
		}
		eachObject(input, func(x map[string]any) {
			if _, isReference := x["$ref"].(string); isReference && len(x) > 1 {
				t.Errorf("%s: %v", l.Name, x)
			}
		})
	}
}

func eachObject(v any, f func(map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		f(v)
		for _, x := range v {
			eachObject(x, f)
		}
	case []any:
		for _, x := range v {
			eachObject(x, f)
		}
	}
}

// TestRaise encodes arguments for every target, checks them against the lowered schema, and raises
// them again.
func TestRaise(t *testing.T) {
	for _, d := range definitionsByHand(t) {
		for _, target := range schema.Targets() {
			l := lower(t, target, d.Definition)
			input := compile(t, l.Input)
			for _, arguments := range d.Arguments {
				if d.Definition.Input != nil {
					if err := schema.Validate(d.Definition.Input, arguments); err != nil {
						t.Fatalf("%s: %s: %v", l.Name, arguments, err)
					}
				}
				written, err := l.Encode(arguments)
				if err != nil {
					t.Fatal(err)
				}
				if err := input.Validate(value(t, written)); err != nil {
					t.Errorf("%s, %s: %s is written as %s, but %v", l.Name, target, arguments, written, err)
				}
				raised, err := l.Raise(written)
				want, got := value(t, arguments), value(t, raised)
				if slices.ContainsFunc(l.Losses, func(x schema.Loss) bool { return strings.HasPrefix(x.Message, "that it may be absent") }) {
					want, got = withoutNull(want), withoutNull(got)
				}
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s, %s: %s is written as %s, and raised as %s, %v", l.Name, target, arguments, written, raised, err)
				}
			}
		}
	}
}

// withoutNull removes the members that are null.
func withoutNull(x any) any {
	object := maps.Clone(x.(map[string]any))
	maps.DeleteFunc(object, func(_ string, v any) bool { return v == nil })
	return object
}

// compile compiles a schema that may contain Gemini's nullable.
func compile(t testing.TB, text json.RawMessage) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schema.json", withNull(value(t, text))); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return s
}

func withNull(x any) any {
	switch x := x.(type) {
	case map[string]any:
		for name, member := range x {
			x[name] = withNull(member)
		}
		if x["nullable"] == true {
			return map[string]any{"anyOf": []any{x, map[string]any{"type": "null"}}}
		}
	case []any:
		for i := range x {
			x[i] = withNull(x[i])
		}
	}
	return x
}

func value(t testing.TB, text json.RawMessage) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

// TestLevels checks that a long chain of references ends in JSON text, and that values can be raised.
func TestLevels(t *testing.T) {
	defs := map[string]any{"T300": map[string]any{"type": "string"}}
	for i := range 300 {
		next := map[string]any{"next": map[string]any{"$ref": fmt.Sprintf("#/$defs/T%d", i+1)}}
		defs[fmt.Sprintf("T%d", i)] = map[string]any{"type": "object", "properties": next, "additionalProperties": false}
	}
	input := map[string]any{"type": "object", "properties": map[string]any{"first": map[string]any{"$ref": "#/$defs/T0"}}, "$defs": defs}
	arguments := strings.Repeat(`{"next":`, 300) + `"end"` + strings.Repeat("}", 300)
	d := tool.Definition{Name: "x", Input: text(t, input), Example: json.RawMessage(`{"first":` + arguments + "}")}
	for _, target := range schema.Targets() {
		l := lower(t, target, d)
		cut := slices.ContainsFunc(l.Losses, func(x schema.Loss) bool { return strings.Contains(x.Message, "nested in more than 200 schemas") })
		if inlines := target == schema.AnthropicStrict || target == schema.Gemini || target == schema.Ollama; cut != inlines {
			t.Errorf("%s: cut is %v", target, cut)
		}
		checkRaised(t, l, d)
	}
}

func ExampleLower() {
	definition := tool.Definition{
		Name: "label", Description: "Labels a ticket.",
		Input: json.RawMessage(`{"type":"object","properties":{
			"labels":{"type":"object","additionalProperties":{"type":"string","maxLength":20}},
			"note":{"type":"string"}},
			"required":["labels"],"additionalProperties":false}`),
	}
	lowered, err := schema.Lower(schema.OpenAIStrict, definition)
	if err != nil {
		panic(err)
	}
	for _, loss := range lowered.Losses {
		fmt.Println(loss)
	}
	arguments, err := lowered.Raise(json.RawMessage(`{"labels":[{"key":"env","value":"prod"}],"note":null}`))
	fmt.Println(string(arguments), err)
	// Output:
	// label/input/properties/labels: a map becomes a list of {"key", "value"} (rewritten)
	// label/input/properties/labels/additionalProperties: maxLength is only stated in the description (worded)
	// label/input/properties/note: the optional member becomes required, and null means absent (rewritten)
	// {"labels":{"env":"prod"}} <nil>
}

// The losses that exclude a tool from OpenAI's strict mode.
func ExampleCheck() {
	losses, err := schema.Check(schema.OpenAIStrict, tool.Definition{
		Name: "store", Description: "Stores a value.",
		Input: json.RawMessage(`{"type":"object","properties":{"key":{"type":"string","maxLength":20},"value":{}},"required":["key","value"]}`),
	})
	if err != nil {
		panic(err)
	}
	for _, loss := range losses {
		if loss.Severity >= schema.Quoted {
			fmt.Println(loss)
		}
	}
	// Output: store/input/properties/value: a value of any kind becomes its JSON text in a string (quoted)
}

// A target is the value of a command's flag.
func ExampleTarget() {
	flags := flag.NewFlagSet("offer", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	var target schema.Target
	flags.TextVar(&target, "target", schema.OpenAI, "what the tools are for")
	for _, name := range []string{"gemini", "gemin"} {
		err := flags.Parse([]string{"-target", name})
		fmt.Println(target, err)
	}
	// Output:
	// gemini <nil>
	// gemini invalid value "gemin" for flag -target: unknown target "gemin", expected one of anthropic, anthropic-strict, gemini, mcp, ollama, openai, openai-strict
}

func ExampleLowered_JSON() {
	lowered, err := schema.Lower(schema.MCP, tool.Definition{Name: "now", Description: "The time of day."})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s\n", lowered.JSON(schema.Messages))
	// Output: {"name":"now","description":"The time of day.","input_schema":{"type":"object","properties":{},"additionalProperties":false}}
}

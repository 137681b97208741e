package schema_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

func ExampleDynamic() {
	search, err := schema.Dynamic(tool.Definition{
		Name: "search", Description: "Searches the archive.",
		Input: json.RawMessage(`{"type":"object","properties":{
			"query":{"type":"string","minLength":1},
			"limit":{"type":"integer","maximum":50}},
			"required":["query"],"additionalProperties":false}`),
		Output: json.RawMessage(`{"type":"array","items":{"type":"string"}}`),
	}, func(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`["first","second"]`), nil
	})
	if err != nil {
		panic(err)
	}
	r := tool.NewRegistry()
	r.Replace(search)
	for _, arguments := range []string{`{"query":"go"}`, `{"limit":100,"page":2}`} {
		call := r.Call(context.Background(), tool.Request{Name: "search", Arguments: json.RawMessage(arguments)})
		fmt.Println(string(call.Output) + tool.ModelText(call.Err))
	}
	// Output:
	// ["first","second"]
	// The arguments of search were wrong, and it did not run. Send the call again with all arguments, and fix these:
	// - /limit: expected an integer of at most 50, found the number 100
	// - /page: expected one of the 2 keys query, limit, found the key "page"
	// - /query: expected a value, found nothing
}

// dynamicTool returns a tool with the given schemas that returns a fixed result.
func dynamicTool(t testing.TB, input, output, result string) *tool.Registry {
	t.Helper()
	d := tool.Definition{Name: "do", Description: "Does it.", Input: json.RawMessage(input)}
	if output != "" {
		d.Output = json.RawMessage(output)
	}
	made, err := schema.Dynamic(d, func(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) {
		if result == "echo" {
			return arguments, nil
		}
		if result == "nil" {
			return nil, nil
		}
		if result == "error" {
			return nil, errors.New("out of order")
		}
		return json.RawMessage(result), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r := tool.NewRegistry()
	r.Replace(made)
	return r
}

func TestDynamicArguments(t *testing.T) {
	const deep = `{"type":"object","properties":{"list":{"type":"array","items":{"type":"object","properties":{
		"a/b":{"enum":["x","y"]},"n":{"type":["integer","null"],"exclusiveMinimum":0.5,"multipleOf":0.25},"s":{"type":"string","pattern":"^a","format":"date"},
		"c":{"const":1},"u":{"type":"array","uniqueItems":true,"maxItems":2}},"required":["c"]}}}}`
	for _, test := range []struct{ input, arguments, want string }{
		{deep, `{"list":[{"c":1,"a/b":"x","n":null,"s":"a"}]}`, `/list/0/s: expected a date such as 2026-01-31, found the string "a"`},
		{deep, `{"list":[{"c":1},{"a/b":"z","n":0.3,"s":"","u":[1,1,1]}]}`, "/list/1/a~1b: expected one of \"x\", \"y\" (strings), found the string \"z\"\n" +
			"/list/1/n: expected null or an integer, found the number 0.3\n" +
			"/list/1/s: expected a string that matches ^a, found the string \"\"\n" +
			"/list/1/s: expected a date such as 2026-01-31, found the string \"\"\n" +
			"/list/1/u: expected at most 2 elements, found an array\n" +
			"/list/1/u/1: expected each element once, found the number 1\n" +
			"/list/1/u/2: expected each element once, found the number 1\n" +
			"/list/1/c: expected a value, found nothing"},
		{deep, `{"list":[{"c":1,"n":0}]}`, `/list/0/n: expected a number above 0.5, found the number 0`},
		{deep, `{"list":[{"c":1,"n":1e99999}]}`, `/list/0/n: expected a number with a smaller exponent, found the number 1e99999`},
		{deep, `{"list":[{"c":1,"n":1E+099999,"c":2}]}`, `/list/0/n: expected a number with a smaller exponent, found the number 1E+099999` + "\n" + `/list/0/c: expected each key once, found the key "c" again`},
		{deep, `[]`, `arguments: expected an object, found an array`},
		{deep, ``, ``},
		{deep, `{"list":[`, `/list/0: expected a value at byte 9, found the end of the text`},
		{`{"type":"object"}`, strings.Repeat(`{"a":`, 65) + "1" + strings.Repeat("}", 65), ""},
		{`{"type":"object","additionalProperties":false}`, `{"a":"<<var:x>>"}`, `/a: expected no keys, found the key "a"`},
	} {
		call := dynamicTool(t, test.input, "", "echo").Call(t.Context(), tool.Request{Name: "do", Arguments: json.RawMessage(test.arguments)})
		var wrong *tool.ArgumentError
		if call.Err != nil && !errors.As(call.Err, &wrong) {
			t.Fatal(call.Err)
		}
		if strings.HasPrefix(test.arguments, `{"a":{`) { // too deep
			if wrong == nil {
				t.Error("no limit on depth")
			}
			continue
		}
		got := ""
		if wrong != nil {
			var lines []string
			for _, f := range wrong.Faults {
				lines = append(lines, f.String())
			}
			got = strings.Join(lines, "\n")
		}
		if got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.arguments, got, test.want)
		}
	}
}

func TestDynamicResults(t *testing.T) {
	const open = `{"type":"object"}`
	for _, test := range []struct{ output, result, want string }{
		{"", ` {"any": 1} `, `{"any":1}`},
		{"", "nil", `null`},
		{"", "error", `do: out of order`},
		{"", "{", `do: the result cannot be written: unexpected end of JSON input`},
		{`{"type":"null"}`, "nil", `null`},
		{`{"type":"string"}`, "nil", `do: the result cannot be written: expected a string, found null`},
		{`{"type":"array","items":{"type":"integer"}}`, `[1,2]`, `[1,2]`},
		{`{"type":"array","items":{"type":"integer"}}`, `[1,"2",true]`, `do: the result cannot be written: /1: expected an integer, found the string "2"; /2: expected an integer, found the boolean true`},
		{`{"type":"number"}`, `1e100000`, `do: the result cannot be written: expected a number with a smaller exponent, found the number 1e100000`},
	} {
		call := dynamicTool(t, open, test.output, test.result).Call(t.Context(), tool.Request{Name: "do"})
		got := string(call.Output)
		if call.Err != nil {
			got = call.Err.Error()
		}
		if got != test.want {
			t.Errorf("%s by %s:\n got %s\nwant %s", test.result, test.output, got, test.want)
		}
		if code := tool.Code(call.Err); strings.Contains(test.want, "cannot be written") != (code == "invalid_output") {
			t.Errorf("%s: %s", test.result, code)
		}
	}
}

// TestDynamicFaults checks that all faults of a definition are reported at once.
func TestDynamicFaults(t *testing.T) {
	_, err := schema.Dynamic(tool.Definition{
		Name: "a b", Description: " ", Input: json.RawMessage(`{"type":"array"}`), Output: json.RawMessage(`{"type":7}`),
	}, nil)
	if err == nil || tool.Code(err) != "invalid_definition" {
		t.Fatal(err)
	}
	for _, want := range []string{
		`tool "a b" cannot be registered: a name is 1 to 128 letters, digits, underscores, dots, slashes and hyphens`, "there is no description", "there is no handler",
		`the input schema must have "type": "object"`, "the output schema cannot be used: ",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	handler := func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, nil }
	for input, want := range map[string]string{
		`{`:    "the input schema cannot be used: expected a key in double quotes at byte 1, found the end of the text",
		`true`: `the input schema must have "type": "object", because arguments are an object`,
		`{"type":"object","$ref":"https://example.com/x"}`: "the input schema cannot be used: ",
		`{"type":"object","required":["id"]}`:              "the example is not valid: /id: expected a value, found nothing",
	} {
		_, err := schema.Dynamic(tool.Definition{Name: "a", Description: "A.", Input: json.RawMessage(input), Example: json.RawMessage(`{}`)}, handler)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", input, err, want)
		}
	}
}

// TestDynamicMessages checks that each place is reported once, on one line, without paths of this
// machine.
func TestDynamicMessages(t *testing.T) {
	handler := func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`{}`), nil }
	for output, want := range map[string]string{
		`{"type":"object","required":["echoed"]}`:     "t: the result cannot be written: /echoed: expected a value, found nothing",
		`{"type":"object","required":["a","echoed"]}`: "t: the result cannot be written: /a: expected a value, found nothing; /echoed: expected a value, found nothing",
		`{"type":"text"}`:             `tool "t" cannot be registered: the output schema cannot be used: `,
		`{"$ref":"other.json"}`:       `tool "t" cannot be registered: the output schema cannot be used: `,
		`{"$ref":"#/$defs/nowhere"}`:  `tool "t" cannot be registered: the output schema cannot be used: `,
		`{"type":7,"properties":[1]}`: `tool "t" cannot be registered: the output schema cannot be used: `,
	} {
		r := tool.NewRegistry()
		made, err := schema.Dynamic(tool.Definition{Name: "t", Description: "Does.", Output: json.RawMessage(output)}, handler)
		if err == nil {
			if err = r.Register(made); err != nil {
				t.Fatal(err)
			}
			err = r.Call(t.Context(), tool.Request{Name: "t"}).Err
		}
		if got := fmt.Sprint(err); !strings.HasPrefix(got, want) || strings.ContainsAny(got, "\n") || strings.Contains(got, "file:") {
			t.Errorf("%s: got %s", output, got)
		}
	}
}

package contract_test

import (
	"encoding/json"
	"fmt"
	"log"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/contract"
	"github.com/aiongen/aiongen/runtime/schema"
)

func ExampleDefinitions() {
	find := contract.Tool{
		Name: "find_user", Description: "Find a user.",
		Input: json.RawMessage(`{"type":"object","properties":{"id":{"type":"integer"}},"additionalProperties":false}`),
	}
	definitions, err := contract.Definitions(schema.OpenAIStrict, []contract.Tool{find})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", definitions)
	// Output:
	// [{"type":"function","function":{"name":"find_user","description":"Find a user.","parameters":{"type":"object","properties":{"id":{"anyOf":[{"type":"integer"},{"type":"null"}]}},"required":["id"],"additionalProperties":false},"strict":true}}]
}

// TestPlaces checks the position of a loss: the note of the argument that it concerns, or else the
// name of the tool. A loss that concerns all tools is reported in the file of the first one.
func TestPlaces(t *testing.T) {
	at := func(line int) diag.Span {
		return diag.Span{File: "x.aion", Start: diag.Pos{Line: line, Column: 1}, End: diag.Pos{Line: line, Column: 2}}
	}
	both := `{"enum":["a","A"]}`
	tool := contract.Tool{
		Package: "p", Name: "x", Place: at(1), ResultPlace: at(2),
		Description: strings.Repeat("x", 2000),
		Arguments:   []contract.Argument{{Name: "a", Place: at(3)}, {Name: "b/c", Place: at(4)}},
		Input:       json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"},"b/c":{"type":"array","items":` + both + `}}}`),
		Output:      json.RawMessage(both),
	}
	other := tool
	other.Package, other.Name = "q", "y"
	other.Place.File = "y.aion"
	tools := []contract.Tool{tool, other}
	for range 20 {
		other.Input, other.Name = json.RawMessage(`{"type":"object"}`), other.Name+"y"
		tools = append(tools, other)
	}
	var got []string
	for _, d := range contract.Lint(tools, schema.AnthropicStrict, schema.MCP) {
		got = append(got, d.Error())
	}
	want := []string{
		`x.aion:4:1: warning: x, argument b/c: anthropic-strict drops the case of "A": values that differ only in case may be mixed up [target-drops]`,
		`x.aion:4:1: warning: y, argument b/c: anthropic-strict drops the case of "A": values that differ only in case may be mixed up [target-drops]`,
		`y.aion: warning: all tools together: anthropic-strict refuses it: there are 21 tools, the limit is 20 [target-refuses]`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	tool.Description, tool.Input = "", json.RawMessage(`{"type":"object","properties":{"a":{}},"required":["a"]}`)
	list := contract.Lint([]contract.Tool{tool}, schema.Gemini)
	if len(list) != 1 || list[0].Error() != "x.aion:3:1: note: x, argument a: gemini: a value of any kind becomes its JSON text in a string [target-quotes]" {
		t.Errorf("got %v", list)
	}
	list = contract.Lint(tools[:1], schema.OpenAI)
	if len(list) != 1 || !strings.HasPrefix(list[0].Error(), "x.aion:1:1: warning: x: openai drops the description after") {
		t.Errorf("got %v", list)
	}
}

// TestUnusable checks that an invalid schema fails, and nothing else.
func TestUnusable(t *testing.T) {
	tools := []contract.Tool{{Name: "x", Input: json.RawMessage(`7`)}}
	if _, err := contract.Definitions(schema.MCP, tools); err == nil {
		t.Error("a number is an input schema")
	}
	if _, err := contract.AsSnapshot(tools); err == nil {
		t.Error("a number is an input schema")
	}
	if err := contract.Lint(tools, schema.MCP).Err(); err == nil {
		t.Error("a number is an input schema")
	}
	if list := contract.Lint(nil, schema.Targets()...); len(list) > 0 {
		t.Errorf("nothing is linted: %v", list)
	}
}

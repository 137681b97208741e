package plan_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

func ExampleArgumentsSchema() {
	fmt.Println(string(plan.ArgumentsSchema(tool.Definition{Name: "refund", Input: json.RawMessage(
		`{"type":"object","properties":{"order":{"type":"integer"},"note":{"type":"string"}},"required":["order","note"],"additionalProperties":false}`)}, []string{"order"})))
	// Output:
	// {"$defs":{"reference":{"description":"a reference to the result of a step before","pattern":"^<<step:.+>>$","type":"string"}},"additionalProperties":false,"properties":{"arguments":{"additionalProperties":false,"properties":{"order":{"anyOf":[{"type":"integer"},{"$ref":"#/$defs/reference"}]},"note":{"type":"string"}},"required":["order"],"type":"object"},"cannot":{"type":"string"}},"type":"object"}
}

var tools = []tool.Definition{
	{Name: "pay", Input: json.RawMessage(`{"type":"object","properties":{"to":{"$ref":"#/$defs/Person"},"lines":{"type":"array","items":{"type":"integer"}},"how":{"enum":["now","later"]}},"required":["to"],"additionalProperties":false,` +
		`"$defs":{"Person":{"type":"object","properties":{"id":{"type":"integer"},"boss":{"$ref":"#/$defs/Person"}},"required":["id"],"additionalProperties":false}}}`)},
	{Name: "ask", Input: json.RawMessage(`{"type":"object","properties":{"whom":{"$ref":"#/definitions/Person"}},"definitions":{"Person":{"type":"string","maxLength":3}}}`)},
	{Name: "any"},
	{Name: "self", Input: json.RawMessage(`{"type":"object","properties":{"next":{"$ref":"#"}},"additionalProperties":false}`)},
}

// TestSchema checks that each branch has its own tool with the arguments of that tool, complete or not,
// and allows references where they fit.
func TestSchema(t *testing.T) {
	offered := plan.Schema(tools...)
	step := func(name, arguments string) string {
		return `{"goal":"g","steps":[{"step_id":"1","description":"d","tool":"` + name + `","arguments":` + arguments + `}]}`
	}
	for written, right := range map[string]bool{
		step("pay", `{}`): true,
		step("pay", `{"to":{"id":1,"boss":{"id":2}},"lines":[1,"<<step:1/0>>"],"how":"now"}`): true,
		step("pay", `{"to":"<<step:1>>","lines":"<<step:1>>"}`):                               true,
		step("pay", `{"how":"<<step:1>>"}`):                                                   false, // the arguments are requested later
		step("pay", `{"to":{"id":"<<step:1/id>>","boss":"<<step:1/boss>>"}}`):                 true,
		step("pay", `{"to":{"id":"1"}}`):                                                      false,
		step("pay", `{"how":"never"}`):                                                        false,
		step("pay", `{"whom":"Ada"}`):                                                         false,
		step("ask", `{"whom":"Ada"}`):                                                         true,
		step("ask", `{"whom":"<<step:1/name>>"}`):                                             true,
		step("ask", `{"whom":"Grace"}`):                                                       true, // the compiler reports it
		step("ask", `{"whom":1}`):                                                             false,
		step("any", `{"x":[1]}`):                                                              true,
		step("self", `{"x":1}`):                                                               true,
		step("nobody", `{}`):                                                                  false,
		`{"goal":"g","steps":[{"step_id":"1","description":"d","agent":"llm"}]}`:              true,
		`{"goal":"g","steps":[{"step_id":"1","description":"d"}]}`:                            true,
		`{"goal":"g","steps":[` + strings.Repeat(`{"step_id":"1","description":"d"},`, plan.MaxSteps) + `{"step_id":"1","description":"d"}]}`: false,
		`{"goal":"g","steps":[]}`: false,
	} {
		if err := schema.Validate(offered, json.RawMessage(written)); (err == nil) != right {
			t.Errorf("%.200s: %v, want it right: %t", written, err, right)
		}
	}
}

// TestSchemaStrict checks that an endpoint that enforces schemas also enforces the arguments of each tool.
func TestSchemaStrict(t *testing.T) {
	lowered, err := schema.Lower(schema.OpenAIStrict, tool.Definition{Name: "answer", Input: plan.Schema(tools[:2]...)})
	if err != nil {
		t.Fatal(err)
	}
	step := func(arguments string) json.RawMessage {
		return json.RawMessage(`{"goal":"g","steps":[{"step_id":"1","description":"d","tool":"pay","arguments":` + arguments + `}]}`)
	}
	for _, l := range lowered.Losses {
		if strings.HasSuffix(l.Message, "in a string") {
			t.Error(l)
		}
	}
	for arguments, right := range map[string]bool{
		`{"to":{"id":1,"boss":null},"lines":["<<step:1>>"],"how":null}`: true,
		`{"to":"<<step:1>>","lines":"<<step:1>>","how":"now"}`:          true,
		`{"to":{"id":"1","boss":null},"lines":null,"how":null}`:         false,
		`{"to":{"id":1,"boss":null},"lines":[1],"how":"never"}`:         false,
	} {
		if err := schema.Validate(lowered.Input, step(arguments)); (err == nil) != right {
			t.Errorf("%s: %v, want it right: %t", arguments, err, right)
		}
	}
}

// TestSchemaLong checks that the schema contains only the names of the tools if the branches would be too
// long for endpoints.
func TestSchemaLong(t *testing.T) {
	var many []tool.Definition
	for i := range 500 {
		d := tools[0]
		d.Name = fmt.Sprint("pay", i)
		many = append(many, d)
	}
	if text := string(plan.Schema(many...)); len(text) > 20_000 || !strings.Contains(text, `"pay499"`) || strings.Contains(text, "Person") {
		t.Errorf("%d bytes", len(text))
	}
}

package repair_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

func ExampleJSON() {
	reply := "Here you are:\n```json\n{name: 'Ada', \"born\": 1815, \"died\": None,}\n```"
	result, err := repair.JSON(reply, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(result.Value))
	for _, e := range result.Edits[:2] {
		line, column := repair.Position(reply, e.Offset)
		fmt.Printf("%d:%d: %s: %q became %q\n", line, column, e.Kind, e.Before, e.After)
	}
	// Output:
	// {"name":"Ada","born":1815,"died":null}
	// 1:1: text: "Here you are:\n```json" became ""
	// 3:2: quotes: "name" became "\"name\""
}

// Truncated text can be read, and is marked.
func ExampleJSON_truncated() {
	result, err := repair.JSON(`{"title": "Notes", "tags": ["a", "b`, nil)
	fmt.Println(string(result.Value), result.Truncated, err)
	// Output: {"title":"Notes","tags":["a","b"]} true <nil>
}

func ExampleArguments() {
	schema := json.RawMessage(`{"type": "object", "properties": {
		"user_id": {"type": "integer"}, "priority": {"enum": ["low", "high"]}}, "required": ["user_id"]}`)
	result, err := repair.Arguments(`{"userId": "42", "priority": "HIGH"}`, schema)
	fmt.Println(string(result.Value), err)
	for _, e := range result.Edits {
		fmt.Println(e.Pointer, e.Kind)
	}

	_, err = repair.Arguments(`{"user_id": "4,2"}`, schema)
	fmt.Println(err)
	// Output:
	// {"user_id":42,"priority":"high"} <nil>
	// /userId name
	// /userId type
	// /priority enum
	// the arguments do not match the schema: /user_id: expected an integer, found the string "4,2"
}

// A registry repairs arguments that a tool cannot accept unchanged.
func ExampleArguments_tolerant() {
	definition := &tool.Definition{Name: "greet", Input: json.RawMessage(`{"type": "object",
		"properties": {"name": {"type": "string"}, "times": {"type": "integer"}}, "required": ["name", "times"]}`)}
	type arguments struct {
		name  string
		times int
	}
	greet := tool.NewTypedTool(definition, func(v wire.Value) arguments {
		o := v.Object()
		defer o.Done()
		return arguments{o.Str("name"), o.Int("times")}
	}, func(_ context.Context, a arguments) (string, error) {
		return fmt.Sprintf("Hello, %s! (%d times)", a.name, a.times), nil
	}, (*wire.Encoder).Str)

	registry := tool.NewRegistry(tool.Tolerant(repair.Arguments))
	if err := registry.Register(greet.Tool); err != nil {
		fmt.Println(err)
		return
	}
	call := registry.Call(context.Background(), tool.Request{Name: "greet", Arguments: json.RawMessage(`{'name': 'Ada', 'times': '2'}`)})
	fmt.Println(string(call.Output), call.Err)
	fmt.Println(len(call.Repairs), "repairs of", string(call.Request.Arguments))
	// Output:
	// "Hello, Ada! (2 times)" <nil>
	// 5 repairs of {'name': 'Ada', 'times': '2'}
}

func ExampleRequests() {
	search := tool.Definition{Name: "search", Input: json.RawMessage(`{"type": "object", "properties": {"query": {"type": "string"}}}`)}
	for _, reply := range []string{
		"<tool_call>\n{\"name\": \"search\", \"arguments\": {\"query\": \"Go\"}}\n</tool_call>",
		"Thought: I look it up.\nAction: search\nAction Input: Go",
		`[search(query="Go"), search(query="Go")]`,
		`{"name": "search", "arguments": {"query": "Go`,
		"I would search for Go.",
	} {
		requests, err := repair.Requests(reply, search)
		for _, r := range requests {
			fmt.Println(r.Name, string(r.Arguments), r.Truncated)
		}
		if errors.Is(err, repair.ErrNoCall) {
			fmt.Println(err)
		}
	}
	// Output:
	// search {"query":"Go"} false
	// search {"query":"Go"} false
	// search {"query":"Go"} false
	// search {"query":"Go"} false
	// search {"query":"Go"} true
	// there is no tool call in the text
}

// A model was asked to repair ambiguous text. Values that it made up are refused.
func ExampleOrigin() {
	origin := repair.Origin{
		Text: `{"order": 7}`,
		Schema: json.RawMessage(`{"type": "object", "properties": {"order_id": {"type": "integer"}, "amount": {"type": "number"}},
			"required": ["order_id", "amount"], "additionalProperties": false}`),
	}
	fmt.Println(origin.Check(json.RawMessage(`{"order_id": 7}`)))
	fmt.Println(origin.Check(json.RawMessage(`{"order_id": 7, "amount": 50}`)))
	fmt.Println(origin.Missing().Absent)
	// Output:
	// <nil>
	// the repair differs from the original: /amount: expected a value from the original, or nothing, found the number 50
	// [/order_id /amount]
}

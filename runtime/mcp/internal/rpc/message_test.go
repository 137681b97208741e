package rpc

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func ExampleCheckMessage() {
	err := CheckMessage([]byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":true}}`))
	fmt.Println(string(err.ID), err)
	// Output: 7 tools/call: params.name: expected a string, found a boolean
}

func TestCheckMessage(t *testing.T) {
	deep := func(n int) string {
		return `{"jsonrpc":"2.0","id":1,"method":"x","params":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}"
	}
	for text, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"x","params":7}`:                       "",
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`:                               "",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}`:           "",
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`:                 "",
		`{"jsonrpc":"2.0","id":1,"result":7}`:                                    "",
		`{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"m","data":[1]}}`: "",
		`[]`: "",
		`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":7}]`: "message 2 of the batch: method: expected a string, found a number",
		deep(999):           "",
		deep(1000):          "the message nests deeper than 1000 levels",
		`7`:                 "a message must be a JSON object",
		`null`:              "a message must be a JSON object",
		`{}`:                `a message must have "jsonrpc": "2.0"`,
		`{"jsonrpc":"2.0"}`: "a message must have a method or the id of the request that it answers",
		`{"jsonrpc":"2.0","id":null,"method":"x"}`:                                                 "the id of a request must be a string or a number",
		`{"jsonrpc":"2.0","id":[1],"method":"x"}`:                                                  "the id of a request must be a string or a number",
		`{"jsonrpc":"2.0","id":1,"error":[]}`:                                                      "error: expected a JSON-RPC error object",
		`{"jsonrpc":"2.0","id":1,"error":{"code":""}}`:                                             "error: expected a JSON-RPC error object",
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"sampling":[]}}}`: "initialize: params.capabilities.sampling: expected an object, found an array",
		`{"jsonrpc":"2.0","id":1,"method":"notifications/progress","params":{"progress":"1"}}`:     "notifications/progress: params.progress: expected a number, found a string",
	} {
		got := ""
		if err := CheckMessage([]byte(text)); err != nil {
			got = err.Text
		}
		if got != want {
			t.Errorf("%.200s: %q, want %q", text, got, want)
		}
	}
}

func TestEncodeError(t *testing.T) {
	for id, want := range map[string]string{
		"":          `{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"a \"<b>\""}}`,
		`"<\u00e9"`: `{"jsonrpc":"2.0","id":"<\u00e9","error":{"code":-1,"message":"a \"<b>\""}}`,
	} {
		raw := json.RawMessage(id)
		if id == "" {
			raw = nil
		}
		if got := EncodeError(raw, -1, `a "<b>"`); string(got) != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

package redact_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/redact"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// A hidden text may be the name of a member: of the hidden value, and of a later one.
func TestHiddenNamesOfMembers(t *testing.T) {
	const secret = "sk-4711-hidden"
	hide := redact.New(func(name, at string, value json.RawMessage) json.RawMessage {
		if name == "login" && at == "/output" {
			return json.RawMessage(`"***"`)
		}
		return value
	})
	tools := []tool.Definition{{Name: "login", Output: json.RawMessage(`{"properties":{"user_name":{}}}`)}, {Name: "list"}}
	for _, hidden := range []string{`{"token":"` + secret + `"}`, `{"user_name":{"` + secret + `":{"age":1}}}`} {
		for _, later := range []string{`{"key":"` + secret + `"}`, `{"user_name":{"` + secret + `":1}}`, `[{"user_name":1,"of ` + secret + `":1}]`} {
			var told string
			sink := hide.Events(func(_ context.Context, e run.Event) {
				told = string(e.What.(run.CallEnd).Call.Output)
			})
			end := func(name, output string) {
				call := &tool.Call{Request: tool.Request{Name: name}, Output: json.RawMessage(output)}
				sink(t.Context(), run.Event{Run: "1", Tools: tools, What: run.CallEnd{Call: call}})
			}
			end("login", hidden)
			end("list", later)
			if strings.Contains(told, secret) {
				t.Errorf("hidden %s, later %s: told %s", hidden, later, told)
			}
			if strings.Contains(later, "user_name") && !strings.Contains(told, "user_name") {
				t.Errorf("hidden %s, later %s: told %s, without a name that a schema has", hidden, later, told)
			}
		}
	}
}

package remote_test

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestAccepted checks that a schema that cannot be checked completely does not exclude its tool. The
// log says what is not checked; the rest is.
func TestAccepted(t *testing.T) {
	const email = `{"type":"string","format":"email","pattern":"^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$"}`
	for _, test := range []struct{ schema, right, wrong, log string }{
		{`{"properties":{"x":` + email + `}}`, `{"x":"a@example.com"}`, `{"x":7}`, "/properties/x/pattern"},
		{`{"properties":{"x":{"pattern":"(a)\\1"}}}`, `{"x":"b"}`, ``, "/properties/x/pattern"},
		{`{"properties":{"x":{"type":"strnig"}},"required":["x"]}`, `{"x":7}`, `{}`, "is not a type"},
		{`{"properties":{"x":{"type":"integer","format":"uint32"}}}`, `{"x":7}`, `{"x":"a"}`, "is not checked"},
		{`{"type":"object","properties":null,"required":null,"description":null,"enum":null,"items":null}`, `{"x":7}`, ``, "required is ignored, because it is null"},
		{`{"type":["object","null"],"properties":{"x":{"required":true}}}`, `{"x":7}`, `{}`, ""},
		{`{"properties":{"x":{"minimum":3,"exclusiveMinimum":true}}}`, `{"x":4}`, `{"x":3}`, ""},
		{`{"properties":{"x":{"$ref":"https://example.com/schema","type":"integer"}}}`, `{"x":4}`, `{"x":"a"}`, "leads nowhere"},
		{`{"$schema":"https://example.com/mine","properties":{"x":{"type":"integer"}}}`, `{"x":4}`, `{"x":"a"}`, "not a known draft"},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"x":{"items":[{"type":"string"},{"type":"integer"}],"additionalItems":false}}}`, `{"x":["a",1]}`, `{"x":["a",1,2]}`, ""},
		{`{"properties":{"x":{"$ref":"#/definitions/a"}},"definitions":{"a":{"type":"integer"}},"dependencies":{"x":["y"]}}`, `{"x":4,"y":1}`, `{"x":4}`, ""},
		{`{"properties":{"x":{"not":{"pattern":"(?=a)"}}}}`, `{"x":"b"}`, ``, "not is ignored"},
		{`{"patternProperties":{"(?=a)":{}},"additionalProperties":false}`, `{"abc":1}`, ``, "pattern"},
		{`{"properties":{"x":{"enum":["a\u001b"],"pattern":"(?=\u001b)"},"y":{"type":"integer"}}}`, `{"y":1}`, ``, "left out"},
	} {
		said := make(lines, 1000)
		far := connectFake(t, &sdk.ClientOptions{Logger: slog.New(slog.NewTextHandler(said, nil))}, func(_ *fake, method string, params map[string]any) any {
			switch method {
			case "tools/list":
				return toolList(`{"name":"in","inputSchema":`+test.schema+`}`, `{"name":"out","outputSchema":`+test.schema+`}`)
			case "tools/call":
				arguments, _ := params["arguments"].(map[string]any)
				return map[string]any{"content": []any{}, "structuredContent": arguments}
			}
			return nil
		})
		tools, err := far.Tools(t.Context())
		if err != nil || !slices.Equal(toolNames(tools), []string{"in", "out"}) {
			t.Errorf("%s: %s, %v", test.schema, toolNames(tools), err)
			continue
		}
		var log strings.Builder
		for len(said) > 0 {
			log.WriteString(<-said)
		}
		if !strings.Contains(log.String(), test.log) || strings.Contains(log.String(), "not checked") && test.log == "" || strings.Contains(log.String(), "\x1b") {
			t.Errorf("%s: the log is %s", test.schema, log.String())
		}
		r := tool.NewRegistry()
		if err := r.Register(tools...); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"in", "out"} {
			if call := r.Call(t.Context(), newRequest(name, test.right)); call.Err != nil {
				t.Errorf("%s of %s: %v", test.right, test.schema, call.Err)
			}
			if call := r.Call(t.Context(), newRequest(name, test.wrong)); test.wrong != "" && call.Err == nil {
				t.Errorf("%s of %s is accepted by %s", test.wrong, test.schema, name)
			}
		}
		for _, made := range tools {
			for _, target := range schema.Targets() {
				l, err := schema.Lower(target, made.Definition())
				if err != nil || strings.Contains(string(l.Input), `"definitions"`) || strings.Contains(string(l.Input), "draft-07") {
					t.Errorf("%s for %s: %s, %v", test.schema, target, l.Input, err)
				}
			}
		}
	}
}

// TestUselessOutput checks that an invalid output schema does not exclude the tool.
func TestUselessOutput(t *testing.T) {
	deep := strings.Repeat(`{"not":`, 900) + "{}" + strings.Repeat("}", 900)
	for _, output := range []string{`7`, `[]`, `"x"`, `true`, `{"type":7}`, `{"description":"` + strings.Repeat("x", 1<<20) + `"}`, deep, `{"$id":"%"}`} {
		far := connectFake(t, discardLogs(), func(_ *fake, method string, _ map[string]any) any {
			switch method {
			case "tools/list":
				return toolList(`{"name":"t","outputSchema":` + output + `}`)
			case "tools/call":
				return map[string]any{"content": []any{}, "structuredContent": map[string]any{"a": 1}}
			}
			return nil
		})
		tools, err := far.Tools(t.Context())
		if err != nil || len(tools) != 1 {
			t.Errorf("%.100s: %s, %v", output, toolNames(tools), err)
			continue
		}
		r := tool.NewRegistry()
		r.Replace(tools...)
		if call := r.Call(t.Context(), newRequest("t", "{}")); call.Err != nil || !strings.Contains(string(call.Output), `"a":1`) {
			t.Errorf("%.100s: %s, %v", output, call.Output, call.Err)
		}
	}
}

// TestRenamed checks that a tool with an invalid name gets a valid one, independent of the order of
// the list. The server receives its own name, and headers refer to that.
func TestRenamed(t *testing.T) {
	offered := []string{"files:read", "weird name!", "a b", "a:b", "a_c", "a c", "größe", "東京", "ok", strings.Repeat("ß", 64)}
	var first map[string]string
	for range 2 {
		slices.Reverse(offered)
		var called string
		var all []string
		for _, name := range offered {
			text, _ := json.Marshal(map[string]any{"name": name, "description": name})
			all = append(all, string(text))
		}
		far := connectFake(t, discardLogs(), func(_ *fake, method string, params map[string]any) any {
			switch method {
			case "tools/list":
				return toolList(all...)
			case "tools/call":
				called, _ = params["name"].(string)
				return json.RawMessage(done)
			}
			return nil
		})
		tools, err := far.Tools(t.Context())
		if err != nil || len(tools) != len(offered) {
			t.Fatal(toolNames(tools), err)
		}
		r := tool.NewRegistry()
		if err := r.Register(tools...); err != nil {
			t.Fatal(err)
		}
		renamed := map[string]string{}
		for _, made := range tools {
			d := made.Definition()
			renamed[d.Description] = d.Name
			if call := r.Call(t.Context(), newRequest(d.Name, "{}")); call.Err != nil || called != d.Description {
				t.Errorf("%s calls %s: %v", d.Name, called, call.Err)
			}
		}
		for name, want := range map[string]string{"files:read": "files_read", "weird name!": "weird_name_", "a_c": "a_c", "ok": "ok", "größe": "groesse"} {
			if renamed[name] != want {
				t.Errorf("%s becomes %s, not %s", name, renamed[name], want)
			}
		}
		if first == nil {
			first = renamed
		}
		for name, now := range renamed {
			if now != first[name] {
				t.Errorf("%s becomes %s, then %s", name, first[name], now)
			}
		}
	}
}

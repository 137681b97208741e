package llmtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// hostileTests check answers of a model or a server that breaks the rules. A model must return a
// response or an [*llm.Error], and must be able to send the response back.
var hostileTests = []test{
	{name: "odd members", run: checkOddMembers, wire: true, untyped: true},
	{name: "disordered events", run: checkDisorderedEvents, wire: true, untyped: true},
	{name: "deep answer", run: checkDeepAnswer, wire: true},
	{name: "endless answer", run: checkEndlessAnswer, wire: true},
	{name: "odd calls", run: checkOddCalls, wire: true},
	{name: "odd provider data", run: checkOddProviderData, wire: true, untyped: true},
	{name: "odd waits", run: checkOddWaits, wire: true},
	{name: "echoed key", run: checkEchoedKey, wire: true},
	{name: "redirect", run: checkRedirect, wire: true},
}

// oddAnswer returns an answer with everything that a response may have.
func oddAnswer() Answer {
	a := callAnswer(request("call_1", "get_weather", `{"city":"Oslo"}`))
	a.Response.Text, a.Response.Reasoning, a.Opaque = "Yes.", "Hm.", opaque
	return a
}

// checkHostile requests an answer, and checks what must hold for all of them. It sends a response back
// with results for its calls.
func (c *check) checkHostile(what string, a Answer) {
	c.Helper()
	tools := []tool.Definition{weatherTool}
	c.double.script(c.onWire(tools, a))
	req := llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "?"}}, Tools: tools}
	got, err := c.generate(c.Context(), req)
	if err != nil {
		return // generate has checked its type
	}
	if u := got.Usage; min(u.Input, u.Output, u.Cached, u.Reasoning) < 0 {
		c.Errorf("%s: the usage is %+v", what, u)
	}
	req.Messages = append(req.Messages, throughJournal([]llm.Message{got.Message()})...)
	for _, call := range got.Calls {
		req.Messages = append(req.Messages, completed(call.ID, `"snow"`))
	}
	req.Prompt = "On."
	c.sendBack(what, req)
}

// sendBack sends a request with odd provider data, which is opaque to the model. The provider may
// refuse the request.
func (c *check) sendBack(what string, req llm.Request) {
	c.Helper()
	c.double.script(textAnswer("Well."))
	_, err := c.generate(c.Context(), req)
	if e, ok := errors.AsType[*llm.Error](err); err != nil && (!ok || e.Kind != llm.BadRequest) {
		c.Errorf("%s: %v", what, err)
	}
	c.double.discard()
}

// oddValues replace members.
var oddValues = []string{`null`, `7`, `-1`, `1e300`, `""`, `"x"`, `[]`, `[7,null]`, `{}`, `true`}

// checkOddMembers replaces each member of an answer with another value.
func checkOddMembers(c *check) {
	if c.mode.split > 0 {
		return
	}
	for n := 0; ; n++ {
		changed := false
		for _, value := range []string{`null`, oddValues[n%len(oddValues)]} {
			a := oddAnswer()
			a.change = func(parts []string) []string {
				parts, changed = replaceMember(parts, n, value)
				return parts
			}
			c.checkHostile(fmt.Sprintf("member %d is %s", n, value), a)
		}
		if !changed {
			return
		}
	}
}

// replaceMember replaces the n-th member of the JSON objects in parts. It reports whether there is one.
func replaceMember(parts []string, n int, value string) (all []string, ok bool) {
	left := n
	for _, part := range parts {
		start, end := strings.IndexByte(part, '{'), strings.LastIndexByte(part, '}')
		var v any
		if start < 0 || left < 0 || json.Unmarshal([]byte(part[start:end+1]), &v) != nil {
			all = append(all, part)
			continue
		}
		v = replaceIn(v, &left, value)
		all = append(all, part[:start]+encodeText(v)+part[end+1:])
	}
	return all, left < 0
}

// replaceIn replaces the member with the number left of a value. It subtracts the members from left.
func replaceIn(v any, left *int, value string) any {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if *left--; *left < 0 {
				v[name] = json.RawMessage(value)
				return v
			}
			if v[name] = replaceIn(v[name], left, value); *left < 0 {
				return v
			}
		}
	case []any:
		for i := range v {
			if v[i] = replaceIn(v[i], left, value); *left < 0 {
				return v
			}
		}
	}
	return v
}

// checkDisorderedEvents sends the events of a stream in other orders, twice, or not at all.
func checkDisorderedEvents(c *check) {
	if !c.mode.streamed || c.mode.split > 0 {
		return
	}
	orders := map[string]func([]string) []string{
		"reversed": func(all []string) []string { all = slices.Clone(all); slices.Reverse(all); return all },
		"doubled":  func(all []string) []string { return slices.Concat(all, all) },
		"stuttering": func(all []string) (twice []string) {
			for _, e := range all {
				twice = append(twice, e, e)
			}
			return twice
		},
		"second half": func(all []string) []string { return all[len(all)/2:] },
	}
	for name, change := range orders {
		a := oddAnswer()
		a.change = change
		c.checkHostile(name, a)
	}
	for n, more := 0, true; more; n++ {
		a := oddAnswer()
		a.change = func(all []string) []string {
			if more = n < len(all); !more {
				return all
			}
			return slices.Delete(slices.Clone(all), n, n+1)
		}
		c.checkHostile(fmt.Sprint("without event ", n), a)
	}
}

// checkDeepAnswer sends JSON that is nested deeply.
func checkDeepAnswer(c *check) {
	const depth = 100_000
	for _, text := range []string{strings.Repeat("[", depth), strings.Repeat(`{"a":`, depth), strings.Repeat("[", depth) + strings.Repeat("]", depth)} {
		a := textAnswer("Yes.")
		a.change = func(parts []string) []string {
			if c.mode.streamed {
				return []string{"data: " + text + "\n\n"}
			}
			return []string{text}
		}
		if e := c.mustFail(llm.Request{Prompt: "?"}, a, llm.Malformed, llm.CutOff); len(e.Error()) > 2000 {
			c.Errorf("the error has %d bytes", len(e.Error()))
		}
	}
}

func checkEndlessAnswer(c *check) {
	if !c.mode.streamed || c.mode.split > 0 {
		return
	}
	a := textAnswer("Yes.")
	a.Fault = Endless
	if e := c.mustFail(llm.Request{Prompt: "?"}, a, llm.Malformed); !e.Retryable() {
		c.Errorf("the error %q is not retryable", e)
	}
}

// checkOddCalls makes calls of tools that were not offered, with arguments that are not objects, and
// with IDs that are missing, repeated, long or not printable.
func checkOddCalls(c *check) {
	if c.mode.split > 0 {
		return
	}
	for _, name := range []string{"get_weather", "no_such_tool", "", "no such tool!", strings.Repeat("n", 1000)} {
		for _, arguments := range []string{`{}`, `null`, `[1]`, `"x"`, `7`, `{"city":null}`} {
			for _, id := range []string{"call_1", "", "a b/ü", strings.Repeat("i", 1000)} {
				if name != "get_weather" && arguments != `{}` && id != "call_1" {
					continue
				}
				a := callAnswer()
				a.Response.Calls = []tool.Request{request(id, name, arguments), request(id, name, `{"city":"Rome"}`)}
				c.checkOddCall(a)
			}
		}
	}
}

// checkOddCall makes the same calls in two turns.
func (c *check) checkOddCall(a Answer) {
	c.Helper()
	req := llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "?"}}, Tools: []tool.Definition{weatherTool}}
	for range 2 {
		c.double.script(a)
		got, err := c.generate(c.Context(), req)
		if err != nil {
			c.Errorf("after the calls %.200s: %v", encodeText(a.Response.Calls), err)
			return
		}
		if len(got.Calls) != len(a.Response.Calls) {
			c.Errorf("the response has the calls %.300s, want %d", encodeText(got.Calls), len(a.Response.Calls))
		}
		req.Messages = append(req.Messages, throughJournal([]llm.Message{got.Message()})...)
		for _, call := range got.Calls {
			failed := &tool.Call{ID: call.ID, Status: tool.StatusFailed, Err: &tool.ToolError{Tool: call.Name, Err: errors.New("invalid")}}
			req.Messages = append(req.Messages, llm.Message{Role: llm.RoleTool, Result: failed})
		}
	}
	c.mustGenerate(req, textAnswer("Sorry."))
}

// checkOddProviderData sends provider data back whose members have changed in the journal.
func checkOddProviderData(c *check) {
	if c.mode.streamed {
		return
	}
	tools := []tool.Definition{weatherTool}
	got := c.mustGenerate(llm.Request{Prompt: "?", Tools: tools}, c.onWire(tools, oddAnswer()))
	data := string(got.Provider)
	changes := []string{`"x"`, `{}`, `[]`, `7`, `{"a":"` + strings.Repeat("x", 1<<20) + `"}`}
	for n := 0; ; n++ {
		for _, value := range oddValues {
			parts, ok := replaceMember([]string{data}, n, value)
			if !ok {
				c.checkChangedData(got, changes, tools)
				return
			}
			changes = append(changes, parts[0])
		}
	}
}

// checkChangedData sends a message back with other provider data.
func (c *check) checkChangedData(got llm.Response, changes []string, tools []tool.Definition) {
	c.Helper()
	for _, data := range changes {
		message := got.Message()
		message.Provider = json.RawMessage(data)
		c.sendBack(fmt.Sprintf("with the provider data %.500s", data), llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "?"}, message, completed(got.Calls[0].ID, `"snow"`)}, Tools: tools})
	}
}

// checkOddWaits checks headers with times to wait that are not sensible.
func checkOddWaits(c *check) {
	for _, name := range []string{"Retry-After", "Retry-After-Ms"} {
		for _, value := range []string{"-5", "NaN", "Inf", "1e300", "soon", "99999999999999999999", "Mon, 99 Foo 2026 00:00:00 GMT", ""} {
			a := Answer{Err: &llm.Error{Kind: llm.RateLimited, Err: errors.New("slow down")}, header: http.Header{name: {value}}}
			if e := c.mustFail(llm.Request{Prompt: "?"}, a, llm.RateLimited); e.RetryAfter != 0 {
				c.Errorf("%s: %s is understood as %v", name, value, e.RetryAfter)
			}
		}
	}
}

// checkEchoedKey lets the provider repeat the key.
func checkEchoedKey(c *check) {
	for _, text := range []string{"invalid key " + Key, strings.Repeat("x", 490) + Key, "Bearer " + Key} {
		e := c.mustFail(llm.Request{Prompt: "?"}, Answer{Err: &llm.Error{Kind: llm.Unauthorized, Err: errors.New(text)}}, llm.Unauthorized)
		if strings.Contains(e.Error(), Key[:len(Key)-8]) {
			c.Errorf("the error is %q", e)
		}
		a := textAnswer("Yes.")
		a.change = func([]string) []string { return []string{"data: " + text + "\n\n"} }
		if e := c.mustFail(llm.Request{Prompt: "?"}, a, llm.Malformed, llm.CutOff); strings.Contains(e.Error(), Key[:len(Key)-8]) {
			c.Errorf("the error is %q", e)
		}
	}
}

// checkRedirect redirects requests to another host, which must receive neither the key nor the dialogue.
func checkRedirect(c *check) {
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		c.Errorf("another host receives %s %s with %v", r.Method, r.URL, r.Header)
	}))
	c.Cleanup(other.Close)
	c.double.other = other.URL
	for range 2 {
		a := textAnswer("Yes.")
		a.Fault = Redirect
		c.double.script(a)
		if response, err := c.generate(c.Context(), llm.Request{Prompt: "?"}); err == nil {
			c.Errorf("the model returns %+v", response)
		}
	}
}

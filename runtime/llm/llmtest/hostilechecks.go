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

// hostileTests check answers that violate the protocol. The model must return a response or an
// [*llm.Error], and must be able to send the response back.
var hostileTests = []test{
	{name: "odd members", run: checkOddMembers, needsWire: true, untyped: true},
	{name: "disordered events", run: checkDisorderedEvents, needsWire: true, untyped: true},
	{name: "deep answer", run: checkDeepAnswer, needsWire: true},
	{name: "endless answer", run: checkEndlessAnswer, needsWire: true},
	{name: "odd calls", run: checkOddCalls, needsWire: true},
	{name: "odd provider data", run: checkOddProviderData, needsWire: true, untyped: true},
	{name: "odd waits", run: checkOddWaits, needsWire: true},
	{name: "echoed key", run: checkEchoedKey, needsWire: true},
	{name: "redirect", run: checkRedirect, needsWire: true},
}

// oddAnswer returns an answer with all members that a response may have, for tests that change it.
func oddAnswer() Answer {
	a := callAnswer(newRequest("call_1", "get_weather", `{"city":"Oslo"}`))
	a.Response.Text, a.Response.Reasoning, a.Opaque = "Yes.", "Hm.", opaque
	return a
}

// checkHostile requests the answer a and checks what must hold for every answer. If there is a response, it
// sends the response back with results of its calls.
func (c *check) checkHostile(what string, a Answer) {
	c.Helper()
	tools := []tool.Definition{weatherTool}
	c.double.script(c.toWire(tools, a))
	req := llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "?"}}, Tools: tools}
	got, err := c.generate(c.Context(), req)
	if err != nil {
		return // generate has checked its type
	}
	if u := got.Usage; min(u.Input, u.Output, u.Cached, u.Reasoning) < 0 {
		c.Errorf("%s: the usage is %+v", what, u)
	}
	req.Messages = append(req.Messages, roundTripMessages([]llm.Message{got.Message()})...)
	for _, call := range got.Calls {
		req.Messages = append(req.Messages, resultMessage(call.ID, `"snow"`))
	}
	req.Prompt = "On."
	c.sendBack(what, req)
}

// sendBack sends a request with unusual provider data, which the model may not be able to check. The provider
// may refuse the request.
func (c *check) sendBack(what string, req llm.Request) {
	c.Helper()
	c.double.script(textAnswer("Well."))
	_, err := c.generate(c.Context(), req)
	if e, ok := errors.AsType[*llm.Error](err); err != nil && (!ok || e.Kind != llm.BadRequest) {
		c.Errorf("%s: %v", what, err)
	}
	c.double.discard()
}

// oddValues are the values that replace members.
var oddValues = []string{`null`, `7`, `-1`, `1e300`, `""`, `"x"`, `[]`, `[7,null]`, `{}`, `true`}

// checkOddMembers replaces each member of an answer with null and with another unexpected value.
func checkOddMembers(c *check) {
	if c.mode.pieceSize > 0 {
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
	skip := n
	for _, part := range parts {
		start, end := strings.IndexByte(part, '{'), strings.LastIndexByte(part, '}')
		var v any
		if start < 0 || skip < 0 || json.Unmarshal([]byte(part[start:end+1]), &v) != nil {
			all = append(all, part)
			continue
		}
		v = replaceIn(v, &skip, value)
		all = append(all, part[:start]+encodeText(v)+part[end+1:])
	}
	return all, skip < 0
}

// replaceIn replaces one member inside a value: it skips as many members as skip says, and replaces the next one.
// It decreases skip for each member that it visits, so skip is negative after the replacement.
func replaceIn(v any, skip *int, value string) any {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if *skip--; *skip < 0 {
				v[name] = json.RawMessage(value)
				return v
			}
			if v[name] = replaceIn(v[name], skip, value); *skip < 0 {
				return v
			}
		}
	case []any:
		for i := range v {
			if v[i] = replaceIn(v[i], skip, value); *skip < 0 {
				return v
			}
		}
	}
	return v
}

// checkDisorderedEvents sends the events of a stream in reverse order, repeats them, and leaves some out.
func checkDisorderedEvents(c *check) {
	if !c.mode.streamed || c.mode.pieceSize > 0 {
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

// checkDeepAnswer sends deeply nested JSON.
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
	if !c.mode.streamed || c.mode.pieceSize > 0 {
		return
	}
	a := textAnswer("Yes.")
	a.Fault = Endless
	if e := c.mustFail(llm.Request{Prompt: "?"}, a, llm.Malformed); !e.Retryable() {
		c.Errorf("the error %q is not retryable", e)
	}
}

// checkOddCalls sends calls of tools that were not offered, with arguments that are not objects, and
// with IDs that are missing, repeated, long or not printable.
func checkOddCalls(c *check) {
	if c.mode.pieceSize > 0 {
		return
	}
	for _, name := range []string{"get_weather", "no_such_tool", "", "no such tool!", strings.Repeat("n", 1000)} {
		for _, arguments := range []string{`{}`, `null`, `[1]`, `"x"`, `7`, `{"city":null}`} {
			for _, id := range []string{"call_1", "", "a b/ü", strings.Repeat("i", 1000)} {
				if name != "get_weather" && arguments != `{}` && id != "call_1" {
					continue
				}
				a := callAnswer()
				a.Response.Calls = []tool.Request{newRequest(id, name, arguments), newRequest(id, name, `{"city":"Rome"}`)}
				c.checkOddCall(a)
			}
		}
	}
}

// checkOddCall sends the same calls in two turns.
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
		req.Messages = append(req.Messages, roundTripMessages([]llm.Message{got.Message()})...)
		for _, call := range got.Calls {
			failed := &tool.Call{ID: call.ID, Status: tool.StatusFailed, Err: &tool.ToolError{Tool: call.Name, Err: errors.New("invalid")}}
			req.Messages = append(req.Messages, llm.Message{Role: llm.RoleTool, Result: failed})
		}
	}
	c.mustGenerate(req, textAnswer("Sorry."))
}

// checkOddProviderData sends back provider data in which a member was changed.
func checkOddProviderData(c *check) {
	if c.mode.streamed {
		return
	}
	tools := []tool.Definition{weatherTool}
	got := c.mustGenerate(llm.Request{Prompt: "?", Tools: tools}, c.toWire(tools, oddAnswer()))
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

// checkChangedData sends a message back with each of the given provider data.
func (c *check) checkChangedData(got llm.Response, changes []string, tools []tool.Definition) {
	c.Helper()
	for _, data := range changes {
		message := got.Message()
		message.Provider = json.RawMessage(data)
		c.sendBack(fmt.Sprintf("with the provider data %.500s", data), llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "?"}, message, resultMessage(got.Calls[0].ID, `"snow"`)}, Tools: tools})
	}
}

// checkOddWaits checks invalid values of headers that state how long to wait.
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

// checkEchoedKey checks that errors do not contain the key if the provider repeats it.
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
	c.double.redirectURL = other.URL
	for range 2 {
		a := textAnswer("Yes.")
		a.Fault = Redirect
		c.double.script(a)
		if response, err := c.generate(c.Context(), llm.Request{Prompt: "?"}); err == nil {
			c.Errorf("the model returns %+v", response)
		}
	}
}

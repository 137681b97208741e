package llmtest_test

import (
	"context"
	"errors"
	"iter"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/llmtest"
	"github.com/aiongen/aiongen/runtime/tool"
)

// faultyModel is a model that changes requests, responses, chunks or errors. Nil functions change
// nothing.
type faultyModel struct {
	llm.Model
	request  func(llm.Request) llm.Request
	response func(llm.Response) llm.Response
	chunk    func(llm.Chunk) llm.Chunk
	failure  func(error) error
}

func (m faultyModel) Name() string { return "faulty" }

func (m faultyModel) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	if m.request != nil {
		req = m.request(req)
	}
	response, err := m.Model.Generate(ctx, req)
	if err != nil && m.failure != nil {
		err = m.failure(err)
	}
	if err == nil && m.response != nil {
		response = m.response(response)
	}
	return response, err
}

func (m faultyModel) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		response, err := m.Generate(ctx, req)
		chunk := llm.Chunk{Text: response.Text, Reasoning: response.Reasoning, Response: &response}
		if err != nil {
			chunk = llm.Chunk{}
		} else if m.chunk != nil {
			chunk = m.chunk(chunk)
		}
		yield(chunk, err)
	}
}

// faults are models with one fault each, and the tests that they must fail.
var faults = map[string]struct {
	faultyModel
	tests []string
}{
	"none":                    {},
	"drops the system prompt": {faultyModel{request: func(r llm.Request) llm.Request { r.System = ""; return r }}, []string{"text"}},
	"changes the request": {faultyModel{request: func(r llm.Request) llm.Request {
		if len(r.Messages) > 1 {
			r.Messages[1].Text += "!"
		}
		return r
	}}, []string{"dialogue"}},
	"drops the last part": {faultyModel{request: func(r llm.Request) llm.Request {
		var messages []llm.Message
		for _, m := range r.Messages {
			m.Parts = m.Parts[:max(len(m.Parts)-1, 0)]
			messages = append(messages, m)
		}
		r.Messages = messages
		return r
	}}, []string{"image", "file"}},
	"drops settings": {faultyModel{request: func(r llm.Request) llm.Request {
		return llm.Request{System: r.System, Messages: r.Messages, Prompt: r.Prompt, Tools: r.Tools}
	}}, []string{"max_tokens", "temperature", "top_p", "seed", "stop", "effort", "extra", "any_tool", "no_tool", "named_tool", "one_call", "schema"}},
	"drops descriptions of tools": {faultyModel{request: func(r llm.Request) llm.Request {
		var tools []tool.Definition
		for _, d := range r.Tools {
			d.Description = ""
			tools = append(tools, d)
		}
		r.Tools = tools
		return r
	}}, []string{"tool_call", "parallel_calls"}},
	"makes one call only": {faultyModel{response: func(r llm.Response) llm.Response { r.Calls = r.Calls[:min(len(r.Calls), 1)]; return r }}, []string{"parallel_calls"}},
	"drops provider data": {faultyModel{response: func(r llm.Response) llm.Response { r.Provider = nil; return r }}, []string{"provider_data", "provider_data_after_calls"}},
	"drops reasoning":     {faultyModel{response: func(r llm.Response) llm.Response { r.Reasoning = ""; return r }}, []string{"reasoning"}},
	"forgets usage":       {faultyModel{response: func(r llm.Response) llm.Response { r.Usage.Cached = 0; return r }}, []string{"usage"}},
	"always stops":        {faultyModel{response: func(r llm.Response) llm.Response { r.Finish = llm.FinishStop; return r }}, []string{"finish", "refusal", "truncated_text"}},
	"hides that a call is truncated": {faultyModel{response: func(r llm.Response) llm.Response {
		for i := range r.Calls {
			r.Calls[i].Truncated = false
		}
		return r
	}}, []string{"truncated_call"}},
	"streams too little":    {faultyModel{chunk: func(c llm.Chunk) llm.Chunk { c.Text = strings.TrimSuffix(c.Text, "."); return c }}, []string{"usage", "dialogue"}},
	"streams no response":   {faultyModel{chunk: func(c llm.Chunk) llm.Chunk { c.Response = nil; return c }}, []string{"text", "empty_answer"}},
	"forgets kinds":         {faultyModel{failure: func(error) error { return &llm.Error{Kind: llm.ServerError} }}, []string{"error_rate_limited", "error_unauthorized", "cancellation", "deadline"}},
	"forgets when to retry": {faultyModel{failure: forgetRetryAfter}, []string{"error_rate_limited"}},
	"returns another error": {faultyModel{failure: func(err error) error { return errors.New(err.Error()) }}, []string{"error_bad_request", "cancellation"}},
	"loses the text of an error": {faultyModel{failure: func(err error) error {
		var e *llm.Error
		if !errors.As(err, &e) || e.RetryAfter == 0 {
			return err
		}
		return &llm.Error{Kind: e.Kind, RetryAfter: e.RetryAfter}
	}}, []string{"error_rate_limited"}},
}

func forgetRetryAfter(err error) error {
	var e *llm.Error
	if !errors.As(err, &e) || e.RetryAfter == 0 {
		return err
	}
	c := *e
	c.RetryAfter = 0
	return &c
}

// faultVariable is an environment variable with the name of the fault that TestFaulty tests.
const faultVariable = "LLMTEST_FAULT"

// TestFaulty tests a faulty model, in a process that TestFaults starts.
func TestFaulty(t *testing.T) {
	name := os.Getenv(faultVariable)
	if name == "" {
		name = "none"
	}
	llmtest.Test(t, llmtest.Provider{Name: "faulty", Model: func(_ testing.TB, d *llmtest.Double) llm.Model {
		m := faults[name].faultyModel
		m.Model = llm.Func(d.Generate)
		return m
	}})
}

// TestFaults checks that the tests find each fault.
func TestFaults(t *testing.T) {
	for name, fault := range faults {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFaulty$")
		cmd.Env = append(os.Environ(), faultVariable+"="+name)
		out, err := cmd.CombinedOutput()
		if (err == nil) != (len(fault.tests) == 0) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		for _, test := range fault.tests {
			if !strings.Contains(string(out), "--- FAIL: TestFaulty/faulty/"+test+" ") {
				t.Errorf("%s: the test %s does not fail", name, test)
			}
		}
	}
}

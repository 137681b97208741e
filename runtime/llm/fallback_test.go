package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/llmtest"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
)

// namedModel is a model with a name.
type namedModel struct {
	*scripted.Model
	name string
}

func (m namedModel) Name() string { return m.name }

// TestFallbackModel runs the tests that all models have in common, with a first model that is down.
func TestFallbackModel(t *testing.T) {
	down := llm.Func(func(ctx context.Context, _ llm.Request) (llm.Response, error) {
		if err := llm.ContextError(ctx, nil); err != nil {
			return llm.Response{}, err
		}
		return llm.Response{}, &llm.Error{Kind: llm.QuotaExceeded}
	})
	llmtest.Test(t, llmtest.Provider{Name: "fallback", Model: func(_ testing.TB, d *llmtest.Double) llm.Model {
		return llm.Fallback(scripted.NewFunc(down), scripted.NewFunc(d.Generate))
	}})
}

// TestFallbackKinds checks after which errors the second model is asked.
func TestFallbackKinds(t *testing.T) {
	for kind, falls := range map[string]bool{
		llm.RateLimited: true, llm.QuotaExceeded: true, llm.ServerError: true, llm.Unreachable: true, llm.Timeout: true, llm.CutOff: true, llm.Malformed: true,
		llm.Unauthorized: false, llm.BadRequest: false, llm.ContextFull: false, llm.Cancelled: false, "long_answer": false,
	} {
		for _, streamed := range []bool{false, true} {
			m := llm.Fallback(scripted.New(scripted.Fail(&llm.Error{Kind: kind})), scripted.New(scripted.Text("Yes.")))
			got, err := ask(t.Context(), m, streamed)
			e, _ := errors.AsType[*llm.Error](err)
			if falls && (err != nil || got.Text != "Yes.") || !falls && (e == nil || e.Kind != kind) {
				t.Errorf("%s: %+v, %v", kind, got, err)
			}
		}
	}
	other := llm.Func(func(context.Context, llm.Request) (llm.Response, error) { return llm.Response{}, errors.New("broken") })
	if got, err := llm.Fallback(other, scripted.New(scripted.Text("Yes."))).Generate(t.Context(), llm.Request{}); err == nil || err.Error() != "broken" {
		t.Errorf("%+v, %v", got, err)
	}
}

// ask returns an answer, streamed or not.
func ask(ctx context.Context, m llm.Model, streamed bool) (response llm.Response, err error) {
	if !streamed {
		return m.Generate(ctx, llm.Request{Prompt: "?"})
	}
	for chunk, err := range llm.Stream(ctx, m, llm.Request{Prompt: "?"}) {
		if err != nil {
			return response, err
		}
		if chunk.Response != nil {
			response = *chunk.Response
		}
	}
	return response, nil
}

// TestFallbackDone checks that no other model is asked once the context is done.
func TestFallbackDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	down := scripted.NewFunc(func(context.Context, llm.Request) (llm.Response, error) {
		cancel()
		return llm.Response{}, &llm.Error{Kind: llm.Unreachable}
	})
	for _, streamed := range []bool{false, true} {
		second := scripted.New()
		if _, err := ask(ctx, llm.Fallback(down, second), streamed); !errors.Is(err, context.Canceled) || len(second.Requests()) > 0 {
			t.Errorf("%v, %d requests", err, len(second.Requests()))
		}
	}
}

// brokenStream is a model whose stream breaks after some text.
type brokenStream struct{ llm.Model }

func (brokenStream) Stream(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		_ = yield(llm.Chunk{Text: "Hel"}, nil) && yield(llm.Chunk{}, &llm.Error{Kind: llm.CutOff})
	}
}

// TestFallbackAfterText checks that no other model continues a text.
func TestFallbackAfterText(t *testing.T) {
	second := scripted.New()
	var texts string
	var last error
	for chunk, err := range llm.Stream(t.Context(), llm.Fallback(brokenStream{second}, second), llm.Request{}) {
		texts, last = texts+chunk.Text, err
	}
	if e, ok := errors.AsType[*llm.Error](last); texts != "Hel" || !ok || e.Kind != llm.CutOff || len(second.Requests()) > 0 {
		t.Errorf("%q, %v, %d requests", texts, last, len(second.Requests()))
	}
}

// TestFallbackFails checks the error after all models have failed.
func TestFallbackFails(t *testing.T) {
	fail := func(name, kind string, status int, wait time.Duration) llm.Model {
		return namedModel{scripted.NewFunc(func(context.Context, llm.Request) (llm.Response, error) {
			return llm.Response{}, &llm.Error{Kind: kind, Status: status, RetryAfter: wait}
		}), name}
	}
	for want, m := range map[string]llm.Model{
		"model: server error (status 503): a: model: server error (status 503)":                                            llm.Fallback(fail("a", llm.ServerError, 503, 0)),
		"model: rate limited (status 429): a: model: quota exceeded (status 402); b: model: rate limited (status 429)":     llm.Fallback(fail("a", llm.QuotaExceeded, 402, 0), fail("b", llm.RateLimited, 429, time.Minute)),
		"model: rate limited (status 429): a: model: rate limited (status 429); model 2: model: unreachable":               llm.Fallback(fail("a", llm.RateLimited, 429, time.Hour), llm.Func(fail("", llm.Unreachable, 0, time.Minute).Generate)),
		"model: quota exceeded: a: model: quota exceeded (status 402); b: model: quota exceeded; c: model: quota exceeded": llm.Fallback(fail("a", llm.QuotaExceeded, 402, 0), fail("b", llm.QuotaExceeded, 0, 0), fail("c", llm.QuotaExceeded, 0, 0)),
	} {
		for _, streamed := range []bool{false, true} {
			_, err := ask(t.Context(), m, streamed)
			e, ok := errors.AsType[*llm.Error](err)
			if !ok || e.Error() != want || e.RetryAfter > time.Minute {
				t.Errorf("got  %v after %v\nwant %s", err, e.RetryAfter, want)
			}
		}
	}
}

// TestFallbackProviderData checks that each model gets its own data only, in another process as well.
func TestFallbackProviderData(t *testing.T) {
	answer := func(data string) *scripted.Model {
		return scripted.New(scripted.Respond(llm.Response{Text: "Yes.", Model: data + "-2026", Provider: json.RawMessage(`"` + data + `"`)}), scripted.Text("Well."))
	}
	down := scripted.Fail(&llm.Error{Kind: llm.ServerError})
	var messages []llm.Message
	for _, m := range []llm.Model{
		llm.Fallback(namedModel{answer("a"), "a"}, namedModel{answer("b"), "b"}),
		llm.Fallback(namedModel{scripted.New(down), "a"}, namedModel{answer("b"), "b"}),
	} {
		response, err := m.Generate(t.Context(), llm.Request{Prompt: "?"})
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, llm.Message{Role: llm.RoleUser, Text: response.Model}, response.Message())
	}
	messages = append(messages, llm.Message{Role: llm.RoleAssistant, Provider: json.RawMessage(`{"endpoint":"x"}`)})
	text, err := json.Marshal(messages)
	if err == nil {
		err = json.Unmarshal(text, &messages)
	}
	if err != nil {
		t.Fatal(err)
	}
	if messages[0].Text != "a-2026" || messages[2].Text != "b-2026" {
		t.Errorf("%+v", messages)
	}
	a, b := scripted.New(down), scripted.New(scripted.Text("Yes."))
	if _, err := llm.Fallback(namedModel{b, "b"}, namedModel{a, "a"}).Generate(t.Context(), llm.Request{Messages: messages}); err != nil {
		t.Fatal(err)
	}
	b2 := scripted.New(down)
	a2 := scripted.New(scripted.Text("Yes."))
	if _, err := llm.Fallback(namedModel{b2, "b"}, namedModel{a2, "a"}).Generate(t.Context(), llm.Request{Messages: messages}); err != nil {
		t.Fatal(err)
	}
	for want, m := range map[string]*scripted.Model{`"b"`: b2, `"a"`: a2} {
		sent := m.Requests()[0].Messages
		other := 3
		if want == `"b"` {
			other = 1
		}
		if string(sent[4-other].Provider) != want || sent[other].Provider != nil || string(sent[4].Provider) != `{"endpoint":"x"}` {
			t.Errorf("%s gets %s, %s, %s", want, sent[1].Provider, sent[3].Provider, sent[4].Provider)
		}
	}
}

// ExampleFallback asks a second model while the first one is over its limit.
func ExampleFallback() {
	large := scripted.New(scripted.Fail(&llm.Error{Kind: llm.RateLimited, Status: 429}))
	small := scripted.New(scripted.Respond(llm.Response{Text: "Hello.", Model: "small-2"}))
	response, err := llm.Fallback(large, small).Generate(context.Background(), llm.Request{Prompt: "Greet Ada."})
	fmt.Println(response.Model, response.Text, err)
	// Output: small-2 Hello. <nil>
}

package replay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/llmtest"
	"github.com/aiongen/aiongen/runtime/llm/replay"
	"github.com/aiongen/aiongen/runtime/tool"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var (
	echo = tool.Definition{
		Name: "echo", Description: "Says <it> again.",
		Input: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}`),
	}
	add = tool.Definition{Name: "add", Description: "Adds.", Input: json.RawMessage(`{"type":"object"}`), Annotations: tool.Annotations{ReadOnly: true}}
)

// asked are requests with the answers of the model.
var asked = []struct {
	request  llm.Request
	response llm.Response
	err      error
}{
	{
		request: llm.Request{System: "Be brief.", Prompt: "Plan:\n- one\n- \"two\" & <three>\n", Schema: json.RawMessage(`{"type": "object"}`), MaxTokens: 100},
		response: llm.Response{
			Text: "{\n  \"goal\": \"x\"\n}", Model: "m-1", Finish: llm.FinishStop,
			Usage: llm.Usage{Input: 12, Output: 3, Cached: 2, Reasoning: 1},
		},
	},
	{
		request: llm.Request{
			Messages: []llm.Message{{Role: llm.RoleUser, Text: "Say it."}}, Tools: []tool.Definition{add, echo},
		},
		response: llm.Response{
			Finish: llm.FinishCalls,
			Calls: []tool.Request{
				{ID: "1", Name: "echo", Arguments: json.RawMessage(`{"text":"<a>\nb"}`)},
				{ID: "2", Name: "echo", Arguments: json.RawMessage("{\"text\":\n"), Truncated: true},
				{ID: "3", Name: "add"},
			},
			CallText: "<call>\n<echo>",
		},
	},
	{
		request: llm.Request{
			Messages: []llm.Message{
				{Role: llm.RoleUser, Text: "Say it."},
				{Role: llm.RoleAssistant, Text: "I do.", Calls: []tool.Request{{ID: "1", Name: "echo", Arguments: json.RawMessage(`{"text":"a"}`)}}},
				{Role: llm.RoleTool, Result: &tool.Call{ID: "1", Status: tool.StatusCompleted, Output: json.RawMessage(`"a"`), Started: time.Now()}},
				{Role: llm.RoleTool, Result: &tool.Call{ID: "2", Status: tool.StatusFailed, Err: &tool.UnknownToolError{Name: "ad"}}},
			},
			Tools: []tool.Definition{echo}, Temperature: new(0.0),
		},
		response: llm.Response{Text: "a"},
	},
	{
		request: llm.Request{Prompt: "Too much?"},
		err:     &llm.Error{Kind: llm.RateLimited, Status: 429, RetryAfter: 90 * time.Second, Err: errors.New("slow\ndown")},
	},
	{
		request: llm.Request{
			Messages: []llm.Message{
				{Role: llm.RoleUser, Text: "What is it?", Parts: []content.Part{{Media: "image/png", Data: []byte("png")}}},
				{Role: llm.RoleAssistant, Reasoning: "is not told", Provider: json.RawMessage(`{"signature":"a\u003cb","n":10000000000000000001}`)},
			},
			Tools: []tool.Definition{echo}, ToolChoice: "echo", OneCall: true, Effort: "low", TopP: new(0.5), Seed: new(7), Stop: []string{"\n"},
			Extra: map[string]json.RawMessage{"top_k": json.RawMessage(`5`)},
		},
		response: llm.Response{Text: "a", Reasoning: "It is\nan a.", Provider: json.RawMessage(`{"signature":"c\u003cd","n":10000000000000000001}`)},
	},
	{request: llm.Request{Prompt: "Again?"}, response: llm.Response{Text: "first"}},
	{request: llm.Request{Prompt: "Again?"}, response: llm.Response{Text: "second"}},
}

// liveModel is a model that returns the answers of asked in order.
func liveModel() llm.Model {
	i := -1
	return llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		i++
		return asked[i].response, asked[i].err
	})
}

// record returns the recording of a model that was sent the requests of asked.
func record(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	r := replay.Record(&b, liveModel())
	for _, x := range asked {
		response, err := r.Generate(t.Context(), x.request)
		if !reflect.DeepEqual(response, x.response) || err != x.err {
			t.Errorf("the recorder answers %+v, %v", response, err)
		}
	}
	return b.Bytes()
}

// TestRecording compares a recording with the expected text and replays it.
func TestRecording(t *testing.T) {
	recording := record(t)
	golden := filepath.Join("testdata", "dialogue.json")
	if *update {
		if err := os.WriteFile(golden, recording, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(recording)); diff != "" {
		t.Errorf("the recording changed, rewrite it with -update if it should:\n%s", diff)
	}
	m, err := replay.Read(bytes.NewReader(want))
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range asked {
		if m.Unused() != len(asked)-i {
			t.Errorf("%d answers are unused", m.Unused())
		}
		x.request = laterRequest(t, x.request)
		response, err := m.Generate(t.Context(), x.request)
		if !reflect.DeepEqual(response, x.response) || fmt.Sprint(err) != fmt.Sprint(x.err) {
			t.Errorf("%+v is answered with\n%#v, %v, want\n%#v", x.request, response, err, x.response)
		}
		var got, want *llm.Error
		if errors.As(x.err, &want) && (!errors.As(err, &got) || got.Kind != want.Kind || got.Status != want.Status || got.RetryAfter != want.RetryAfter) {
			t.Errorf("%#v, want %#v", got, want)
		}
	}
}

// TestAsked checks that asked sets every field that a request or a response can have.
func TestAsked(t *testing.T) {
	has := map[string]bool{}
	for _, x := range asked {
		for _, v := range []reflect.Value{reflect.ValueOf(x.request), reflect.ValueOf(x.response)} {
			for i := range v.NumField() {
				name := v.Type().Name() + "." + v.Type().Field(i).Name
				has[name] = has[name] || !v.Field(i).IsZero()
			}
		}
	}
	for name, some := range has {
		if !some {
			t.Errorf("no exchange has a %s", name)
		}
	}
}

// laterRequest returns a request as another process would create it at another time.
func laterRequest(t *testing.T, r llm.Request) llm.Request {
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	var again llm.Request
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	for i := range again.Messages {
		if c := again.Messages[i].Result; c != nil {
			c.Started, c.Duration = c.Started.Add(time.Hour), time.Second
		}
		for j := range again.Messages[i].Calls {
			again.Messages[i].Calls[j].Meta = map[string]string{"trace": "7"}
		}
	}
	return again
}

func TestStream(t *testing.T) {
	var b bytes.Buffer
	r := replay.Record(&b, liveModel())
	for range llm.Stream(t.Context(), r, asked[0].request) {
		break // the stream has ended: there is only one chunk
	}
	text := ""
	for chunk, err := range llm.Stream(t.Context(), r, asked[1].request) {
		if err != nil {
			t.Fatal(err)
		}
		text += chunk.Text
	}
	m, err := replay.Read(&b)
	if err != nil || m.Unused() != 2 {
		t.Fatal(err)
	}
	if response, err := m.Generate(t.Context(), asked[1].request); err != nil || response.Text != text {
		t.Errorf("%+v, %v", response, err)
	}
}

// TestChangedTool checks a definition that changes in the middle of a recording.
func TestChangedTool(t *testing.T) {
	changed := echo
	changed.Description = "Says it twice."
	count := 0
	var b bytes.Buffer
	r := replay.Record(&b, llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		count++
		return llm.Response{Text: fmt.Sprint(count)}, nil
	}))
	requests := []llm.Request{
		{Prompt: "?", Tools: []tool.Definition{echo}}, {Prompt: "?", Tools: []tool.Definition{changed}}, {Prompt: "?", Tools: []tool.Definition{echo}},
	}
	for _, request := range requests {
		if _, err := r.Generate(t.Context(), request); err != nil {
			t.Fatal(err)
		}
	}
	m, err := replay.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{1, 0, 2} {
		if response, err := m.Generate(t.Context(), requests[i]); err != nil || response.Text != fmt.Sprint(i+1) {
			t.Errorf("request %d: %+v, %v", i, response, err)
		}
	}
}

func TestUnrecorded(t *testing.T) {
	changed := add
	changed.Description = "Adds numbers."
	for name, test := range map[string]struct {
		request llm.Request
		want    string
	}{
		"prompt": {llm.Request{System: "Be brief.", Prompt: "Plan:\n- one\n- \"four\"\n", Schema: json.RawMessage(`{"type":"object"}`), MaxTokens: 100}, `
model: unrecorded: the request is not in the recording; the most similar unused one, request 1 of 7, differs in prompt:
- recorded: "- \"two\" & <three>",
+ sent:     "- \"four\"",`},
		"limit": {llm.Request{Prompt: "Too much?", MaxTokens: 5}, `
model: unrecorded: the request is not in the recording; the most similar unused one, request 4 of 7, differs in max_tokens:
- recorded: "max_tokens": 0
+ sent:     "max_tokens": 5`},
		"tool": {llm.Request{Messages: asked[1].request.Messages, Tools: []tool.Definition{echo}}, `
model: unrecorded: the request is not in the recording; the most similar unused one, request 2 of 7, differs in tools:
- recorded: "add",`},
		"definition": {llm.Request{Messages: asked[1].request.Messages, Tools: []tool.Definition{changed, echo}}, `
model: unrecorded: the request is not in the recording; the most similar unused one, request 2 of 7, differs in definitions:
- recorded: "description": "Adds.",
+ sent:     "description": "Adds numbers.",`},
		"message": {llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: strings.Repeat("Say\n", 9)}}, Tools: asked[1].request.Tools}, `
model: unrecorded: the request is not in the recording; the most similar unused one, request 2 of 7, differs in messages:
- recorded: "text": "Say it."
+ sent:     "text": [
+ sent:     "Say",
+ sent:     "Say",
+ sent:     "Say",
+ sent:     "Say",
+ sent:     "Say",
+ sent:     … and 6 more lines`},
		"message of 7": {llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: strings.Repeat("Say\n", 4)}}, Tools: asked[1].request.Tools}, `
model: unrecorded: the request is not in the recording; the most similar unused one, request 2 of 7, differs in messages:
- recorded: "text": "Say it."
+ sent:     "text": [
+ sent:     "Say",
+ sent:     "Say",
+ sent:     "Say",
+ sent:     "Say",
+ sent:     ""
+ sent:     … and 1 more line`},
		"long": {llm.Request{Prompt: "Too much?" + strings.Repeat("x", 500)}, `
model: unrecorded: the request is not in the recording; the most similar unused one, request 4 of 7, differs in prompt:
- recorded: "prompt": "Too much?",
+ sent:     "prompt": "Too much?` + strings.Repeat("x", 138) + `…`},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := replay.Read(bytes.NewReader(record(t)))
			if err != nil {
				t.Fatal(err)
			}
			_, err = m.Generate(t.Context(), test.request)
			var e *llm.Error
			if !errors.As(err, &e) || e.Code() != replay.Unrecorded || e.Retryable() || err.Error() != strings.TrimPrefix(test.want, "\n")+"\nrecord the dialogue again if this change is intended" {
				t.Errorf("%v", err)
			}
			if m.Unused() != len(asked) {
				t.Error("an answer was used up")
			}
		})
	}
}

// TestUnrecordedFar checks a line that differs far from its beginning.
func TestUnrecordedFar(t *testing.T) {
	long := strings.Repeat("a long prompt ", 50)
	var b bytes.Buffer
	if _, err := replay.Record(&b, liveModel()).Generate(t.Context(), llm.Request{Prompt: long + "ends"}); err != nil {
		t.Fatal(err)
	}
	m, err := replay.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Generate(t.Context(), llm.Request{Prompt: long + "stops"})
	if err == nil || !strings.HasSuffix(err.Error(), `in prompt:
- recorded: …long prompt a long prompt a long prompt ends",
+ sent:     …long prompt a long prompt a long prompt stops",
record the dialogue again if this change is intended`) {
		t.Error(err)
	}
}

func TestUsedUp(t *testing.T) {
	m, err := replay.Read(bytes.NewReader(record(t)))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := m.Generate(t.Context(), asked[5].request); err != nil {
			t.Error(err)
		}
	}
	_, err = m.Generate(t.Context(), asked[5].request)
	const want = `model: unrecorded: the answer to request 6 of the recording was already used, and there is no other one; the most similar unused one, request 4 of 7, differs in prompt:
- recorded: "prompt": "Too much?",
+ sent:     "prompt": "Again?",
record the dialogue again if this change is intended`
	if err == nil || err.Error() != want {
		t.Error(err)
	}
	for _, x := range asked[:5] {
		_, _ = m.Generate(t.Context(), x.request)
	}
	_, err = m.Generate(t.Context(), llm.Request{Prompt: "new"})
	if want := "model: unrecorded: the recording has no unused answer left, all 7 were returned; record the dialogue again if this change is intended"; err == nil || err.Error() != want {
		t.Error(err)
	}
}

func TestReadWrong(t *testing.T) {
	const head = "{\"format\": \"aiongen dialogue 2\"}\n\n"
	for name, test := range map[string]struct{ text, want string }{
		"nothing":      {"", "model: bad recording: line 1: EOF"},
		"no JSON":      {"hello", "line 1: invalid character 'h' looking for beginning of value"},
		"no format":    {`{"tool": {"name": "x"}}`, `line 1: the recording has the format "", want "aiongen dialogue 2": record it again, or use a newer version of this package`},
		"tomorrow":     {`{"format": "aiongen dialogue 3"}`, `line 1: the recording has the format "aiongen dialogue 3", want "aiongen dialogue 2": record it again, or use a newer version of this package`},
		"cut off":      {head + "{\"request\": {\n", "line 3: unexpected EOF"},
		"no answer":    {head + `{"request": {}}`, "line 3: an entry is a tool, a schema, or a request with either a response or an error"},
		"two answers":  {head + `{"request": {}, "response": {}, "error": {}}`, "line 3: an entry is a tool, a schema, or a request with either a response or an error"},
		"two kinds":    {head + `{"tool": {"name": "x"}, "request": {}, "response": {}}` + "\n{}", "line 4: an entry is a tool, a schema, or a request with either a response or an error"},
		"unknown key":  {head + `{"request": {"promt": "x"}}`, `line 3: json: unknown field "promt"`},
		"schema":       {head + `{"schema": {}}` + "\n" + `{"request": {"schema": 2}, "response": {}}`, `line 4: the request uses schema 2, but only 1 are defined before it`},
		"no schema":    {head + `{"request": {"schema": 0}, "response": {}}`, `line 3: the request uses schema 0, but only 0 are defined before it`},
		"unknown tool": {head + `{"request": {"tools": ["x"]}, "response": {}}`, `line 3: the request uses the tool "x", which is not defined before it`},
		"text":         {head + `{"request": {"prompt": 7}, "response": {}}`, `line 3: text must be a string or an array of lines`},
		"duration":     {head + `{"request": {}, "error": {"kind": "x", "retry_after": "soon"}}`, `line 3: time: invalid duration "soon"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := replay.Read(strings.NewReader(test.text))
			var e *llm.Error
			if !errors.As(err, &e) || e.Kind != replay.BadRecording || !strings.HasSuffix(err.Error(), test.want) {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
	if _, err := replay.Read(io.LimitReader(spaces{}, 17<<20)); err == nil || !strings.HasSuffix(err.Error(), "the recording has more than 16777216 bytes") {
		t.Error(err)
	}
	if _, err := replay.Read(broken{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
}

type spaces struct{}

func (spaces) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

type broken struct{}

func (broken) Read([]byte) (int, error)  { return 0, io.ErrClosedPipe }
func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestSchemas checks that a schema is written once, however often it is used, and that recordings may
// also contain it in each request.
func TestSchemas(t *testing.T) {
	var b bytes.Buffer
	recorder := replay.Record(&b, llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) { return llm.Response{Text: r.Prompt}, nil }))
	requests := []llm.Request{{Prompt: "a", Schema: json.RawMessage(`{"type":"object"}`)}, {Prompt: "b", Schema: json.RawMessage(`{"type":"array"}`)}, {Prompt: "c", Schema: json.RawMessage(`{"type":"object"}`)}, {Prompt: "d"}}
	for _, r := range requests {
		if _, err := recorder.Generate(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	text := b.String()
	if strings.Count(text, `"type"`) != 2 {
		t.Errorf("the recording is %s", text)
	}
	for _, text := range []string{text, strings.Replace(text, `"schema": 1`, `"schema": {"type": "object"}`, 1)} {
		model, err := replay.Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range requests {
			if got, err := model.Generate(t.Context(), r); err != nil || got.Text != r.Prompt {
				t.Errorf("%s: %q, %v", r.Prompt, got.Text, err)
			}
		}
		if model.Unused() > 0 {
			t.Errorf("%d answers are left", model.Unused())
		}
	}
}

// TestRecordWrong checks answers that cannot or should not be recorded.
func TestRecordWrong(t *testing.T) {
	r := replay.Record(broken{}, llm.Func(func(context.Context, llm.Request) (llm.Response, error) { return llm.Response{Text: "x"}, nil }))
	if _, err := r.Generate(t.Context(), llm.Request{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
	for _, err := range llm.Stream(t.Context(), r, llm.Request{}) {
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
	}
	var b bytes.Buffer
	r = replay.Record(&b, liveModel())
	wrong := llm.Request{Schema: json.RawMessage(`{`)}
	if _, err := r.Generate(t.Context(), wrong); err == nil || b.Len() > 0 {
		t.Error(err, b.String())
	}
	foreign := replay.Record(&b, llm.Func(func(context.Context, llm.Request) (llm.Response, error) { return llm.Response{}, io.ErrNoProgress }))
	if _, err := foreign.Generate(t.Context(), llm.Request{}); err != io.ErrNoProgress {
		t.Error(err)
	}
	if m, err := replay.Read(&b); err != nil {
		t.Error(err)
	} else if _, err := m.Generate(t.Context(), llm.Request{}); fmt.Sprint(err) != "model: server error: "+io.ErrNoProgress.Error() {
		t.Error(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	r = replay.Record(&b, llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		stop()
		return llm.Response{}, &llm.Error{Kind: llm.Cancelled}
	}))
	if _, err := r.Generate(stopped, llm.Request{}); err == nil || b.Len() > 0 {
		t.Error(err, b.String())
	}

	m, err := replay.Read(bytes.NewReader(record(t)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Generate(stopped, asked[0].request); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := m.Generate(t.Context(), wrong); err == nil {
		t.Error("a request that is no JSON is answered")
	}
}

// TestConcurrent records and answers on many goroutines.
func TestConcurrent(t *testing.T) {
	var b bytes.Buffer
	r := replay.Record(&b, llm.Func(func(_ context.Context, req llm.Request) (llm.Response, error) {
		return llm.Response{Text: "to " + req.Prompt}, nil
	}))
	ask := func(m llm.Model) {
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() {
				prompt := fmt.Sprint(i / 2)
				response, err := m.Generate(t.Context(), llm.Request{Prompt: prompt, Tools: []tool.Definition{echo}})
				if err != nil || response.Text != "to "+prompt {
					t.Errorf("%+v, %v", response, err)
				}
			})
		}
		wg.Wait()
	}
	ask(r)
	if strings.Count(b.String(), "Says <it> again.") != 1 {
		t.Error("a tool is defined more than once")
	}
	m, err := replay.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	ask(m)
	if m.Unused() != 0 {
		t.Errorf("%d answers are unused", m.Unused())
	}
}

// FuzzRead checks that no recording causes a panic, and that every answer that was read is returned.
func FuzzRead(f *testing.F) {
	f.Add([]byte("{\"format\": \"aiongen dialogue 2\"}\n{\"tool\": {\"name\": \"x\"}}\n{\"request\": {\"tools\": [\"x\"]}, \"response\": {\"text\": [\"a\", \"b\"]}}"))
	golden, err := os.ReadFile(filepath.Join("testdata", "dialogue.json"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(golden)
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := replay.Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		before := m.Unused()
		_, err = m.Generate(t.Context(), llm.Request{})
		var e *llm.Error
		if unrecorded := errors.As(err, &e) && e.Kind == replay.Unrecorded && m.Unused() == before; !unrecorded && m.Unused() != before-1 {
			t.Errorf("%d answers are unused after %d: %v", m.Unused(), before, err)
		}
	})
}

// TestModel runs the tests that all models have in common. Each request is recorded and then
// answered from the recording.
func TestModel(t *testing.T) {
	newModel := func(_ testing.TB, d *llmtest.Double) llm.Model { return recordedModel{d} }
	llmtest.Test(t, llmtest.Provider{Name: "replay", Model: newModel})
}

// recordedModel is a model that records every request.
type recordedModel struct{ double *llmtest.Double }

func (m recordedModel) Name() string { return "recorded" }

func (m recordedModel) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	var recording bytes.Buffer
	if _, err := replay.Record(&recording, llm.Func(m.double.Generate)).Generate(ctx, req); err != nil && ctx.Err() != nil {
		return llm.Response{}, err // such a request is not recorded
	}
	model, err := replay.Read(&recording)
	if err != nil {
		return llm.Response{}, err
	}
	return model.Generate(ctx, req)
}

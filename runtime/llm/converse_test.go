package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// registry has tools that echo their text, wait for each other, and panic.
func registry(t testing.TB, options ...tool.Option) *tool.Registry {
	t.Helper()
	var both sync.WaitGroup
	both.Add(2)
	r := tool.NewRegistry(options...)
	err := r.Register(
		textTool("echo", func(_ context.Context, text string) (string, error) { return text, nil }),
		textTool("fail", func(_ context.Context, text string) (string, error) { return "", errors.New(text) }),
		textTool("panic", func(_ context.Context, text string) (string, error) { panic(text) }),
		textTool("both", func(_ context.Context, text string) (string, error) {
			both.Done()
			both.Wait() // for the other call
			return text, nil
		}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func textTool(name string, f func(ctx context.Context, text string) (string, error)) tool.Tool {
	definition := &tool.Definition{Name: name, Description: "Does " + name + "."}
	return tool.NewOf(definition, readText, f, (*wire.Encoder).Str).Tool
}

func readText(v wire.Value) string {
	o := v.Object()
	text := o.Str("text")
	o.Done()
	return text
}

// script is a model that gives the responses that it holds, one after the other,
// and keeps what it was asked.
type script struct {
	responses []llm.Response
	asked     []llm.Request
}

func (s *script) Generate(_ context.Context, req llm.Request) (llm.Response, error) {
	s.asked = append(s.asked, req)
	if len(s.asked) > len(s.responses) {
		return llm.Response{}, &llm.Error{Kind: llm.BadRequest, Err: errors.New("there is no more in the script")}
	}
	return s.responses[len(s.asked)-1], nil
}

func calls(requests ...tool.Request) llm.Response {
	return llm.Response{Calls: requests, Finish: llm.FinishCalls, Usage: llm.Usage{Input: 10, Output: 5, Cached: 2, Reasoning: 1}}
}

func request(id, name, arguments string) tool.Request {
	return tool.Request{ID: id, Name: name, Arguments: json.RawMessage(arguments)}
}

var hello = []llm.Message{{Role: llm.RoleUser, Text: "Hello."}}

var done = llm.Response{Text: "Done.", Finish: llm.FinishStop, Usage: llm.Usage{Input: 20, Output: 5}}

// transcript writes messages in lines.
func transcript(messages []llm.Message) string {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "%s:", m.Role)
		if m.Result != nil {
			fmt.Fprintf(&b, " [%s]", m.Result.ID)
		}
		if content := m.Content(); content != "" {
			fmt.Fprintf(&b, " %s", content)
		}
		for _, c := range m.Calls {
			fmt.Fprintf(&b, " [%s] %s%s", c.ID, c.Name, c.Arguments)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func expectTranscript(t *testing.T, messages []llm.Message, want string) {
	t.Helper()
	if got := transcript(messages); got != strings.TrimPrefix(want, "\n") {
		t.Errorf("got\n%swant%s", got, want)
	}
}

func TestConverse(t *testing.T) {
	model := &script{responses: []llm.Response{
		calls(request("1", "both", `{"text":"a"}`), request("2", "both", `{"text":"b"}`)),
		calls(request("3", "fail", `{"text":"no paper"}`), request("4", "panic", `{"text":"boom"}`),
			request("5", "eco", `{}`), request("6", "echo", `{"txt":1}`), request("7", "echo", `{"text":`)),
		done,
	}}
	c, err := llm.Converse(t.Context(), model, registry(t), hello)
	if err != nil {
		t.Fatal(err)
	}
	expectTranscript(t, c.Messages, `
user: Hello.
assistant: [1] both{"text":"a"} [2] both{"text":"b"}
tool: [1] "a"
tool: [2] "b"
assistant: [3] fail{"text":"no paper"} [4] panic{"text":"boom"} [5] eco{} [6] echo{"txt":1} [7] echo{"text":
tool: [3] fail failed: no paper
tool: [4] panic failed by a fault of its own. The same call again will not help; go on without it.
tool: [5] There is no tool "eco". Did you mean echo?
tool: [6] The arguments of echo were wrong, and it did not run. Send the call again with all arguments, and these mended:
- /text: expected a value, found nothing
- /txt: expected the key text, found the key "txt"
tool: [7] The arguments of echo were wrong, and it did not run. Send the call again with all arguments, and these mended:
- /text: expected a value at byte 8, found the end of the text
assistant: Done.
`)
	if c.Response.Text != "Done." || c.Turns != 3 || c.Usage != (llm.Usage{Input: 40, Output: 15, Cached: 4, Reasoning: 2}) {
		t.Errorf("%+v, %d turns, %+v", c.Response, c.Turns, c.Usage)
	}
	var offered []string
	for _, d := range model.asked[2].Tools {
		offered = append(offered, d.Name)
	}
	if !slices.Equal(offered, []string{"both", "echo", "fail", "panic"}) || len(model.asked[2].Messages) != 10 {
		t.Errorf("%q, %d messages", offered, len(model.asked[2].Messages))
	}
	if len(hello) != 1 || len(model.asked[0].Messages) != 1 {
		t.Error("messages of others were modified")
	}
}

func TestConverseLimits(t *testing.T) {
	again := calls(request("1", "echo", `{"text":"a"}`))
	for name, test := range map[string]struct {
		options []llm.ConverseOption
		turns   int
		err     string
	}{
		"default":     {nil, 20, "model: turn limit: the model wants to call tools after 20 turns"},
		"turns":       {[]llm.ConverseOption{llm.Turns(3)}, 3, "model: turn limit: the model wants to call tools after 3 turns"},
		"one":         {[]llm.ConverseOption{llm.Turns(-1)}, 1, "model: turn limit: the model wants to call tools after 1 turns"},
		"tokens":      {[]llm.ConverseOption{llm.Budget(31)}, 3, "model: token budget: the model wants to call tools after 45 tokens of 31"},
		"all tokens":  {[]llm.ConverseOption{llm.Budget(30)}, 2, "model: token budget: the model wants to call tools after 30 tokens of 30"},
		"the model":   {[]llm.ConverseOption{llm.Turns(40)}, 30, "model: bad request: there is no more in the script"},
		"both limits": {[]llm.ConverseOption{llm.Turns(2), llm.Budget(30)}, 2, "model: turn limit: the model wants to call tools after 2 turns"},
	} {
		t.Run(name, func(t *testing.T) {
			model := &script{responses: slices.Repeat([]llm.Response{again}, 30)}
			c, err := llm.Converse(t.Context(), model, registry(t), hello, test.options...)
			var e *llm.Error
			if !errors.As(err, &e) || err.Error() != test.err || c.Turns != test.turns {
				t.Errorf("%d turns, %v", c.Turns, err)
			}
			if last := c.Messages[len(c.Messages)-1]; len(c.Messages) > 1 && last.Result == nil {
				t.Errorf("the conversation cannot go on from %+v", last)
			}
			if c.Response.Calls == nil {
				t.Error("the response is missing")
			}
		})
	}
}

// TestConverseNames has calls without an ID of their own, and with what only a
// person may give.
func TestConverseNames(t *testing.T) {
	own := request("", "echo", `{"text":"d"}`)
	own.Approval, own.Meta = "yes", map[string]string{"user": "root"}
	response := calls(request("", "echo", `{"text":"a"}`), request("call_1_1", "echo", `{"text":"b"}`), request("call_1_1", "echo", `{"text":"c"}`), own)
	var seen []tool.Request
	var mu sync.Mutex
	r := registry(t, tool.Use(func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, c.Request)
			return next(ctx, c)
		}
	}))
	c, err := llm.Converse(t.Context(), &script{responses: []llm.Response{response, done}}, r, hello, llm.Meta(map[string]string{"user": "ada"}))
	if err != nil {
		t.Fatal(err)
	}
	expectTranscript(t, c.Messages, `
user: Hello.
assistant: [call_1_1] echo{"text":"a"} [call_1_2] echo{"text":"b"} [call_1_3] echo{"text":"c"} [call_1_4] echo{"text":"d"}
tool: [call_1_1] "a"
tool: [call_1_2] "b"
tool: [call_1_3] "c"
tool: [call_1_4] "d"
assistant: Done.
`)
	if response.Calls[0].ID != "" {
		t.Error("the response of the model was modified")
	}
	for _, request := range seen {
		if request.Approval != "" || request.Meta["user"] != "ada" {
			t.Errorf("%+v", request)
		}
	}
}

func TestConverseTruncated(t *testing.T) {
	cut := request("1", "echo", `{"text":"a"}`)
	cut.Truncated = true
	c, err := llm.Converse(t.Context(), &script{responses: []llm.Response{calls(cut), done}}, registry(t), hello)
	if err != nil {
		t.Fatal(err)
	}
	expectTranscript(t, c.Messages[2:], `
tool: [1] The call of echo was cut off, and it did not run. Send it again, whole; keep the arguments short.
assistant: Done.
`)
}

func TestConverseApproval(t *testing.T) {
	responses := []llm.Response{
		calls(request("1", "echo", `{"text":"a"}`), request("2", "fail", `{"text":"b"}`), request("3", "echo", `{"text":"c"}`), request("4", "echo", `{}`)), done,
	}
	gate := tool.Use(tool.Gate(tool.Allow(tool.Named("fail")), tool.Ask()))
	c, err := llm.Converse(t.Context(), &script{responses: responses}, registry(t, gate), hello, llm.Batch(tool.Concurrent(1)),
		llm.Approve(func(_ context.Context, call *tool.Call) string {
			if call.ID == "3" {
				return "Ada"
			}
			return ""
		}))
	if err != nil {
		t.Fatal(err)
	}
	expectTranscript(t, c.Messages[2:], `
tool: [1] The call of echo waits for the approval of a person. Do not call it again until it is given.
tool: [2] fail failed: b
tool: [3] "c"
tool: [4] The arguments of echo were wrong, and it did not run. Send the call again with all arguments, and these mended:
- /text: expected a value, found nothing
assistant: Done.
`)
	if c.Messages[4].Result.Request.Approval != "Ada" {
		t.Errorf("%+v", c.Messages[4].Result.Request)
	}
}

func TestConverseWith(t *testing.T) {
	model := &script{responses: []llm.Response{calls(request("1", "echo", `{"text":"a"}`)), done}}
	base := llm.Request{
		System: "Be brief.", Messages: []llm.Message{{Role: llm.RoleAssistant, Text: "Ask."}}, Prompt: "I shall.",
		Schema: json.RawMessage(`{}`), MaxTokens: 7, Temperature: new(0.1), Tools: []tool.Definition{{Name: "other"}},
	}
	c, err := llm.Converse(t.Context(), model, registry(t), hello, llm.With(base))
	if err != nil || len(c.Messages) != 4 {
		t.Fatal(err, len(c.Messages))
	}
	last := model.asked[1]
	expectTranscript(t, last.Dialogue(), `
system: Be brief.
assistant: Ask.
user: I shall.
user: Hello.
assistant: [1] echo{"text":"a"}
tool: [1] "a"
`)
	if last.MaxTokens != 7 || *last.Temperature != 0.1 || string(last.Schema) != "{}" || last.Tools[0].Name != "both" || len(base.Messages) != 1 {
		t.Errorf("%+v", last)
	}
}

// TestConverseShares has conversations begin alike, from one option, and go on
// without a trace in each other.
func TestConverseShares(t *testing.T) {
	alike := llm.With(llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "a"}, {Role: llm.RoleAssistant, Text: "b"}, {Role: llm.RoleUser, Text: "c"}}, Prompt: "d"})
	model := &script{responses: []llm.Response{done, done, done}}
	for i := range 3 {
		if _, err := llm.Converse(t.Context(), model, registry(t), []llm.Message{{Role: llm.RoleUser, Text: fmt.Sprint(i)}}, alike); err != nil {
			t.Fatal(err)
		}
	}
	for i, req := range model.asked {
		if last := req.Messages[4].Text; last != fmt.Sprint(i) {
			t.Errorf("conversation %d was about %s", i, last)
		}
	}
}

func TestConverseStream(t *testing.T) {
	first, second := calls(request("1", "echo", `{"text":"a"}`)), done
	turn := 0
	model := turns(func() streamer {
		turn++
		if turn == 1 {
			return streamer{chunks: []llm.Chunk{{Response: &first}}}
		}
		return streamer{chunks: []llm.Chunk{{Text: "Do"}, {Text: "ne."}, {Response: &second}}}
	})
	var seen []string
	c, err := llm.Converse(t.Context(), model, registry(t), hello, llm.OnChunk(func(chunk llm.Chunk) {
		seen = append(seen, fmt.Sprint(chunk.Text, chunk.Response != nil))
	}))
	if err != nil || c.Response.Text != "Done." || !slices.Equal(seen, []string{"true", "Dofalse", "ne.false", "true"}) {
		t.Errorf("%q, %+v, %v", seen, c, err)
	}
	broken := turns(func() streamer { return streamer{chunks: []llm.Chunk{{Text: "Do"}}} })
	if c, err = llm.Converse(t.Context(), broken, registry(t), hello, llm.OnChunk(func(llm.Chunk) {})); err == nil || c.Turns != 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestConverseCancelled keeps what was done before the end.
func TestConverseCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := registry(t)
	r.Replace(textTool("fail", func(ctx context.Context, _ string) (string, error) { cancel(); return "", ctx.Err() }))
	model := &script{responses: []llm.Response{calls(request("1", "echo", `{"text":"a"}`), request("2", "fail", `{"text":"b"}`)), done}}
	c, err := llm.Converse(ctx, model, r, hello, llm.Batch(tool.Concurrent(1)))
	var e *llm.Error
	if !errors.As(err, &e) || e.Code() != llm.Cancelled || !errors.Is(err, context.Canceled) || len(model.asked) != 1 {
		t.Errorf("%v", err)
	}
	expectTranscript(t, c.Messages[2:], `
tool: [1] "a"
tool: [2] fail failed: context canceled
`)
	if c.Messages[3].Result.Status != tool.StatusCancelled {
		t.Errorf("%+v", c.Messages[3].Result)
	}
}

// turns is a streaming model that is made anew for each turn.
type turnsModel struct {
	llm.Func
	next func() streamer
}

func turns(next func() streamer) llm.Model { return turnsModel{next: next} }

func (m turnsModel) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return m.next().Stream(ctx, req)
}

// TestConverseRefused has a model take back an answer that calls a tool.
func TestConverseRefused(t *testing.T) {
	refused := calls(request("1", "echo", `{"text":"a"}`))
	refused.Text, refused.Finish = "I can't.", llm.FinishRefused
	c, err := llm.Converse(t.Context(), &script{responses: []llm.Response{refused}}, registry(t), hello)
	if err != nil {
		t.Fatal(err)
	}
	expectTranscript(t, c.Messages, `
user: Hello.
assistant: I can't.
`)
	if c.Response.Finish != llm.FinishRefused || len(c.Response.Calls) > 0 {
		t.Errorf("%+v", c.Response)
	}
}

// TestNote: a model is told what a tool's result is not.
func TestNote(t *testing.T) {
	request := tool.Request{ID: "1", Name: "echo", Arguments: json.RawMessage(fmt.Sprintf(`{"text":%q}`, strings.Repeat("long ", 9)))}
	model := &script{responses: []llm.Response{calls(request), done}}
	if _, err := llm.Converse(t.Context(), model, registry(t, tool.Use(tool.Trim(20))), hello); err != nil {
		t.Fatal(err)
	}
	messages := model.asked[1].Messages
	got := messages[len(messages)-1].Content()
	if !strings.HasPrefix(got, `"long long`) || !strings.Contains(got, "\"\nThe result was too long and has been cut: ") {
		t.Errorf("%q", got)
	}
}

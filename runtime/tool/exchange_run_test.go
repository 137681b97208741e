package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// TestExchangeAgain: of what several attempts attach, that of the last counts, and none
// of them asks what another asked; what middleware says stays.
func TestExchangeAgain(t *testing.T) {
	twice := func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			x := tool.ExchangeFrom(ctx)
			x.Attach(content.Text("before"))
			if output, err := next(ctx, c); err == nil {
				return output, err
			}
			x.Attach(content.Text("between"))
			return next(ctx, c)
		}
	}
	attempts, asked := 0, 0
	act := func(ctx context.Context, x *tool.Exchange) (string, error) {
		attempts++
		x.Attach(content.Text(fmt.Sprint("attempt ", attempts)))
		if _, err := x.Ask(ctx, sure, sure); err != nil {
			return "", err
		}
		switch {
		case attempts == 1:
			return "", errors.New("no luck")
		case attempts == 3:
			panic("no luck")
		}
		return "done", x.Reply("attempts", fmt.Append(nil, attempts))
	}
	ctx := tool.WithPeer(t.Context(), tool.Peer{Ask: func(_ context.Context, questions []ask.Question) ([]ask.Answer, error) {
		asked += len(questions)
		return []ask.Answer{sure.Accept(nil), sure.Decline()}[:len(questions)], nil
	}})
	r := acting(act, tool.Use(twice))
	for _, want := range []string{"[before between attempt 2]", "[before between attempt 4]"} {
		if c := r.Call(ctx, tool.Request{Name: "act"}); fmt.Sprint(c.Content) != want || string(c.Meta["attempts"]) != want[len(want)-2:len(want)-1] || c.Err != nil {
			t.Errorf("got %v %s, %v; want %s", c.Content, c.Meta, c.Err, want)
		}
	}
	if asked != 4 {
		t.Errorf("%d questions", asked)
	}
}

// TestExchangeInstead: what an attempt attached that failed does not count where there is
// something else instead, and does where its error is what came.
func TestExchangeInstead(t *testing.T) {
	fails := func(_ context.Context, x *tool.Exchange) (string, error) {
		x.Attach(content.Text("screenshot"))
		return "", errors.New("no login")
	}
	instead := func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			_, _ = next(ctx, c)
			return []byte(`"cached"`), nil
		}
	}
	request := tool.Request{Name: "act"}
	if c := acting(fails, tool.Use(instead)).Call(t.Context(), request); c.Content != nil || string(c.Output) != `"cached"` {
		t.Errorf("got %s %v, %v", c.Output, c.Content, c.Err)
	}
	if c := acting(fails).Call(t.Context(), request); len(c.Content) != 1 || c.Err == nil {
		t.Errorf("got %v, %v", c.Content, c.Err)
	}
}

// TestExchangeRepaired: a tool that says something before it reads its arguments, which
// are then read once more, said it once; Check has it say nothing.
func TestExchangeRepaired(t *testing.T) {
	said := 0
	of := tool.New(&tool.Definition{Name: "act"}, func(ctx context.Context, in *tool.Invocation) {
		x := tool.ExchangeFrom(ctx)
		x.Attach(content.Text("reading"))
		if x.Progress(0, 1, "") {
			said++
		}
		in.Arguments().Int()
		if in.Ready() {
			in.Result().Null("")
		}
	})
	r := tool.NewRegistry(tool.Tolerant(func(string, json.RawMessage) (tool.Reading, error) { return tool.Reading{Value: []byte("1")}, nil }))
	r.Replace(of)
	ctx := tool.WithPeer(t.Context(), tool.Peer{Progress: func(float64, float64, string) {}})
	request := tool.Request{Name: "act", Arguments: []byte(`"one"`), Approval: "by ada"}
	c, err := r.Match(request)
	if err == nil {
		err = c.Check(ctx)
	}
	if err != nil || said != 0 || c.Content != nil {
		t.Errorf("checked: said %d, %v, %v", said, c.Content, err)
	}
	if c.Invoke(ctx); len(c.Content) != 1 || c.Err != nil || said != 2 {
		t.Errorf("got %v %d, %v", c.Content, said, c.Err)
	}
}

// TestExchangeNested: what a function asks by the tools that it calls is asked of its own
// caller, and answered with its own call; what these attach is theirs.
func TestExchangeNested(t *testing.T) {
	for _, peers := range []string{"registry", "typed", "own"} {
		inner := func(ctx context.Context, x *tool.Exchange) (string, error) {
			x.Attach(content.Text("inner"))
			x.Progress(1, 1, x.Caller().User)
			answers, err := x.Ask(ctx, sure)
			if err != nil {
				return "", err
			}
			return string(answers[0].Action), nil
		}
		r := tool.NewRegistry()
		r.Replace(actingTool("inner", inner), actingTool("act", func(ctx context.Context, x *tool.Exchange) (string, error) {
			switch peers {
			case "typed":
				of := tool.NewOf(&tool.Definition{Name: "inner"}, wire.NoArguments, func(ctx context.Context, _ struct{}) (string, error) {
					return inner(ctx, tool.ExchangeFrom(ctx))
				}, (*wire.Encoder).Str)
				return of.Call(ctx, struct{}{})
			case "own":
				ctx = tool.WithPeer(ctx, tool.Peer{Ask: func(context.Context, []ask.Question) ([]ask.Answer, error) { return []ask.Answer{sure.Cancel()}, nil }})
			}
			c := r.Call(ctx, tool.Request{Name: "inner"})
			return strings.Trim(string(c.Output), `"`), c.Err
		}))
		var told []string
		ctx := tool.WithPeer(t.Context(), tool.Peer{
			Caller:   tool.Caller{User: "ada"},
			Progress: func(_, _ float64, text string) { told = append(told, text) },
			Ask:      func(context.Context, []ask.Question) ([]ask.Answer, error) { return nil, tool.ErrLater },
		})
		c := r.Call(ctx, act)
		if peers == "own" {
			if string(c.Output) != `"cancel"` || told != nil {
				t.Errorf("%s: got %s %v, %v", peers, c.Output, told, c.Err)
			}
			continue
		}
		asks, ok := c.Err.(*tool.AskError)
		if !ok || asks.Tool != "act" || !reflect.DeepEqual(told, []string{"ada"}) || len(c.Content) != map[string]int{"typed": 1}[peers] {
			t.Errorf("%s: got %v, %v %v", peers, c.Err, told, c.Content)
			continue
		}
		if c := r.Call(ctx, asks.Again(act, sure.Accept(nil))); string(c.Output) != `"accept"` {
			t.Errorf("%s: got %s, %v", peers, c.Output, c.Err)
		}
	}
}

// TestExchangeAtOnce: tools that are called side by side and ask get their answers in the
// end, whichever is first.
func TestExchangeAtOnce(t *testing.T) {
	r := tool.NewRegistry()
	questions := []ask.Question{ask.Person("A?", nil), ask.Person("B?", nil), ask.Person("C?", nil)}
	var requests []tool.Request
	for i, q := range questions {
		r.Replace(actingTool(fmt.Sprint("inner", i), func(ctx context.Context, x *tool.Exchange) (string, error) {
			_, err := x.Ask(ctx, q)
			return "", err
		}))
		requests = append(requests, tool.Request{Name: fmt.Sprint("inner", i)})
	}
	r.Replace(actingTool("act", func(ctx context.Context, x *tool.Exchange) (string, error) {
		var all []error
		for _, c := range r.CallAll(ctx, requests, tool.Batch{}) {
			all = append(all, c.Err)
		}
		return "done", errors.Join(all...)
	}))
	ctx := tool.WithPeer(t.Context(), tool.Peer{Ask: func(context.Context, []ask.Question) ([]ask.Answer, error) { return nil, tool.ErrLater }})
	request := act
	for range questions {
		asks, ok := r.Call(ctx, request).Err.(*tool.AskError)
		if !ok {
			t.Fatal("nothing is asked")
		}
		request = asks.Again(request, asks.Questions[0].Accept(nil))
	}
	if c := r.Call(ctx, request); c.Err != nil {
		t.Error(c.Err)
	}
}

// TestExchangeOver: what a goroutine does with the exchange of a call that is over comes
// to nothing, however the call ended, and there is nothing to race with.
func TestExchangeOver(t *testing.T) {
	through := func(next tool.Handler) tool.Handler { return next }
	for _, options := range [][]tool.Option{nil, {tool.Use(through)}} {
		for _, end := range []string{"", "panic", "exit", "unused"} {
			over, told := make(chan struct{}), 0
			var wg sync.WaitGroup
			r := acting(func(ctx context.Context, x *tool.Exchange) (string, error) { return "", nil }, options...)
			r.Replace(textTool("act", func(ctx context.Context, _ struct{}) (string, error) {
				if end != "unused" {
					tool.ExchangeFrom(ctx).Attach(content.Text("here"))
				}
				for range 4 {
					wg.Go(func() {
						x := (*tool.Exchange)(nil)
						if end != "unused" {
							x = tool.ExchangeFrom(ctx)
							x.Progress(1, 2, "") // while it runs, or not
							x.Attach(content.Text(""))
						}
						<-over
						x = tool.ExchangeFrom(ctx)
						x.Attach(content.Text("late"))
						_, err := x.Ask(ctx, sure)
						if asks, ok := errors.AsType[*tool.AskError](err); !ok || !asks.Nobody || x.Progress(1, 1, "") || x.Log(0, "") || x.Reply("k", []byte("1")) != nil {
							t.Errorf("%s: %v", end, err)
						}
						if c := r.Call(ctx, tool.Request{Name: "nested"}); c.Err == nil {
							t.Error("a tool that there is not")
						}
					})
				}
				switch end {
				case "panic":
					panic("boom")
				case "exit":
					runtime.Goexit()
				}
				return "", nil
			}).Tool)
			var lock sync.Mutex
			ctx := tool.WithPeer(context.Background(), tool.Peer{
				Progress: func(float64, float64, string) { lock.Lock(); told++; lock.Unlock() },
				Log:      func(int, string) { t.Error("told") },
				Ask: func(context.Context, []ask.Question) ([]ask.Answer, error) {
					return []ask.Answer{sure.Accept(nil)}, nil
				},
			})
			calls := make(chan *tool.Call, 1)
			go func() { // which the function may end
				c, err := r.Match(act)
				if err != nil {
					t.Error(err)
				}
				defer func() { calls <- c }()
				c.Invoke(ctx)
			}()
			c := <-calls
			said := fmt.Sprint(c.Content)
			close(over)
			wg.Wait()
			if fmt.Sprint(c.Content) != said || strings.Contains(said, "late") || end != "unused" && !strings.Contains(said, "here") {
				t.Errorf("%s: got %s, then %v", end, said, c.Content)
			}
		}
	}
}

// TestExchangeTooLong: what is attached counts as a result does, also of one attempt.
func TestExchangeTooLong(t *testing.T) {
	attempts := 0
	r := acting(func(_ context.Context, x *tool.Exchange) (string, error) {
		if attempts++; attempts == 1 {
			x.Attach(content.Text("short"), content.Image("image/png", make([]byte, 1000)))
		}
		return "x", nil
	}, tool.MaxOutput(100))
	c := r.Call(t.Context(), act)
	var long *tool.OutputError
	if !errors.As(c.Err, &long) || c.Output != nil || !strings.Contains(tool.ModelText(c.Err), "it is 1014 bytes long, and may be 100") {
		t.Errorf("got %s, %v", c.Output, c.Err)
	}
	if c := r.Call(t.Context(), act); c.Err != nil {
		t.Error(c.Err)
	}
}

// TestExchangeJSON: what was asked, answered, attached and replied survives JSON.
func TestExchangeJSON(t *testing.T) {
	r := acting(func(ctx context.Context, x *tool.Exchange) (string, error) {
		x.Attach(content.Image("image/png", []byte{0, 255}), content.Link("https://x", "x"))
		_ = x.Reply("trace", []byte(`{"id":7}`))
		if _, err := x.Ask(ctx, sure, where); err != nil {
			return "", fmt.Errorf("cannot go: %w", err)
		}
		return "gone", nil
	})
	request := tool.Request{ID: "1", Name: "act", Approval: "by ada", Answers: []ask.Answer{sure.Accept(nil)}}
	for _, err := range []error{tool.ErrLater, errors.New("no elicitation")} {
		ctx := tool.WithPeer(t.Context(), tool.Peer{Ask: func(context.Context, []ask.Question) ([]ask.Answer, error) { return nil, err }})
		c := r.Call(ctx, request)
		c.Note = "a note"
		back := fromJSON(t, c)
		if !reflect.DeepEqual(back.Content, c.Content) || !reflect.DeepEqual(back.Meta, c.Meta) || !reflect.DeepEqual(back.Request, c.Request) || back.Note != c.Note {
			t.Errorf("got %+v, want %+v", back, c)
		}
		if back.Err.Error() != c.Err.Error() || tool.Code(back.Err) != tool.Code(c.Err) || tool.ModelText(back.Err) != tool.ModelText(c.Err) {
			t.Errorf("got %v, want %v", back.Err, c.Err)
		}
		asks, ok := back.Err.(*tool.AskError)
		if ok != (err == tool.ErrLater) {
			t.Errorf("got %v", back.Err)
		}
		if !ok {
			continue
		}
		again := asks.Again(back.Request, where.Accept([]byte(`{"city":"Rome"}`)))
		if len(again.Answers) != 2 || again.ID != "1" || again.Approval != "by ada" {
			t.Errorf("got %+v", again)
		}
		if c := r.Call(t.Context(), again); string(c.Output) != `"gone"` {
			t.Errorf("got %s, %v", c.Output, c.Err)
		}
	}
}

// TestExchangeOfHooks: hooks and function share one, and CallFrom has answers and
// approval also where a hook changed the arguments.
func TestExchangeOfHooks(t *testing.T) {
	of := tool.NewOf(&tool.Definition{Name: "act"}, wire.Value.Int, func(ctx context.Context, n int) (int, error) {
		tool.ExchangeFrom(ctx).Attach(content.Text(fmt.Sprint("function ", n)))
		if r := tool.CallFrom(ctx).Request; len(r.Answers) != 1 || r.Approval != "by ada" {
			t.Errorf("got %+v", r)
		}
		return n, nil
	}, func(e *wire.Encoder, lead string, n int) { e.Int(lead, int64(n)) }).
		Before(func(ctx context.Context, n *int) error {
			*n++
			tool.ExchangeFrom(ctx).Attach(content.Text("before"))
			_, err := tool.ExchangeFrom(ctx).Ask(ctx, sure)
			return err
		}).
		After(func(ctx context.Context, _, _ *int) error {
			tool.ExchangeFrom(ctx).Attach(content.Text("after"))
			return nil
		})
	for _, options := range [][]tool.Option{nil, {tool.Use(func(next tool.Handler) tool.Handler { return next })}} {
		r := tool.NewRegistry(options...)
		r.Replace(of.Tool)
		c := r.Call(t.Context(), tool.Request{Name: "act", Arguments: []byte("1"), Approval: "by ada", Answers: []ask.Answer{sure.Accept(nil)}})
		if got := fmt.Sprint(c.Content); got != "[before function 2 after]" || c.Err != nil {
			t.Errorf("got %s, %v", got, c.Err)
		}
	}
}

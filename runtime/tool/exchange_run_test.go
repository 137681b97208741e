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

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// TestExchangeAgain checks that of several attempts, the attachments of the last one count, and that
// no attempt repeats the question of another. Messages of middleware are kept.
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
	ctx := tool.WithPeer(t.Context(), tool.Peer{Ask: func(_ context.Context, questions []tool.Question) ([]tool.Answer, error) {
		asked += len(questions)
		return []tool.Answer{sure.Accept(nil), sure.Decline()}[:len(questions)], nil
	}})
	r := newActingRegistry(act, tool.Use(twice))
	for _, want := range []string{"[before between attempt 2]", "[before between attempt 4]"} {
		if c := r.Call(ctx, tool.Request{Name: "act"}); fmt.Sprint(c.Content) != want || string(c.Meta["attempts"]) != want[len(want)-2:len(want)-1] || c.Err != nil {
			t.Errorf("got %v %s, %v; want %s", c.Content, c.Meta, c.Err, want)
		}
	}
	if asked != 4 {
		t.Errorf("%d questions", asked)
	}
}

// TestExchangeInstead checks that the attachments of a failed attempt do not count if something else
// replaces its result, and do if its error is the result.
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
	if c := newActingRegistry(fails, tool.Use(instead)).Call(t.Context(), request); c.Content != nil || string(c.Output) != `"cached"` {
		t.Errorf("got %s %v, %v", c.Output, c.Content, c.Err)
	}
	if c := newActingRegistry(fails).Call(t.Context(), request); len(c.Content) != 1 || c.Err == nil {
		t.Errorf("got %v, %v", c.Content, c.Err)
	}
}

// TestExchangeRepaired checks that a tool that sends a message before it decodes its arguments, which
// are then repaired, sends it once. Check suppresses it.
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
	r := tool.NewRegistry(tool.Tolerant(func(string, json.RawMessage) (tool.RepairedArguments, error) {
		return tool.RepairedArguments{Value: []byte("1")}, nil
	}))
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

// TestExchangeNested checks that the questions of tools that a function calls are asked of its own
// caller and answered with its own call. Their attachments stay with them.
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
				of := tool.NewTypedTool(&tool.Definition{Name: "inner"}, wire.NoArguments, func(ctx context.Context, _ struct{}) (string, error) {
					return inner(ctx, tool.ExchangeFrom(ctx))
				}, (*wire.Encoder).Str)
				return of.Call(ctx, struct{}{})
			case "own":
				ctx = tool.WithPeer(ctx, tool.Peer{Ask: func(context.Context, []tool.Question) ([]tool.Answer, error) {
					return []tool.Answer{sure.Cancel()}, nil
				}})
			}
			c := r.Call(ctx, tool.Request{Name: "inner"})
			return strings.Trim(string(c.Output), `"`), c.Err
		}))
		var told []string
		ctx := tool.WithPeer(t.Context(), tool.Peer{
			Caller:   tool.Caller{User: "ada"},
			Progress: func(_, _ float64, text string) { told = append(told, text) },
			Ask:      func(context.Context, []tool.Question) ([]tool.Answer, error) { return nil, tool.ErrAnswersPending },
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
		if c := r.Call(ctx, asks.RequestWithAnswers(act, sure.Accept(nil))); string(c.Output) != `"accept"` {
			t.Errorf("%s: got %s, %v", peers, c.Output, c.Err)
		}
	}
}

// TestExchangeAtOnce checks that parallel tools that ask questions all get their answers, whichever is
// first.
func TestExchangeAtOnce(t *testing.T) {
	r := tool.NewRegistry()
	questions := []tool.Question{tool.AskPerson("A?", nil), tool.AskPerson("B?", nil), tool.AskPerson("C?", nil)}
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
	ctx := tool.WithPeer(t.Context(), tool.Peer{Ask: func(context.Context, []tool.Question) ([]tool.Answer, error) { return nil, tool.ErrAnswersPending }})
	request := act
	for range questions {
		asks, ok := r.Call(ctx, request).Err.(*tool.AskError)
		if !ok {
			t.Fatal("nothing is asked")
		}
		request = asks.RequestWithAnswers(request, asks.Questions[0].Accept(nil))
	}
	if c := r.Call(ctx, request); c.Err != nil {
		t.Error(c.Err)
	}
}

// TestExchangeOver checks that a goroutine that uses the exchange of a completed call has no effect,
// however the call ended, and causes no data race.
func TestExchangeOver(t *testing.T) {
	through := func(next tool.Handler) tool.Handler { return next }
	for _, options := range [][]tool.Option{nil, {tool.Use(through)}} {
		for _, end := range []string{"", "panic", "exit", "unused"} {
			over, told := make(chan struct{}), 0
			var wg sync.WaitGroup
			r := newActingRegistry(func(ctx context.Context, x *tool.Exchange) (string, error) { return "", nil }, options...)
			r.Replace(textTool("act", func(ctx context.Context, _ struct{}) (string, error) {
				if end != "unused" {
					tool.ExchangeFrom(ctx).Attach(content.Text("here"))
				}
				for range 4 {
					wg.Go(func() {
						x := (*tool.Exchange)(nil)
						if end != "unused" {
							x = tool.ExchangeFrom(ctx)
							x.Progress(1, 2, "") // while the call runs, or after it
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
				Ask: func(context.Context, []tool.Question) ([]tool.Answer, error) {
					return []tool.Answer{sure.Accept(nil)}, nil
				},
			})
			calls := make(chan *tool.Call, 1)
			go func() { // the function may end it
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

// TestExchangeTooLong checks that attachments count toward the limit of results, even those of one
// attempt.
func TestExchangeTooLong(t *testing.T) {
	attempts := 0
	r := newActingRegistry(func(_ context.Context, x *tool.Exchange) (string, error) {
		if attempts++; attempts == 1 {
			x.Attach(content.Text("short"), content.Image("image/png", make([]byte, 1000)))
		}
		return "x", nil
	}, tool.MaxOutput(100))
	c := r.Call(t.Context(), act)
	var long *tool.OutputError
	if !errors.As(c.Err, &long) || c.Output != nil || !strings.Contains(tool.ModelText(c.Err), "it is 1014 bytes long, the limit is 100") {
		t.Errorf("got %s, %v", c.Output, c.Err)
	}
	if c := r.Call(t.Context(), act); c.Err != nil {
		t.Error(c.Err)
	}
}

// TestExchangeJSON checks that questions, answers, attachments and replies survive JSON.
func TestExchangeJSON(t *testing.T) {
	r := newActingRegistry(func(ctx context.Context, x *tool.Exchange) (string, error) {
		x.Attach(content.Image("image/png", []byte{0, 255}), content.Link("https://x", "x"))
		_ = x.Reply("trace", []byte(`{"id":7}`))
		if _, err := x.Ask(ctx, sure, where); err != nil {
			return "", fmt.Errorf("cannot go: %w", err)
		}
		return "gone", nil
	})
	request := tool.Request{ID: "1", Name: "act", Approval: "by ada", Answers: []tool.Answer{sure.Accept(nil)}}
	for _, err := range []error{tool.ErrAnswersPending, errors.New("no elicitation")} {
		ctx := tool.WithPeer(t.Context(), tool.Peer{Ask: func(context.Context, []tool.Question) ([]tool.Answer, error) { return nil, err }})
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
		if ok != (err == tool.ErrAnswersPending) {
			t.Errorf("got %v", back.Err)
		}
		if !ok {
			continue
		}
		again := asks.RequestWithAnswers(back.Request, where.Accept([]byte(`{"city":"Rome"}`)))
		if len(again.Answers) != 2 || again.ID != "1" || again.Approval != "by ada" {
			t.Errorf("got %+v", again)
		}
		if c := r.Call(t.Context(), again); string(c.Output) != `"gone"` {
			t.Errorf("got %s, %v", c.Output, c.Err)
		}
	}
}

// TestExchangeOfHooks checks that hooks and function share one exchange, and that CallFrom has answers
// and approval even if a hook changed the arguments.
func TestExchangeOfHooks(t *testing.T) {
	of := tool.NewTypedTool(&tool.Definition{Name: "act"}, wire.Value.Int, func(ctx context.Context, n int) (int, error) {
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
		c := r.Call(t.Context(), tool.Request{Name: "act", Arguments: []byte("1"), Approval: "by ada", Answers: []tool.Answer{sure.Accept(nil)}})
		if got := fmt.Sprint(c.Content); got != "[before function 2 after]" || c.Err != nil {
			t.Errorf("got %s, %v", got, c.Err)
		}
	}
}

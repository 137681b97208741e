package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// acting returns a registry with a tool of no arguments and a text as result.
func acting(f func(context.Context, *tool.Exchange) (string, error), options ...tool.Option) *tool.Registry {
	r := tool.NewRegistry(options...)
	if err := r.Register(actingTool("act", f)); err != nil {
		panic(err)
	}
	return r
}

func actingTool(name string, f func(context.Context, *tool.Exchange) (string, error)) tool.Tool {
	return tool.NewOf(&tool.Definition{Name: name}, wire.NoArguments, func(ctx context.Context, _ struct{}) (string, error) {
		return f(ctx, tool.ExchangeFrom(ctx))
	}, (*wire.Encoder).Str).Tool
}

var sure, where = ask.Person("Sure?", nil), ask.Person("Where to?", json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`))

var act = tool.Request{ID: "1", Name: "act"}

func ExampleExchange() {
	book := func(ctx context.Context, x *tool.Exchange) (string, error) {
		x.Progress(1, 2, "looking for rooms")
		answers, err := x.Ask(ctx, ask.Person("Book it?", nil))
		if err != nil {
			return "", err
		}
		if !answers[0].Accepted() {
			return "not booked", nil
		}
		x.Attach(content.Link("https://example.com/7", "the booking"))
		return "booked for " + x.Caller().User, nil
	}
	ctx := tool.WithPeer(context.Background(), tool.Peer{
		Caller:   tool.Caller{User: "ada"},
		Progress: func(done, total float64, text string) { fmt.Println(text, done, "of", total) },
		Ask: func(_ context.Context, questions []ask.Question) ([]ask.Answer, error) {
			fmt.Println(questions[0])
			return []ask.Answer{questions[0].Accept(nil)}, nil
		},
	})
	call := acting(book).Call(ctx, tool.Request{Name: "act"})
	fmt.Println(string(call.Output), call.Content)
	// Output:
	// looking for rooms 1 of 2
	// Book it?
	// "booked for ada" [link (the booking, https://example.com/7)]
}

// Answers come with another call: who drives asks meanwhile.
func ExampleAskError() {
	r := acting(func(ctx context.Context, x *tool.Exchange) (string, error) {
		answers, err := x.Ask(ctx, ask.Model("Say hello.", 10))
		if err != nil {
			return "", err
		}
		var text string
		return text, answers[0].Into(&text)
	})
	ctx := tool.WithPeer(context.Background(), tool.Peer{Ask: func(context.Context, []ask.Question) ([]ask.Answer, error) { return nil, tool.ErrLater }})
	request := tool.Request{Name: "act"}
	call := r.Call(ctx, request)
	if err, ok := errors.AsType[*tool.AskError](call.Err); ok {
		fmt.Println(err)
		call = r.Call(ctx, err.Again(request, err.Questions[0].Accept(json.RawMessage(`"Hello!"`))))
	}
	fmt.Println(string(call.Output))
	// Output:
	// act: waits for an answer: "Say hello."
	// "Hello!"
}

// TestExchangeOfNobody: where there is no peer, nothing is done, and that is said.
func TestExchangeOfNobody(t *testing.T) {
	r := acting(func(ctx context.Context, x *tool.Exchange) (string, error) {
		if x.Caller() != (tool.Caller{}) || x.Header("Accept") != "" || x.Meta()["tenant"] != "blue" || x.Progress(1, 2, "") || x.Log(int(slog.LevelInfo), "") {
			t.Error("there is somebody")
		}
		x.Meta()["tenant"] = "red"
		x.Attach(content.Text("a"))
		if err := x.Reply("k", json.RawMessage(`{"n":1}`)); err != nil {
			t.Error(err)
		}
		if err := x.Reply("k2", json.RawMessage(`{n:1}`)); err == nil || !strings.HasPrefix(err.Error(), `the value of "k2" is no JSON: expected`) {
			t.Error(err)
		}
		_, err := x.Ask(ctx, sure)
		return "", err
	})
	c := r.Call(t.Context(), tool.Request{Name: "act", Meta: map[string]string{"tenant": "blue"}})
	e, ok := errors.AsType[*tool.AskError](c.Err)
	if !ok || !e.Nobody || e.Err != nil || e.Tool != "act" || !reflect.DeepEqual(e.Questions, []ask.Question{sure}) || e.Given != nil {
		t.Errorf("got %v", c.Err)
	}
	if text := tool.ModelText(c.Err); text != `act failed. act asked: "Sure?". Nobody can answer that here. The same call again will not help; go on without it, or say that the answer is needed.` {
		t.Error(text)
	}
	if len(c.Content) != 1 || string(c.Meta["k"]) != `{"n":1}` || len(c.Meta) != 1 || c.Request.Meta["tenant"] != "blue" {
		t.Errorf("got %v, %s", c.Content, c.Meta)
	}
}

// TestExchangeAsks: a question has its answer at once, later, or none.
func TestExchangeAsks(t *testing.T) {
	both := func(ctx context.Context, x *tool.Exchange) (string, error) {
		answers, err := x.Ask(ctx, sure, where)
		if err != nil {
			return "", fmt.Errorf("cannot go: %w", err)
		}
		return fmt.Sprint(answers[0].Action, string(answers[1].Value)), nil
	}
	rome := where.Accept(json.RawMessage(`{"city":"Rome"}`))
	gives := func(answers []ask.Answer, err error) tool.Peer {
		return tool.Peer{Ask: func(_ context.Context, questions []ask.Question) ([]ask.Answer, error) { return answers, err }}
	}
	for _, test := range []struct {
		name  string
		peer  tool.Peer
		given []ask.Answer
		want  string // of the result
		err   string
		code  string
	}{
		{"at once", gives([]ask.Answer{sure.Decline(), rome}, nil), nil, `"decline{\"city\":\"Rome\"}"`, "", ""},
		{"given", tool.Peer{}, []ask.Answer{rome, sure.Accept(nil)}, `"accept{\"city\":\"Rome\"}"`, "", ""},
		{"one given", gives([]ask.Answer{rome}, nil), []ask.Answer{sure.Accept(nil)}, `"accept{\"city\":\"Rome\"}"`, "", ""},
		{"given one that is none", gives([]ask.Answer{rome}, nil), []ask.Answer{where.Accept(json.RawMessage(`{}`)), sure.Cancel()}, `"cancel{\"city\":\"Rome\"}"`, "", ""},
		{"later", gives(nil, fmt.Errorf("wait: %w", tool.ErrLater)), nil, "", `act: waits for an answer: "Sure?" and "Where to?"`, "needs_answer"},
		{"one later", gives(nil, tool.ErrLater), []ask.Answer{rome}, "", `act: waits for an answer: "Sure?"`, "needs_answer"},
		{"nobody", gives(nil, errors.New("no elicitation")), nil, "", `act: cannot go: act: nobody answers: "Sure?" and "Where to?": no elicitation`, "tool_failed"},
		{"too few", gives([]ask.Answer{rome}, nil), nil, "", `act: cannot go: act: nobody answers: "Sure?" and "Where to?": 1 answers to 2 questions`, "tool_failed"},
		{"in the wrong order", gives([]ask.Answer{rome, sure.Cancel()}, nil), nil, "", `act: cannot go: act: nobody answers: "Sure?" and "Where to?": what came is no answer to question 1: it answers another question`, "tool_failed"},
		{"none that fits", gives([]ask.Answer{sure.Cancel(), where.Accept(json.RawMessage(`{"city":7}`))}, nil), nil, "",
			`act: cannot go: act: nobody answers: "Sure?" and "Where to?": what came is no answer to question 2: /city: expected a string, found the number 7`, "tool_failed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := act
			r.Answers = test.given
			c := acting(both).Call(tool.WithPeer(t.Context(), test.peer), r)
			if string(c.Output) != test.want || tool.Code(c.Err) != test.code || c.Err != nil && c.Err.Error() != test.err {
				t.Errorf("got %s, %v (%s)", c.Output, c.Err, tool.Code(c.Err))
			}
		})
	}
	c := acting(func(ctx context.Context, x *tool.Exchange) (string, error) {
		_, err := x.Ask(ctx, sure, ask.Question{})
		return "", err
	}).Call(t.Context(), act)
	if want := "act: question 2 cannot be asked: it has no text"; c.Err == nil || c.Err.Error() != want {
		t.Errorf("got %v, want %s", c.Err, want)
	}
}

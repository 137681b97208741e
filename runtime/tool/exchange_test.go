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

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// newActingRegistry returns a registry with a tool that takes no arguments and returns a text.
func newActingRegistry(f func(context.Context, *tool.Exchange) (string, error), options ...tool.Option) *tool.Registry {
	r := tool.NewRegistry(options...)
	if err := r.Register(actingTool("act", f)); err != nil {
		panic(err)
	}
	return r
}

func actingTool(name string, f func(context.Context, *tool.Exchange) (string, error)) tool.Tool {
	return tool.NewTypedTool(&tool.Definition{Name: name}, wire.NoArguments, func(ctx context.Context, _ struct{}) (string, error) {
		return f(ctx, tool.ExchangeFrom(ctx))
	}, (*wire.Encoder).Str).Tool
}

var sure, where = tool.AskPerson("Sure?", nil), tool.AskPerson("Where to?", json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`))

var act = tool.Request{ID: "1", Name: "act"}

func ExampleExchange() {
	book := func(ctx context.Context, x *tool.Exchange) (string, error) {
		x.Progress(1, 2, "looking for rooms")
		answers, err := x.Ask(ctx, tool.AskPerson("Book it?", nil))
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
		Ask: func(_ context.Context, questions []tool.Question) ([]tool.Answer, error) {
			fmt.Println(questions[0])
			return []tool.Answer{questions[0].Accept(nil)}, nil
		},
	})
	call := newActingRegistry(book).Call(ctx, tool.Request{Name: "act"})
	fmt.Println(string(call.Output), call.Content)
	// Output:
	// looking for rooms 1 of 2
	// Book it?
	// "booked for ada" [link (the booking, https://example.com/7)]
}

// Answers arrive with another call. The driver asks in the meantime.
func ExampleAskError() {
	r := newActingRegistry(func(ctx context.Context, x *tool.Exchange) (string, error) {
		answers, err := x.Ask(ctx, tool.AskModel("Say hello.", 10))
		if err != nil {
			return "", err
		}
		var text string
		return text, answers[0].Into(&text)
	})
	ctx := tool.WithPeer(context.Background(), tool.Peer{Ask: func(context.Context, []tool.Question) ([]tool.Answer, error) { return nil, tool.ErrAnswersPending }})
	request := tool.Request{Name: "act"}
	call := r.Call(ctx, request)
	if err, ok := errors.AsType[*tool.AskError](call.Err); ok {
		fmt.Println(err)
		call = r.Call(ctx, err.RequestWithAnswers(request, err.Questions[0].Accept(json.RawMessage(`"Hello!"`))))
	}
	fmt.Println(string(call.Output))
	// Output:
	// act: waits for an answer: "Say hello."
	// "Hello!"
}

// TestExchangeOfNobody checks that without a peer nothing is done, and that this is reported.
func TestExchangeOfNobody(t *testing.T) {
	r := newActingRegistry(func(ctx context.Context, x *tool.Exchange) (string, error) {
		if x.Caller() != (tool.Caller{}) || x.Header("Accept") != "" || x.Meta()["tenant"] != "blue" || x.Progress(1, 2, "") || x.Log(int(slog.LevelInfo), "") {
			t.Error("there is somebody")
		}
		x.Meta()["tenant"] = "red"
		x.Attach(content.Text("a"))
		if err := x.Reply("k", json.RawMessage(`{"n":1}`)); err != nil {
			t.Error(err)
		}
		if err := x.Reply("k2", json.RawMessage(`{n:1}`)); err == nil || !strings.HasPrefix(err.Error(), `the value of "k2" is not JSON: expected`) {
			t.Error(err)
		}
		_, err := x.Ask(ctx, sure)
		return "", err
	})
	c := r.Call(t.Context(), tool.Request{Name: "act", Meta: map[string]string{"tenant": "blue"}})
	e, ok := errors.AsType[*tool.AskError](c.Err)
	if !ok || !e.Nobody || e.Err != nil || e.Tool != "act" || !reflect.DeepEqual(e.Questions, []tool.Question{sure}) || e.Given != nil {
		t.Errorf("got %v", c.Err)
	}
	if text := tool.ModelText(c.Err); text != `act failed. act asked: "Sure?". Nobody can answer that here. The same call again will not help; go on without it, or say that the answer is needed.` {
		t.Error(text)
	}
	if len(c.Content) != 1 || string(c.Meta["k"]) != `{"n":1}` || len(c.Meta) != 1 || c.Request.Meta["tenant"] != "blue" {
		t.Errorf("got %v, %s", c.Content, c.Meta)
	}
}

// TestExchangeAsks checks questions that are answered immediately, later, or not at all.
func TestExchangeAsks(t *testing.T) {
	both := func(ctx context.Context, x *tool.Exchange) (string, error) {
		answers, err := x.Ask(ctx, sure, where)
		if err != nil {
			return "", fmt.Errorf("cannot go: %w", err)
		}
		return fmt.Sprint(answers[0].Action, string(answers[1].Value)), nil
	}
	rome := where.Accept(json.RawMessage(`{"city":"Rome"}`))
	gives := func(answers []tool.Answer, err error) tool.Peer {
		return tool.Peer{Ask: func(_ context.Context, questions []tool.Question) ([]tool.Answer, error) { return answers, err }}
	}
	for _, test := range []struct {
		name  string
		peer  tool.Peer
		given []tool.Answer
		want  string // of the result
		err   string
		code  string
	}{
		{"at once", gives([]tool.Answer{sure.Decline(), rome}, nil), nil, `"decline{\"city\":\"Rome\"}"`, "", ""},
		{"given", tool.Peer{}, []tool.Answer{rome, sure.Accept(nil)}, `"accept{\"city\":\"Rome\"}"`, "", ""},
		{"one given", gives([]tool.Answer{rome}, nil), []tool.Answer{sure.Accept(nil)}, `"accept{\"city\":\"Rome\"}"`, "", ""},
		{"given one that is none", gives([]tool.Answer{rome}, nil), []tool.Answer{where.Accept(json.RawMessage(`{}`)), sure.Cancel()}, `"cancel{\"city\":\"Rome\"}"`, "", ""},
		{"later", gives(nil, fmt.Errorf("wait: %w", tool.ErrAnswersPending)), nil, "", `act: waits for an answer: "Sure?" and "Where to?"`, "needs_answer"},
		{"one later", gives(nil, tool.ErrAnswersPending), []tool.Answer{rome}, "", `act: waits for an answer: "Sure?"`, "needs_answer"},
		{"nobody", gives(nil, errors.New("no elicitation")), nil, "", `act: cannot go: act: nobody answers: "Sure?" and "Where to?": no elicitation`, "tool_failed"},
		{"too few", gives([]tool.Answer{rome}, nil), nil, "", `act: cannot go: act: nobody answers: "Sure?" and "Where to?": 1 answers to 2 questions`, "tool_failed"},
		{"in the wrong order", gives([]tool.Answer{rome, sure.Cancel()}, nil), nil, "", `act: cannot go: act: nobody answers: "Sure?" and "Where to?": invalid answer to question 1: it answers another question`, "tool_failed"},
		{"none that fits", gives([]tool.Answer{sure.Cancel(), where.Accept(json.RawMessage(`{"city":7}`))}, nil), nil, "",
			`act: cannot go: act: nobody answers: "Sure?" and "Where to?": invalid answer to question 2: /city: expected a string, found the number 7`, "tool_failed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := act
			r.Answers = test.given
			c := newActingRegistry(both).Call(tool.WithPeer(t.Context(), test.peer), r)
			if string(c.Output) != test.want || tool.Code(c.Err) != test.code || c.Err != nil && c.Err.Error() != test.err {
				t.Errorf("got %s, %v (%s)", c.Output, c.Err, tool.Code(c.Err))
			}
		})
	}
	c := newActingRegistry(func(ctx context.Context, x *tool.Exchange) (string, error) {
		_, err := x.Ask(ctx, sure, tool.Question{})
		return "", err
	}).Call(t.Context(), act)
	if want := "act: question 2 cannot be asked: it has no text"; c.Err == nil || c.Err.Error() != want {
		t.Errorf("got %v, want %s", c.Err, want)
	}
}

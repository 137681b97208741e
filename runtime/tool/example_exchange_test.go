package tool_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// Book books a room.
func Book(ctx context.Context, x *tool.Exchange, room string) (string, error) {
	answers, err := x.Ask(ctx, ask.Person("Book room "+room+"?", nil))
	switch {
	case err != nil:
		return "", err
	case !answers[0].Accepted():
		return "not booked", nil
	}
	x.Progress(1, 2, "booking")
	x.Attach(content.Link("https://example.com/rooms/"+room, "the room"))
	return "booked for " + x.Caller().User, nil
}

// A call asks, and is made again with the answer. What makes the tool is what aiongen
// generates for Book.
func ExampleWithPeer() {
	registry := tool.NewRegistry()
	registry.Replace(tool.NewOf(&tool.Definition{Name: "book"}, func(v wire.Value) (room string) {
		o := v.Object()
		room = o.Str("room")
		o.Done()
		return room
	}, func(ctx context.Context, room string) (string, error) {
		return Book(ctx, tool.ExchangeFrom(ctx), room)
	}, (*wire.Encoder).Str).Tool)

	ctx := tool.WithPeer(context.Background(), tool.Peer{
		Caller:   tool.Caller{User: "ada"},
		Progress: func(done, total float64, text string) { fmt.Println(text, done, "of", total) },
		Ask: func(context.Context, []ask.Question) ([]ask.Answer, error) {
			return nil, tool.ErrLater // or the answers, if they are there at once
		},
	})
	request := tool.Request{ID: "1", Name: "book", Arguments: []byte(`{"room":"7"}`)}
	call := registry.Call(ctx, request)
	if asks, ok := errors.AsType[*tool.AskError](call.Err); ok && !asks.Nobody {
		fmt.Println(asks.Questions[0])
		request = asks.Again(request, asks.Questions[0].Accept(nil))
		call = registry.Call(ctx, request)
	}
	fmt.Println(string(call.Output), call.Content)
	// Output:
	// Book room 7?
	// booking 1 of 2
	// "booked for ada" [link (the room, https://example.com/rooms/7)]
}

// TestPage holds that the code of docs/exchange.md is that of this file, which runs.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/exchange.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_exchange_test.go")
	if err != nil {
		t.Fatal(err)
	}
	flat := func(text string) (lines string) {
		for line := range strings.Lines(text) {
			lines += strings.TrimSpace(line) + "\n"
		}
		return lines
	}
	blocks := strings.Split(string(page), "```go\n")[1:]
	for _, block := range blocks {
		code, _, _ := strings.Cut(block, "```")
		if !strings.Contains(flat(string(source)), flat(code)) {
			t.Errorf("no such code is run:\n%s", code)
		}
	}
	if len(blocks) != 2 {
		t.Errorf("%d blocks of code", len(blocks))
	}
}

package tool_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// Book books a room.
func Book(ctx context.Context, x *tool.Exchange, room string) (string, error) {
	answers, err := x.Ask(ctx, tool.AskPerson("Book room "+room+"?", nil))
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

// A call asks a question, and is repeated with the answer. The code that creates the tool is what
// aiongen generates for Book. docs/howto/own-package.md shows the rest.
func ExampleWithPeer() {
	registry := tool.NewRegistry()
	registry.Replace(tool.NewTypedTool(&tool.Definition{Name: "book"}, func(v wire.Value) (room string) {
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
		Ask: func(context.Context, []tool.Question) ([]tool.Answer, error) {
			return nil, tool.ErrAnswersPending // or the answers, if they are there at once
		},
	})
	request := tool.Request{ID: "1", Name: "book", Arguments: []byte(`{"room":"7"}`)}
	call := registry.Call(ctx, request)
	if asks, ok := errors.AsType[*tool.AskError](call.Err); ok && !asks.Nobody {
		fmt.Println(asks.Questions[0])
		request = asks.RequestWithAnswers(request, asks.Questions[0].Accept(nil))
		call = registry.Call(ctx, request)
	}
	fmt.Println(string(call.Output), call.Content)
	// Output:
	// Book room 7?
	// booking 1 of 2
	// "booked for ada" [link (the room, https://example.com/rooms/7)]
}

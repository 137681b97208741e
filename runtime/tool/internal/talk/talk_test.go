package talk_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/tool/internal/talk"
)

// A tool asks, attaches something in two attempts, of which the second counts, and is
// over.
func Example() {
	var t talk.Talk
	sure := ask.Person("Sure?", nil)
	t.Begin("delete", 1000, func(context.Context, []ask.Question) ([]ask.Answer, error) { return nil, talk.ErrLater }, nil)
	_, err := t.Ask(context.Background(), []ask.Question{sure})
	if none, ok := err.(*talk.Unanswered); ok {
		fmt.Println(none.Tool, none.Questions, none.Nobody)
	}
	t.Begin("delete", 1000, nil, []ask.Answer{sure.Accept(nil)})
	answers, err := t.Ask(context.Background(), []ask.Question{sure})
	fmt.Println(answers[0].Accepted(), err)
	for _, text := range []string{"first", "second"} {
		from := t.Enter(0)
		t.Attach([]content.Part{content.Text(text)})
		_ = t.Leave(0, from, errors.New("failed"))
	}
	fmt.Println(t.End())
	fmt.Println(t.Tell(func() {}))
	// Output:
	// delete [Sure?] false
	// true <nil>
	// [second] map[]
	// false
}

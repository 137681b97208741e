package peer_test

import (
	"context"
	"fmt"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/internal/peer"
	"github.com/aiongen/aiongen/runtime/tool"
)

func Example() {
	p := peer.Of(tool.Request{Name: "pay", Meta: map[string]string{"user": "ada"}})
	fmt.Println(p.Caller.User)
	for _, kind := range []ask.Kind{ask.KindPerson, ask.KindRoots} {
		_, err := p.Ask(context.Background(), []ask.Question{{Kind: kind}})
		fmt.Println(err)
	}
	// Output:
	// ada
	// the answers come with another call
	// a run has no folders
}

package run_test

import (
	"context"
	"fmt"

	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

func ExamplePeerFromMeta() {
	p := run.PeerFromMeta(tool.Request{Name: "pay", Meta: map[string]string{"user": "ada"}})
	fmt.Println(p.Caller.User)
	for _, kind := range []tool.QuestionKind{tool.QuestionPerson, tool.QuestionRoots} {
		_, err := p.Ask(context.Background(), []tool.Question{{Kind: kind}})
		fmt.Println(err)
	}
	// Output:
	// ada
	// the answers come with another call
	// a run has no folders
}

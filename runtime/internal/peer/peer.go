// Package peer says who is at the other end of the calls of a run, wherever they are made.
package peer

import (
	"context"
	"errors"
	"slices"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Of returns who is at the other end of a call: whom the meta of its run names. Nobody
// answers at once what its function asks.
func Of(r tool.Request) tool.Peer {
	return tool.Peer{
		Caller: tool.Caller{User: r.Meta["user"], Session: r.Meta["session"], Client: r.Meta["client"]},
		Ask: func(_ context.Context, questions []ask.Question) ([]ask.Answer, error) {
			if slices.ContainsFunc(questions, func(q ask.Question) bool { return q.Kind == ask.KindRoots }) {
				return nil, errors.New("a run has no folders")
			}
			return nil, tool.ErrLater
		},
	}
}

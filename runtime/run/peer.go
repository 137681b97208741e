package run

import (
	"context"
	"errors"
	"slices"

	"github.com/aiongen/aiongen/runtime/tool"
)

// PeerFromMeta returns the peer of a call of a run. The Meta of the request names its user, session
// and client. Its Ask returns [tool.ErrAnswersPending]: the run gets the answers and makes the call
// again.
func PeerFromMeta(r tool.Request) tool.Peer {
	return tool.Peer{
		Caller: tool.Caller{User: r.Meta["user"], Session: r.Meta["session"], Client: r.Meta["client"]},
		Ask: func(_ context.Context, questions []tool.Question) ([]tool.Answer, error) {
			if slices.ContainsFunc(questions, func(q tool.Question) bool { return q.Kind == tool.QuestionRoots }) {
				return nil, errors.New("a run has no folders")
			}
			return nil, tool.ErrAnswersPending
		},
	}
}

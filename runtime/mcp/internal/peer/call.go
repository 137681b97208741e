// Package peer connects a running call with the client that made the request. It tells tools
// who the caller is, sends progress and log messages to the client, and asks questions of the
// person or the model at the client. Run a call with [RunCall], or a function that writes a
// prompt or a resource with [RunWriter].
package peer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool"
)

// questionTimeout limits how long a question may stay unanswered.
const questionTimeout = time.Hour

// Input is sent to a client instead of a result. The client answers the questions in Requests, and
// then repeats its own request with the answers and State.
type Input struct {
	Requests sdk.InputRequestMap
	State    string
}

// RunCall runs the call that match returns, and asks the client the questions of the call. In
// protocol versions with sessions, it asks during the request. In later versions it returns an Input
// with the questions; the client's next request contains the answers and continues the call. If the
// client does not support questions, the returned call has an error. An error of RunCall itself is a
// protocol error.
func RunCall(ctx context.Context, r *Request, key Key, match func(tool.Request) (*tool.Call, error)) (*tool.Call, *Input, error) {
	state, err := r.openState(key)
	if err != nil {
		return nil, nil, err
	}
	p := newRequestPeer(ctx, r, state.Asked)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(p.session.Left, cancel)()
	ctx = tool.WithPeer(RequestContext(ctx, r.Headers), p.toolPeer())
	attempt := tool.Request{Meta: TextMeta(r.Meta), Answers: state.Answers, Approval: state.Approval}
	for {
		c, err := match(attempt)
		if err != nil {
			return nil, nil, err
		}
		var running sync.WaitGroup
		running.Go(func() { c.Invoke(ctx) }) // in its own goroutine, which the function may end with runtime.Goexit
		running.Wait()
		pending, err := p.findQuestions(ctx, c, &attempt)
		switch {
		case err != nil:
			return nil, nil, err
		case pending == nil:
			return c, nil, nil
		case len(pending.questions) > 0:
			input, err := pending.newInput(r, key, attempt.Approval)
			return nil, input, err
		}
	}
}

// pendingQuestions holds the unanswered questions of a call. If there are none, the call can be
// attempted again without another request of the client.
type pendingQuestions struct {
	questions []tool.Question
	answered  []tool.Answer // the answers to earlier questions
}

// findQuestions returns the questions that an attempt at a call has raised, or nil if the call
// is complete. If a gate requires approval, it asks for it. If the person approves during the
// request, findQuestions stores the approval in next, the request of the next attempt.
func (p *requestPeer) findQuestions(ctx context.Context, c *tool.Call, next *tool.Request) (*pendingQuestions, error) {
	var askErr *tool.AskError
	switch {
	case errors.As(c.Err, &askErr) && !askErr.Nobody:
		return &pendingQuestions{askErr.Questions, askErr.Given}, p.invalidAnswer()
	case errors.As(c.Err, &askErr):
		return nil, p.capabilityError(askErr.Err)
	case tool.Code(c.Err) != "needs_approval" || next.Approval != "": // with an approval, the error is that of a nested call
		return nil, nil
	}
	arguments := escapeInvisible(canonicalJSON(c.Arguments)) // the repaired arguments, which the function would receive
	if len(arguments) > maxApprovalBytes {                   // a person cannot approve arguments that are not shown in full
		return nil, nil
	}
	q := tool.AskPerson(fmt.Sprintf("May %s run with %s?", c.Request.Name, arguments), nil)
	answers, err := p.askClient(ctx, []tool.Question{q})
	switch {
	case errors.Is(err, tool.ErrAnswersPending):
		return &pendingQuestions{[]tool.Question{q}, next.Answers}, p.invalidAnswer()
	case err != nil: // the client cannot be asked, so the call keeps its error
		return nil, nil
	case !answers[0].Accepted():
		c.Err = &tool.DeniedError{Tool: c.Request.Name}
		return nil, nil
	}
	next.Approval = cmp.Or(p.request.Caller.User, p.request.Caller.Client, "a person")
	return new(pendingQuestions), nil
}

// maxApprovalBytes limits the arguments that a person is asked to approve, in bytes.
const maxApprovalBytes = 32 << 10

// escapeInvisible escapes all invisible characters in JSON. Otherwise, characters that have no width
// or change the text direction could make a person approve arguments that look different.
func escapeInvisible(text json.RawMessage) string {
	var b strings.Builder
	for _, r := range string(text) {
		switch {
		case words.Visible(string(r), "") == string(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// newInput returns the questions and the signed state for the client.
func (p *pendingQuestions) newInput(r *Request, key Key, approval string) (*Input, error) {
	input := &Input{Requests: sdk.InputRequestMap{}}
	state := State{CallDigest: r.callDigest(), Answers: p.answered, Approval: approval, Asked: map[string]string{}, Expires: time.Now().Add(questionTimeout)}
	for _, q := range p.questions {
		name := questionName(q)
		if state.Asked[name] != "" && state.Asked[name] != questionDigest(q) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("%s asks two different questions with the name %s", r.Name, name)}
		}
		input.Requests[name], state.Asked[name] = encodeQuestion(q), questionDigest(q)
	}
	var err error
	if input.State, err = key.Seal(state); err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	return input, nil
}

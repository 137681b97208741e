package peer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/tool"
)

// requestPeer is the client during one request.
type requestPeer struct {
	ctx     context.Context // the SDK's context of the request
	session Session
	request *Request
	asked   map[string]string // digests of the questions that the client was asked before this request, by name; nil for the first request of a call

	mu          sync.Mutex
	usedNames   map[string]bool // names of the answers that have been used
	answerError error           // set if an answer is invalid
}

func newRequestPeer(ctx context.Context, r *Request, asked map[string]string) *requestPeer {
	return &requestPeer{ctx: ctx, session: sessionFrom(RequestContext(ctx, r.Headers)), request: r, asked: asked, usedNames: map[string]bool{}}
}

// toolPeer returns the client as a [tool.Peer], through which functions use it.
func (p *requestPeer) toolPeer() tool.Peer {
	r := p.request
	return tool.Peer{Caller: r.Caller, Header: r.Headers.Get, Progress: r.newProgressFunc(p.ctx), Log: r.newLogFunc(p.ctx), Ask: p.askClient}
}

// WithCaller returns a context with the caller of a request that is not a call. Functions that run
// with it cannot ask or notify the client.
func WithCaller(ctx context.Context, r *Request) context.Context {
	return tool.WithPeer(RequestContext(ctx, r.Headers), tool.Peer{Caller: r.Caller, Header: r.Headers.Get})
}

var errSessionEnded = errors.New("the session has ended")

// askClient asks the client all questions concurrently. In the protocol version without sessions, it
// takes the answers from the request instead. If some are missing, it returns
// [tool.ErrAnswersPending], and the result of the request will contain the questions.
func (p *requestPeer) askClient(ctx context.Context, questions []tool.Question) ([]tool.Answer, error) {
	for _, q := range questions {
		if err := p.request.checkCapability(q); err != nil {
			return nil, err
		}
	}
	if p.request.Version >= statelessVersion {
		return p.takeAnswers(questions)
	}
	ctx, cancel := context.WithTimeout(ctx, questionTimeout)
	defer cancel()
	if p.session.Ended.Err() != nil {
		return nil, errSessionEnded
	}
	requestCtx, session, err := p.request.Reach(p.ctx)
	if err != nil {
		return nil, err
	}
	askCtx, cancelAsk := context.WithCancel(requestCtx)
	defer cancelAsk()
	defer context.AfterFunc(ctx, cancelAsk)()
	defer context.AfterFunc(p.session.Ended, cancelAsk)()
	answers, errs := make([]tool.Answer, len(questions)), make([]error, len(questions))
	var wg sync.WaitGroup
	for i, q := range questions {
		wg.Go(func() { answers[i], errs[i] = askInSession(askCtx, session, q) })
	}
	wg.Wait()
	if p.session.Ended.Err() != nil {
		return nil, errSessionEnded
	}
	return answers, errors.Join(errs...)
}

// takeAnswers returns the answers in the request. Each answer can be taken only once. In the first
// request of a call, it accepts answers only to questions with an explicit name. The question whether
// a call may run has no name, so a client cannot approve the call before the question has been asked.
func (p *requestPeer) takeAnswers(questions []tool.Question) ([]tool.Answer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	answers := make([]tool.Answer, len(questions))
	for i, q := range questions {
		name := questionName(q)
		response, ok := p.request.Responses[name]
		wasAsked := p.asked[name] == questionDigest(q) || p.asked == nil && q.Name != ""
		if !ok || p.usedNames[name] || !wasAsked {
			return nil, tool.ErrAnswersPending
		}
		a, err := decodeAnswer(q, response)
		if err != nil {
			p.answerError = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("invalid answer to %s: %v", name, err)}
			return nil, tool.ErrAnswersPending
		}
		answers[i] = a
	}
	for _, q := range questions {
		p.usedNames[questionName(q)] = true
	}
	return answers, nil
}

// invalidAnswer returns the protocol error for an invalid answer of the client, or nil.
func (p *requestPeer) invalidAnswer() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.answerError
}

// missingCapability is the error for a question that the client does not support, and the capabilities
// that the client would have to declare.
type missingCapability struct {
	what     string
	required *sdk.ClientCapabilities
}

func (e *missingCapability) Error() string { return "the client has no " + e.what }

// capabilityError returns the protocol error if err is a missingCapability. In protocol versions that
// do not define such an error, it returns nil.
func (p *requestPeer) capabilityError(err error) error {
	var missing *missingCapability
	if p.request.Version < statelessVersion || !errors.As(err, &missing) {
		return nil
	}
	data, err := json.Marshal(sdk.MissingRequiredClientCapabilityData{RequiredCapabilities: missing.required})
	if err != nil {
		panic(err) // cannot fail for booleans
	}
	return &jsonrpc.Error{Code: sdk.CodeMissingRequiredClientCapabilities, Message: missing.Error() + ", which " + p.request.Name + " needs", Data: data}
}

package peer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/mcp/internal/origin"
	"github.com/aiongen/aiongen/runtime/tool"
)

// party is who is asked and told during a request.
type party struct {
	ctx     context.Context // of the request, as the SDK knows it
	session context.Context // done when the session ends, if there is one
	request *Request
	asked   map[string]string // digests of the questions that the answers of the request are to, by their names; nil if it began the call

	mu    sync.Mutex
	used  map[string]bool // names of answers that were taken
	wrong error           // an answer that is none
}

func newParty(ctx context.Context, r *Request, asked map[string]string) *party {
	return &party{ctx: ctx, session: origin.Session(origin.Context(ctx, r.Headers)), request: r, asked: asked, used: map[string]bool{}}
}

// peer returns what tools can do with it.
func (p *party) peer() tool.Peer {
	r := p.request
	return tool.Peer{Caller: r.Caller, Header: r.Headers.Get, Progress: r.progress(p.ctx), Log: r.log(p.ctx), Ask: p.ask}
}

// Context returns a context for what a request is for that is no call: it says who asks.
func Context(ctx context.Context, r *Request) context.Context {
	return tool.WithPeer(origin.Context(ctx, r.Headers), tool.Peer{Caller: r.Caller, Header: r.Headers.Get})
}

// ask asks the client, all at once; in the protocol without sessions, by the result of
// the request, unless the answers came with it.
func (p *party) ask(ctx context.Context, questions []ask.Question) ([]ask.Answer, error) {
	for _, q := range questions {
		if err := p.request.can(q); err != nil {
			return nil, err
		}
	}
	if p.request.Version >= withoutSessions {
		return p.taken(questions)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	asking, end := context.WithCancel(p.ctx)
	defer end()
	defer context.AfterFunc(ctx, end)()
	defer context.AfterFunc(p.session, end)()
	answers, failed := make([]ask.Answer, len(questions)), make([]error, len(questions))
	var all sync.WaitGroup
	for i, q := range questions {
		all.Go(func() { answers[i], failed[i] = p.request.ask(asking, q) })
	}
	all.Wait()
	if p.session.Err() != nil {
		return nil, errors.New("the session has ended")
	}
	return answers, errors.Join(failed...)
}

// taken returns the answers that came with the request, each for one question. Before
// anything was asked, only questions with a name of their own have any: nobody approves
// what was not shown.
func (p *party) taken(questions []ask.Question) ([]ask.Answer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	answers := make([]ask.Answer, len(questions))
	for i, q := range questions {
		name := nameOf(q)
		response, ok := p.request.Responses[name]
		asked := p.asked[name] == digest(q) || p.asked == nil && q.Name != ""
		if !ok || p.used[name] || !asked {
			return nil, tool.ErrLater
		}
		a, err := answer(q, response)
		if err != nil {
			p.wrong = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("the answer to %s is none: %v", name, err)}
			return nil, tool.ErrLater
		}
		answers[i] = a
	}
	for _, q := range questions {
		p.used[nameOf(q)] = true
	}
	return answers, nil
}

// fault returns the error of the protocol for an answer that is none, if there was one.
func (p *party) fault() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.wrong
}

// lacking says what a client cannot be asked.
type lacking struct {
	what string
	need *sdk.ClientCapabilities
}

func (l *lacking) Error() string { return "the client has no " + l.what }

// cannot returns the error of the protocol for a question that a client cannot be asked,
// where it has one.
func (p *party) cannot(why error) error {
	var l *lacking
	if p.request.Version < withoutSessions || !errors.As(why, &l) {
		return nil
	}
	data, err := json.Marshal(sdk.MissingRequiredClientCapabilityData{RequiredCapabilities: l.need})
	if err != nil {
		panic(err) // it is made of booleans
	}
	return &jsonrpc.Error{Code: sdk.CodeMissingRequiredClientCapabilities, Message: l.Error() + ", which " + p.request.Name + " needs", Data: data}
}

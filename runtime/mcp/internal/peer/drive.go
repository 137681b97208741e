// Package peer is who is at the other end of a request: it says so to tools, tells the
// client how far they are, and asks the person there, its model or for its roots.
//
// Its layers, from top to bottom:
//
//	writing      what a function writes, as a call
//	drive        a call, from one of its requests to the next
//	party        who is asked and told during a request
//	words, tell  questions and answers as the protocol has them; progress, and logs
//	request      what a request says
package peer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/mcp/internal/origin"
	"github.com/aiongen/aiongen/runtime/mcp/internal/sealed"
	"github.com/aiongen/aiongen/runtime/tool"
)

// patience is how long a question may stay open.
const patience = time.Hour

// Input is what a client is to be asked, and what it is to send back with the answers.
type Input struct {
	Requests sdk.InputRequestMap
	State    string
}

// Drive runs the call that a request is for, as match finds it, and what it asks is
// asked, if the client can: within the request, or by input that comes with the next
// request. Otherwise the call is returned, which has an error then. An error of Drive is
// one of the protocol.
func Drive(ctx context.Context, r *Request, key sealed.Key, match func(tool.Request) (*tool.Call, error)) (*tool.Call, *Input, error) {
	state, err := r.open(key)
	if err != nil {
		return nil, nil, err
	}
	p := newParty(ctx, r, state.Asked)
	ctx = tool.WithPeer(origin.Context(ctx, r.Headers), p.peer())
	again := tool.Request{Meta: r.texts(), Answers: state.Answers, Approval: state.Approval}
	for {
		c, err := match(again)
		if err != nil {
			return nil, nil, err
		}
		var running sync.WaitGroup
		running.Go(func() { c.Invoke(ctx) }) // so that a function which ends its goroutine does not end the request's
		running.Wait()
		open, err := p.questions(ctx, c, &again)
		switch {
		case err != nil:
			return nil, nil, err
		case open == nil:
			return c, nil, nil
		case len(open.questions) > 0:
			in, err := open.input(r, key, again.Approval)
			return nil, in, err
		}
	}
}

// open is what is open after an attempt at a call: questions, or nothing but another
// attempt.
type open struct {
	questions []ask.Question
	given     []ask.Answer // to others
}

// questions returns what an attempt at a call asks; nil if it is over. An approval that
// was given at once is in the request of the next attempt then.
func (p *party) questions(ctx context.Context, c *tool.Call, again *tool.Request) (*open, error) {
	var asks *tool.AskError
	switch {
	case errors.As(c.Err, &asks) && !asks.Nobody:
		return &open{asks.Questions, asks.Given}, p.fault()
	case errors.As(c.Err, &asks):
		return nil, p.cannot(asks.Err)
	case tool.Code(c.Err) != "needs_approval" || again.Approval != "": // what a function within needs is not approved by this
		return nil, nil
	}
	arguments := visible(sealed.Canonical(c.Request.Arguments))
	if len(arguments) > longest { // nobody approves what is not shown
		return nil, nil
	}
	q := ask.Person(fmt.Sprintf("May %s run with %s?", c.Request.Name, arguments), nil)
	answers, err := p.ask(ctx, []ask.Question{q})
	switch {
	case errors.Is(err, tool.ErrLater):
		return &open{[]ask.Question{q}, again.Answers}, p.fault()
	case err != nil: // there is nobody to ask
		return nil, nil
	case !answers[0].Accepted():
		c.Err = &tool.DeniedError{Tool: c.Request.Name}
		return nil, nil
	}
	again.Approval = cmp.Or(p.request.Caller.User, p.request.Caller.Client, "a person")
	return new(open), nil
}

// longest bounds the arguments that a person is asked to approve, in bytes.
const longest = 32 << 10

// visible returns JSON in which all can be seen: what turns the direction of a line, or
// has no width, would let a person approve other arguments than those that are read.
func visible(text json.RawMessage) string {
	var b strings.Builder
	for _, r := range string(text) {
		switch {
		case strconv.IsPrint(r):
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

// input returns what the client is to be asked.
func (o *open) input(r *Request, key sealed.Key, approval string) (*Input, error) {
	in := &Input{Requests: sdk.InputRequestMap{}}
	state := sealed.State{Of: r.digest(), Answers: o.given, Approval: approval, Asked: map[string]string{}, Until: time.Now().Add(patience)}
	for _, q := range o.questions {
		name := nameOf(q)
		if state.Asked[name] != "" && state.Asked[name] != digest(q) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("%s asks two questions by the name of %s", r.Name, name)}
		}
		in.Requests[name], state.Asked[name] = inWords(q), digest(q)
	}
	var err error
	if in.State, err = key.Seal(state); err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	return in, nil
}

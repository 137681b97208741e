package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/internal/result"
	"github.com/aiongen/aiongen/runtime/tool/internal/said"
)

// Peer is who is at the other end of a call, as far as the way in knows: an MCP client, a
// person at a terminal, a run. What is nil cannot be done there. Its functions must be
// safe for concurrent use.
type Peer struct {
	Caller   Caller
	Header   func(name string) string // of the request that the call came with
	Progress func(done, total float64, text string)
	Log      func(level int, text string) // the level as in package log/slog

	// Ask returns an answer to each of the questions, in their order, or [Later] if the
	// call is to be made again with the answers; with any other error, nobody answers.
	// It should hold answers to [ask.Question.Check], and tell who gave one that is none.
	Ask func(ctx context.Context, questions []ask.Question) ([]ask.Answer, error)
}

// Caller is who asks for a call, as that very request says. What is not known is "".
type Caller struct {
	User    string // who it is, if that was verified
	Session string // that the request is of
	Client  string // the program, as in "inspector 1.0"
}

// Later is what [Peer].Ask returns where answers come with another call; see [AskError].
var Later = errors.New("the answers come with another call")

// WithPeer returns a context for calls that come from a peer. It is for ways in; a
// function sees of it what is in its [Exchange].
func WithPeer(ctx context.Context, p Peer) context.Context {
	return context.WithValue(ctx, peerKey{}, &p)
}

type peerKey struct{}

// Exchange is what a function knows of its call beyond the arguments, and can say beside
// the result. It is safe for concurrent use; after its call it does nothing.
type Exchange struct {
	peer  *Peer
	outer *Exchange // of the function that makes the call, whose questions are its own
	name  string    // of the tool
	came  Request   // of which it has Meta, Approval and Answers

	lock sync.RWMutex // held for reading while the peer is told something
	over bool
	said said.Record
}

// ExchangeFrom returns the exchange of the call that a function, a hook or middleware
// runs in. It is never nil: outside of calls, it has what [WithPeer] gave the context.
func ExchangeFrom(ctx context.Context) *Exchange {
	switch c := ctx.Value(callKey{}).(type) {
	case *callContext:
		return c.exchange()
	case *handedContext:
		return c.exchange()
	case *outsideContext:
		return ExchangeFrom(c.Context)
	}
	return newExchange(ctx, Request{}, 0)
}

// overExchange is that of calls which are over.
var overExchange = &Exchange{peer: new(Peer), over: true}

// exchangeAt returns the exchange that is at a place, or makes one there.
func exchangeAt(place *atomic.Pointer[Exchange], make func() *Exchange) *Exchange {
	if place.Load() == nil {
		place.CompareAndSwap(nil, make())
	}
	return place.Load()
}

// newExchange returns the exchange of a call that was made in ctx, with a limit of what
// it says, in bytes.
func newExchange(ctx context.Context, r Request, limit int) *Exchange {
	x := &Exchange{peer: new(Peer), name: r.Name, came: r, said: said.Record{Answers: r.Answers, Limit: limit}}
	switch of := ctx.Value(peerKey{}).(type) {
	case *Peer:
		x.peer = of
	case interface{ exchange() *Exchange }:
		x.outer = of.exchange()
		x.peer = x.outer.peer
	}
	return x
}

// Caller returns who asks for the call.
func (x *Exchange) Caller() Caller { return x.peer.Caller }

// Header returns a header of the request that the call came with, such as Accept-Language;
// "" if there is none.
func (x *Exchange) Header(name string) string {
	if x.peer.Header == nil {
		return ""
	}
	return x.peer.Header(name)
}

// Meta returns a copy of [Request.Meta].
func (x *Exchange) Meta() map[string]string { return maps.Clone(x.came.Meta) }

// Progress tells how much is done, and of how much in all, or 0 if that is not known. It
// returns false if nobody is told.
func (x *Exchange) Progress(done, total float64, text string) bool {
	return x.tell(func(p *Peer) bool {
		if p.Progress != nil {
			p.Progress(done, total, text)
		}
		return p.Progress != nil
	})
}

// Log tells something for a log of who called, with a level as in package log/slog, whose
// own type would have every program link a logger: -4 is to debug, 0 informs, 4 warns, 8
// is an error. It returns false if nobody is told.
func (x *Exchange) Log(level int, text string) bool {
	return x.tell(func(p *Peer) bool {
		if p.Log != nil {
			p.Log(level, text)
		}
		return p.Log != nil
	})
}

// tell tells the peer something, unless the call is over, or that of whose function it
// is a part.
func (x *Exchange) tell(something func(*Peer) bool) bool {
	x.lock.RLock()
	defer x.lock.RUnlock()
	switch {
	case x.over:
		return false
	case x.outer != nil:
		return x.outer.tell(something)
	}
	return something(x.peer)
}

// Ask asks questions, all at once, and returns an answer to each, maybe that somebody
// declined. If there are none now, the error is an [*AskError]. A function that gets one
// returns it, so that the call is made again with the answers, when all that stands
// before Ask runs again: ask first, and act then. If there is nobody to answer, it may
// go on without.
func (x *Exchange) Ask(ctx context.Context, questions ...ask.Question) ([]ask.Answer, error) {
	for i, q := range questions {
		if err := q.Validate(); err != nil {
			return nil, fmt.Errorf("question %d cannot be asked: %w", i+1, err)
		}
	}
	x.lock.Lock()
	answers, missing := x.said.Known(questions)
	x.lock.Unlock()
	given, err := x.ask(ctx, missing)
	if err != nil {
		return nil, err
	}
	err = x.nobody(questions, errOver)
	x.say(func() { answers, err = x.said.Asked(answers, given), nil })
	return answers, err
}

var errOver = errors.New("the call is over")

// ask asks what has no answer yet.
func (x *Exchange) ask(ctx context.Context, missing []ask.Question) ([]ask.Answer, error) {
	switch {
	case len(missing) == 0:
		return nil, nil
	case x.isOver():
		return nil, x.nobody(missing, errOver)
	case x.outer != nil:
		return x.outer.Ask(ctx, missing...)
	case x.peer.Ask == nil:
		return nil, x.nobody(missing, nil)
	}
	given, err := x.peer.Ask(ctx, slices.Clone(missing))
	if errors.Is(err, Later) {
		return nil, &AskError{Tool: x.name, Questions: missing, Given: x.answers()}
	}
	if err == nil && len(given) != len(missing) {
		err = fmt.Errorf("%d answers to %d questions", len(given), len(missing))
	}
	for i := 0; err == nil && i < len(given); i++ {
		if err = missing[i].Check(given[i]); err != nil {
			err = fmt.Errorf("what came is no answer to question %d: %w", i+1, err)
		}
	}
	if err != nil {
		return nil, x.nobody(missing, err)
	}
	return given, nil
}

func (x *Exchange) nobody(missing []ask.Question, why error) *AskError {
	return &AskError{Tool: x.name, Questions: missing, Given: x.answers(), Nobody: true, Err: why}
}

// AskError says that a function asks something that it has no answer to yet; or, if
// there is nobody to answer, that it will have none. Whoever drives asks, and makes the
// call again as [AskError.Again] says.
type AskError struct {
	Tool      string
	Questions []ask.Question // which have no answer
	Given     []ask.Answer   // that the call has, to other questions
	Nobody    bool           // nobody answers here
	Err       error          // why nobody does, if somebody might have; else nil
}

func (e *AskError) Error() string { return textOf(e) }

func (e *AskError) Unwrap() error { return e.Err }

// Again returns the request of the call that ended with this error, for it to be made
// again, with answers to its questions.
func (e *AskError) Again(r Request, answers ...ask.Answer) Request {
	r.Answers = slices.Concat(e.Given, answers)
	return r
}

// Attach adds parts to [Call.Content], beside the result. All that is attached and
// replied counts as a result does; see [MaxOutput].
func (x *Exchange) Attach(parts ...content.Part) {
	x.say(func() { x.said.Attach(parts...) })
}

// Reply adds a value to [Call.Meta], in the place of one under the same key. It is an
// error if the value is no JSON.
func (x *Exchange) Reply(key string, value json.RawMessage) error {
	if _, err := result.Check(value, len(value)); err != nil {
		return fmt.Errorf("the value of %q is no JSON: %w", key, err)
	}
	x.say(func() { x.said.Reply(key, value) })
	return nil
}

// say keeps something, unless the call is over.
func (x *Exchange) say(something func()) {
	x.lock.Lock()
	defer x.lock.Unlock()
	if !x.over {
		something()
	}
}

func (x *Exchange) isOver() bool {
	x.lock.RLock()
	defer x.lock.RUnlock()
	return x.over
}

// answers returns those that there are.
func (x *Exchange) answers() []ask.Answer {
	x.lock.RLock()
	defer x.lock.RUnlock()
	return slices.Clone(x.said.Answers)
}

// enter and leave are around what may be done again: each middleware, and within all of
// them an attempt at the call. What was said in it before does not count then.

// exchanges says where the exchange of an attempt is.
func (c *Call) exchanges(in *callContext) *Call {
	if c.exchange == nil {
		c.exchange = &in.own
	}
	in.shared = c.exchange
	if c.Request.Approval != "" || len(c.Request.Answers) > 0 {
		in.exchangeOf(c.Request)
	}
	return c
}

func (c *Call) enter(layer int) (from said.Place) {
	if x := c.exchange.Load(); x != nil {
		x.say(func() { from = x.said.Enter(layer) })
	}
	return from
}

// leave returns the error of a layer: err, or that too much was attached in it.
func (c *Call) leave(layer int, from said.Place, err error) error {
	x := c.exchange.Load()
	if x == nil {
		return err
	}
	x.say(func() {
		if err == nil && x.said.Long > 0 {
			err = &OutputError{Tool: x.name, Err: &result.LongError{Length: x.said.Long, Limit: x.said.Limit}}
		}
		x.said.Leave(layer, from, err != nil)
	})
	return err
}

// finish ends the exchange of a call, if it has come so far, and keeps what was said.
func (c *Call) finish() {
	if c.exchange == nil {
		return
	}
	if !c.exchange.CompareAndSwap(nil, overExchange) {
		x := c.exchange.Load()
		x.say(func() {
			x.over, c.Content, c.Meta = true, x.said.Parts(), x.said.Replies()
		})
	}
	c.exchange = nil
}

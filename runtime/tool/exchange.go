package tool

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/tool/internal/talk"
)

// Peer is who is at the other end of a call, as far as the way in knows: an MCP client, a
// person at a terminal, a run. What is nil cannot be done there. Its functions must be
// safe for concurrent use.
type Peer struct {
	Caller   Caller
	Header   func(name string) string // of the request that the call came with
	Progress func(done, total float64, text string)
	Log      func(level int, text string) // the level as in package log/slog
	// Ask returns an answer to each of the questions, in their order, or [ErrLater] if the
	// call is to be made again with the answers; with any other error, nobody answers.
	// It should hold answers to [ask.Question.Check], and tell who gave one that is none.
	Ask func(ctx context.Context, questions []ask.Question) ([]ask.Answer, error)
}

// Caller is who asks for a call, as that very request says, "" where unknown.
type Caller struct {
	User    string // who it is, if that was verified
	Session string // that the request is of
	Client  string // the program, as in "inspector 1.0"
}

// ErrLater is what Ask of a [Peer] returns where answers come with another call.
var ErrLater = talk.ErrLater

// WithPeer returns a context for calls that come from a peer; see [Exchange].
func WithPeer(ctx context.Context, p Peer) context.Context {
	return context.WithValue(ctx, peerKey{}, &p)
}

type peerKey struct{}

// Exchange is what a function knows of its call beyond arguments, and says beside the
// result. It is safe for concurrent use, and does nothing after the call.
type Exchange struct {
	peer *Peer
	came Request // of which it has Meta, Approval and Answers
	talk talk.Talk
}

// Caller returns who asks for the call.
func (x *Exchange) Caller() Caller { return x.peer.Caller }

// Header returns a header of the request that came, "" if there is none.
func (x *Exchange) Header(name string) string {
	if x.peer.Header == nil {
		return ""
	}
	return x.peer.Header(name)
}

// Meta returns a copy of [Request.Meta].
func (x *Exchange) Meta() map[string]string { return maps.Clone(x.came.Meta) }

// Progress tells how much is done, and of how much, 0 if that is not known. It returns
// false if nobody is told.
func (x *Exchange) Progress(done, total float64, text string) bool {
	tell := x.peer.Progress
	return tell != nil && x.talk.Tell(func() { tell(done, total, text) })
}

// Log tells something for a log of who called, at a level of package log/slog, whose type
// every program would link. It returns false if nobody is told.
func (x *Exchange) Log(level int, text string) bool {
	tell := x.peer.Log
	return tell != nil && x.talk.Tell(func() { tell(level, text) })
}

// Ask asks questions, all at once, and returns an answer to each, maybe no. Where there are
// none now, a function returns the error, an [*AskError], and is called again when there
// are, so: ask first, then act. If nobody answers, it may go on without.
func (x *Exchange) Ask(ctx context.Context, questions ...ask.Question) ([]ask.Answer, error) {
	answers, err := x.talk.Ask(ctx, questions)
	if none, ok := err.(*talk.Unanswered); ok {
		return nil, (*AskError)(none)
	}
	return answers, err
}

// AskError says that there are no answers to what a function asks: none yet, or none at
// all. Whoever drives asks, and makes the call again as [AskError.Again] says.
type AskError struct {
	Tool      string
	Questions []ask.Question // which have no answer
	Given     []ask.Answer   // that the call has, to other questions
	Nobody    bool           // nobody answers here
	Err       error          // why nobody does, if somebody might have; else nil
}

func (e *AskError) Error() string { return textOf(e) }
func (e *AskError) Unwrap() error { return e.Err }

// Again returns the request of a call that ended so with these answers, too.
func (e *AskError) Again(r Request, answers ...ask.Answer) Request {
	r.Answers = slices.Concat(e.Given, answers)
	return r
}

// Attach adds parts to [Call.Content], beside the result. All that is attached and
// replied counts as a result does; see [MaxOutput].
func (x *Exchange) Attach(parts ...content.Part) { x.talk.Attach(parts) }

// Reply sets a value in [Call.Meta]. It is an error if that is no JSON.
func (x *Exchange) Reply(key string, value json.RawMessage) error { return x.talk.Reply(key, value) }

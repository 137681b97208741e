package tool

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/aiongen/aiongen/runtime/content"
)

// Peer represents the caller of a tool, such as an MCP client, a person at a terminal or a run. A nil function
// means that the peer does not support the feature. The functions must be safe for concurrent use.
type Peer struct {
	Caller   Caller
	Header   func(name string) string // returns a header of the HTTP request with the call
	Progress func(done, total float64, text string)
	Log      func(level int, text string) // level as in package log/slog
	// Ask returns an answer to each of the questions, in their order, or [ErrAnswersPending] if the call will
	// be repeated with the answers. Any other error means that nobody answers. Ask should check answers with
	// [Question.Check], and report an invalid answer to the person or program that gave it.
	Ask func(ctx context.Context, questions []Question) ([]Answer, error)
}

// Caller identifies the user and the program that request a call. Unknown fields are empty.
type Caller struct {
	User    string // verified identity
	Session string // session of the request
	Client  string // client program, as in "inspector 1.0"
}

// WithPeer returns a context for calls that p requests. Functions reach the peer through their [Exchange].
func WithPeer(ctx context.Context, p Peer) context.Context {
	return context.WithValue(ctx, peerKey{}, &p)
}

type peerKey struct{}

// Exchange gives a function access to its caller, and lets it return more than its result. It is safe for
// concurrent use. After the call, its methods have no effect.
type Exchange struct {
	peer    *Peer
	request Request // for its Meta, Approval and Answers
	state   exchangeState
}

// Caller returns the caller.
func (x *Exchange) Caller() Caller { return x.peer.Caller }

// Header returns a header of the HTTP request with the call, or "" if there is none.
func (x *Exchange) Header(name string) string {
	if x.peer.Header == nil {
		return ""
	}
	return x.peer.Header(name)
}

// Meta returns a copy of [Request.Meta].
func (x *Exchange) Meta() map[string]string { return maps.Clone(x.request.Meta) }

// Progress reports how much work is done, out of total; total is 0 if it is unknown. It returns false if the
// peer does not receive progress.
func (x *Exchange) Progress(done, total float64, text string) bool {
	progress := x.peer.Progress
	return progress != nil && x.state.notifyPeer(func() { progress(done, total, text) })
}

// Log sends a message to the caller's log. The level has the values of package log/slog, but is an int, so that
// programs need not link that package. Log returns false if the peer does not receive messages.
func (x *Exchange) Log(level int, text string) bool {
	log := x.peer.Log
	return log != nil && x.state.notifyPeer(func() { log(level, text) })
}

// Ask asks all questions at once and returns an answer to each, which may be a refusal. If the answers are not
// available yet, it returns an [*AskError]. The function must return this error. It is called again with the
// answers, so it should ask before it has side effects. If Nobody of the error is true, the function may instead
// continue without answers.
func (x *Exchange) Ask(ctx context.Context, questions ...Question) ([]Answer, error) {
	return x.state.askAll(ctx, questions)
}

// Attach adds parts to [Call.Content]. The limit of [MaxOutput] applies to all parts and replies together. If
// middleware repeats a call, the parts of a failed attempt are discarded.
func (x *Exchange) Attach(parts ...content.Part) { x.state.attachParts(parts) }

// Reply sets a value in [Call.Meta]. It returns an error if the value is not JSON.
func (x *Exchange) Reply(key string, value json.RawMessage) error {
	return x.state.setReply(key, value)
}

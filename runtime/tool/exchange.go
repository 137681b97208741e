package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/internal/result"
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
	request Request   // for its Name, Meta, Approval and Answers
	outer   *Exchange // of the outer call whose function makes this call; nil if there is none

	lock     sync.RWMutex // held for reading while the peer is notified
	finished bool
	log      exchangeLog
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
	return progress != nil && x.notifyPeer(func() { progress(done, total, text) })
}

// Log sends a message to the caller's log. The level has the values of package log/slog, but is an int, so that
// programs need not link that package. Log returns false if the peer does not receive messages.
func (x *Exchange) Log(level int, text string) bool {
	log := x.peer.Log
	return log != nil && x.notifyPeer(func() { log(level, text) })
}

// Ask asks all questions at once and returns an answer to each, which may be a refusal. If the answers are not
// available yet, it returns an [*AskError]. The function must return this error. It is called again with the
// answers, so it should ask before it has side effects. If Nobody of the error is true, the function may instead
// continue without answers.
func (x *Exchange) Ask(ctx context.Context, questions ...Question) ([]Answer, error) {
	for i, q := range questions {
		if err := q.Validate(); err != nil {
			return nil, fmt.Errorf("question %d cannot be asked: %w", i+1, err)
		}
	}
	var answers []Answer
	var missing []Question
	if !x.updateLog(func() { answers, missing = x.log.findAnswers(questions) }) {
		return nil, x.newAskError(questions, errFinished)
	}
	given, err := x.askMissing(ctx, missing)
	if err != nil {
		return nil, err
	}
	if !x.updateLog(func() { answers = x.log.addAnswers(answers, given) }) {
		return nil, x.newAskError(questions, errFinished)
	}
	return answers, nil
}

// Attach adds parts to [Call.Content]. The limit of [MaxOutput] applies to all parts and replies together. If
// middleware repeats a call, the parts of a failed attempt are discarded.
func (x *Exchange) Attach(parts ...content.Part) { x.updateLog(func() { x.log.addParts(parts...) }) }

// Reply sets a value in [Call.Meta]. It returns an error if the value is not JSON.
func (x *Exchange) Reply(key string, value json.RawMessage) error {
	if _, err := result.Check(value, len(value)); err != nil {
		return fmt.Errorf("the value of %q is not JSON: %w", key, err)
	}
	x.updateLog(func() { x.log.addReply(key, value) })
	return nil
}

// ErrAnswersPending is the error of [Peer.Ask] if the call will be repeated with the answers.
var ErrAnswersPending = errors.New("the answers come with another call")

var errFinished = errors.New("the call is over")

// notifyPeer calls notify, which notifies the peer. It does nothing and returns false if this call or an outer call
// is over.
func (x *Exchange) notifyPeer(notify func()) bool {
	x.lock.RLock()
	defer x.lock.RUnlock()
	switch {
	case x.finished:
		return false
	case x.outer != nil:
		return x.outer.notifyPeer(notify)
	}
	notify()
	return true
}

// askMissing asks the peer the questions that have no answer yet, through the outer call if there is one.
func (x *Exchange) askMissing(ctx context.Context, missing []Question) ([]Answer, error) {
	switch {
	case len(missing) == 0:
		return nil, nil
	case x.outer != nil:
		return x.outer.Ask(ctx, missing...)
	case x.peer.Ask == nil:
		return nil, x.newAskError(missing, nil)
	}
	given, err := x.peer.Ask(ctx, slices.Clone(missing))
	if errors.Is(err, ErrAnswersPending) {
		return nil, &AskError{Tool: x.request.Name, Questions: missing, Given: x.givenAnswers()}
	}
	if err == nil {
		err = checkAnswers(missing, given)
	}
	if err != nil {
		return nil, x.newAskError(missing, err)
	}
	return given, nil
}

// checkAnswers returns an error if the answers do not match the questions.
func checkAnswers(questions []Question, answers []Answer) error {
	if len(answers) != len(questions) {
		return fmt.Errorf("%d answers to %d questions", len(answers), len(questions))
	}
	for i, q := range questions {
		if err := q.Check(answers[i]); err != nil {
			return fmt.Errorf("invalid answer to question %d: %w", i+1, err)
		}
	}
	return nil
}

// newAskError returns the error for questions that nobody answers. The reason may be nil.
func (x *Exchange) newAskError(missing []Question, reason error) *AskError {
	return &AskError{Tool: x.request.Name, Questions: missing, Given: x.givenAnswers(), Nobody: true, Err: reason}
}

// enterLayer is called when a layer (a middleware or the function, see exchangeLog) begins. If it has run before, for
// example because the call is repeated, enterLayer discards the section of the earlier attempt. It returns the position
// where the new section begins.
func (x *Exchange) enterLayer(layer int) (from int) {
	x.updateLog(func() { from = x.log.enterLayer(layer) })
	return from
}

// leaveLayer ends an attempt. It returns an error if the attempt did not fail but exceeded the limit for parts and
// replies.
func (x *Exchange) leaveLayer(layer, from int, failed bool) (excess error) {
	x.updateLog(func() {
		if !failed && x.log.excess > 0 {
			excess = &result.LongError{Length: x.log.excess, Limit: x.log.limit}
		}
		x.log.leaveLayer(layer, from, failed || excess != nil)
	})
	return excess
}

// finishLog ends the exchange and returns all parts and replies.
func (x *Exchange) finishLog() (parts []content.Part, replies map[string]json.RawMessage) {
	x.updateLog(func() { x.finished, parts, replies = true, x.log.allParts(), x.log.allReplies() })
	return parts, replies
}

// updateLog runs change while it holds the lock. It does nothing and returns false if the call is over.
func (x *Exchange) updateLog(change func()) bool {
	x.lock.Lock()
	defer x.lock.Unlock()
	if !x.finished {
		change()
		return true
	}
	return false
}

// givenAnswers returns the answers that the call has received.
func (x *Exchange) givenAnswers() []Answer {
	x.lock.RLock()
	defer x.lock.RUnlock()
	return slices.Clone(x.log.answers)
}

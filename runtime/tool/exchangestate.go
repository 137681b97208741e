package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/internal/result"
)

// exchangeState is the mutable part of an [Exchange]: the questions, attached parts and replies. It is safe for
// concurrent use. After the call, it accepts nothing more.
type exchangeState struct {
	outer *exchangeState // state of the outer call whose function makes this call; nil if there is none

	tool     string                                                            // name of the tool
	askPeer  func(ctx context.Context, questions []Question) ([]Answer, error) // nil if nobody answers
	lock     sync.RWMutex                                                      // held for reading while the peer is notified
	finished bool
	log      exchangeLog
}

// ErrAnswersPending is the error of [Peer.Ask] if the call will be repeated with the answers.
var ErrAnswersPending = errors.New("the answers come with another call")

var errFinished = errors.New("the call is over")

// startLog starts the log of a call. answers are those of its request, and askPeer answers other questions. limit
// is the maximum total size of parts and replies, in bytes.
func (x *exchangeState) startLog(tool string, limit int, askPeer func(context.Context, []Question) ([]Answer, error), answers []Answer) {
	x.tool, x.askPeer, x.log = tool, askPeer, exchangeLog{answers: answers, limit: limit}
}

// notifyPeer calls notify, which notifies the peer. It does nothing and returns false if this call or an outer call
// is over.
func (x *exchangeState) notifyPeer(notify func()) bool {
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

// askAll returns an answer to each question. The error is an [*AskError] if answers are missing.
func (x *exchangeState) askAll(ctx context.Context, questions []Question) ([]Answer, error) {
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

// askMissing asks the peer the questions that have no answer yet, through the outer call if there is one.
func (x *exchangeState) askMissing(ctx context.Context, missing []Question) ([]Answer, error) {
	switch {
	case len(missing) == 0:
		return nil, nil
	case x.outer != nil:
		return x.outer.askAll(ctx, missing)
	case x.askPeer == nil:
		return nil, x.newAskError(missing, nil)
	}
	given, err := x.askPeer(ctx, slices.Clone(missing))
	if errors.Is(err, ErrAnswersPending) {
		return nil, &AskError{Tool: x.tool, Questions: missing, Given: x.givenAnswers()}
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
func (x *exchangeState) newAskError(missing []Question, reason error) *AskError {
	return &AskError{Tool: x.tool, Questions: missing, Given: x.givenAnswers(), Nobody: true, Err: reason}
}

// attachParts adds parts to the content of the call.
func (x *exchangeState) attachParts(parts []content.Part) {
	x.updateLog(func() { x.log.addParts(parts...) })
}

// setReply stores the value for [Exchange.Reply]. It returns an error if the value is not JSON.
func (x *exchangeState) setReply(key string, value json.RawMessage) error {
	if _, err := result.Check(value, len(value)); err != nil {
		return fmt.Errorf("the value of %q is not JSON: %w", key, err)
	}
	x.updateLog(func() { x.log.addReply(key, value) })
	return nil
}

// enterLayer is called when a layer (a middleware or the function, see exchangeLog) begins. If it has run before, for
// example because the call is repeated, enterLayer discards the section of the earlier attempt. It returns the position
// where the new section begins.
func (x *exchangeState) enterLayer(layer int) (from logPosition) {
	x.updateLog(func() { from = x.log.enterLayer(layer) })
	return from
}

// leaveLayer ends an attempt. It returns an error if the attempt did not fail but exceeded the limit for parts and
// replies.
func (x *exchangeState) leaveLayer(layer int, from logPosition, failed bool) (excess error) {
	x.updateLog(func() {
		if !failed && x.log.excess > 0 {
			excess = &result.LongError{Length: x.log.excess, Limit: x.log.limit}
		}
		x.log.leaveLayer(layer, from, failed || excess != nil)
	})
	return excess
}

// finishLog ends the exchange and returns all parts and replies.
func (x *exchangeState) finishLog() (parts []content.Part, replies map[string]json.RawMessage) {
	x.updateLog(func() { x.finished, parts, replies = true, x.log.allParts(), x.log.allReplies() })
	return parts, replies
}

// updateLog runs change while it holds the lock. It does nothing and returns false if the call is over.
func (x *exchangeState) updateLog(change func()) bool {
	x.lock.Lock()
	defer x.lock.Unlock()
	if !x.finished {
		change()
		return true
	}
	return false
}

// givenAnswers returns the answers that the call has received.
func (x *exchangeState) givenAnswers() []Answer {
	x.lock.RLock()
	defer x.lock.RUnlock()
	return slices.Clone(x.log.answers)
}

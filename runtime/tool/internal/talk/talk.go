// Package talk is what is said between a call and whoever made it, beside arguments and
// result: see [Talk].
//
// Its layers, from top to bottom:
//
//	talk    what is said while the call runs
//	record  what was said, of which more than one attempt at the call may be a part
package talk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/internal/result"
)

// Talk is that of a call. It is safe for concurrent use; after the call nothing is said.
type Talk struct {
	Outer *Talk // of the function that makes the call, whose questions are its own; nil if none does

	tool string                                                                    // its name
	asks func(ctx context.Context, questions []ask.Question) ([]ask.Answer, error) // who answers; nil if nobody does
	lock sync.RWMutex                                                              // held for reading while somebody is told something
	over bool
	said record
}

// ErrLater is the error of who asks, where answers come with another call.
var ErrLater = errors.New("the answers come with another call")

var errOver = errors.New("the call is over")

// Unanswered is an error of Ask: there are no answers, or none yet.
type Unanswered struct {
	Tool      string
	Questions []ask.Question // that have none
	Given     []ask.Answer   // to others
	Nobody    bool           // will answer
	Err       error          // why, if somebody might have
}

// Error is there for this to be an error; what it says to people is for package failure.
func (*Unanswered) Error() string { return "there are no answers" }

// Begin begins the talk of a tool that a call came to with answers: what is attached and
// replied is limited, in bytes, and asks asks what has no answer.
func (t *Talk) Begin(tool string, limit int, asks func(context.Context, []ask.Question) ([]ask.Answer, error), answers []ask.Answer) {
	t.tool, t.asks, t.said = tool, asks, record{answers: answers, limit: limit}
}

// Tell does what tells somebody something. It returns false if the call is over, or that
// of whose function it is a part.
func (t *Talk) Tell(something func()) bool {
	t.lock.RLock()
	defer t.lock.RUnlock()
	switch {
	case t.over:
		return false
	case t.Outer != nil:
		return t.Outer.Tell(something)
	}
	something()
	return true
}

// Ask returns an answer to each of the questions, or the error [*Unanswered], which may be
// that of an outer talk.
func (t *Talk) Ask(ctx context.Context, questions []ask.Question) ([]ask.Answer, error) {
	for i, q := range questions {
		if err := q.Validate(); err != nil {
			return nil, fmt.Errorf("question %d cannot be asked: %w", i+1, err)
		}
	}
	var answers []ask.Answer
	var missing []ask.Question
	if !t.say(func() { answers, missing = t.said.known(questions) }) {
		return nil, t.nobody(questions, errOver)
	}
	given, err := t.ask(ctx, missing)
	if err != nil {
		return nil, err
	}
	if !t.say(func() { answers = t.said.noteAnswers(answers, given) }) {
		return nil, t.nobody(questions, errOver)
	}
	return answers, nil
}

// ask asks what has no answer yet.
func (t *Talk) ask(ctx context.Context, missing []ask.Question) ([]ask.Answer, error) {
	switch {
	case len(missing) == 0:
		return nil, nil
	case t.Outer != nil:
		return t.Outer.Ask(ctx, missing)
	case t.asks == nil:
		return nil, t.nobody(missing, nil)
	}
	given, err := t.asks(ctx, slices.Clone(missing))
	if errors.Is(err, ErrLater) {
		return nil, &Unanswered{Tool: t.tool, Questions: missing, Given: t.answers()}
	}
	if err == nil {
		err = check(missing, given)
	}
	if err != nil {
		return nil, t.nobody(missing, err)
	}
	return given, nil
}

// check returns why answers are none to the questions.
func check(questions []ask.Question, answers []ask.Answer) error {
	if len(answers) != len(questions) {
		return fmt.Errorf("%d answers to %d questions", len(answers), len(questions))
	}
	for i, q := range questions {
		if err := q.Check(answers[i]); err != nil {
			return fmt.Errorf("what came is no answer to question %d: %w", i+1, err)
		}
	}
	return nil
}

func (t *Talk) nobody(missing []ask.Question, why error) *Unanswered {
	return &Unanswered{Tool: t.tool, Questions: missing, Given: t.answers(), Nobody: true, Err: why}
}

// Attach says parts.
func (t *Talk) Attach(parts []content.Part) { t.say(func() { t.said.attach(parts...) }) }

// Reply says a value under a key, in the place of one that is there. It is an error if the
// value is no JSON.
func (t *Talk) Reply(key string, value json.RawMessage) error {
	if _, err := result.Check(value, len(value)); err != nil {
		return fmt.Errorf("the value of %q is no JSON: %w", key, err)
	}
	t.say(func() { t.said.reply(key, value) })
	return nil
}

// Enter and Leave are around what may be done again: each middleware, and within all of
// them an attempt at the call. What was said in it before does not count then. Leave
// returns the error of it: err, or that too much was said.

func (t *Talk) Enter(layer int) (from Place) {
	t.say(func() { from = t.said.enter(layer) })
	return from
}

func (t *Talk) Leave(layer int, from Place, err error) error {
	t.say(func() {
		if err == nil && t.said.long > 0 {
			err = &result.LongError{Length: t.said.long, Limit: t.said.limit}
		}
		t.said.leave(layer, from, err != nil)
	})
	return err
}

// End ends the talk. It returns what was attached and replied.
func (t *Talk) End() (parts []content.Part, replies map[string]json.RawMessage) {
	t.say(func() { t.over, parts, replies = true, t.said.allParts(), t.said.allReplies() })
	return parts, replies
}

// say does what says something, unless the call is over.
func (t *Talk) say(something func()) bool {
	t.lock.Lock()
	defer t.lock.Unlock()
	if !t.over {
		something()
		return true
	}
	return false
}

// answers returns those that there are.
func (t *Talk) answers() []ask.Answer {
	t.lock.RLock()
	defer t.lock.RUnlock()
	return slices.Clone(t.said.answers)
}

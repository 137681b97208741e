package supervisor

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/quote"
	"github.com/aiongen/aiongen/runtime/llm"
)

const (
	temperature = 0.3       // of all repairs: they need no imagination
	mostBytes   = 256 << 10 // that a model is asked to write again
)

var (
	errTooLong = fmt.Errorf("there are more than %d bytes, which no model writes again", mostBytes)
	errCutOff  = errors.New("it was cut off")
	errRefused = errors.New("the model refused to write it")
)

// Repair is the repair of a T, attempt by attempt. What comes of each is a verdict,
// which is JSON and all that there is to know of it: a repair goes on from recorded
// ones as from those that were just made, whatever the program has learned since.
//
//	more := r.Take(r.Local())
//	for more {
//		more = r.Take(r.Read(ask(r.Request())))
//	}
//	value, err := r.Result()
type Repair[T any] struct {
	s        *Supervisor
	kind     Kind
	original string
	prompt   string                           // template of the request
	data     question                         // for it
	tools    string                           // what comes before the system prompt
	schema   json.RawMessage                  // of the reply
	local    func() finding                   // repairs without a model
	check    func(reply string) finding       // reads what the model wrote
	made     func(json.RawMessage) (T, error) // of what was repaired
	verdicts []verdict
	limit    int // how often the model is asked at most
}

// Limit bounds how often the model is asked, if the supervisor allows more attempts.
func (r *Repair[T]) Limit(attempts int) { r.limit = min(r.limit, attempts) }

// finding is what came of an attempt: what was repaired, or an error.
type finding struct {
	repaired json.RawMessage
	err      error
	missing  []string        // what is not there and has to be, if there is an error
	known    json.RawMessage // all else that is right
	final    bool            // the error is: another attempt finds no more
}

// verdict is a finding that was made.
type verdict struct {
	Repaired json.RawMessage `json:"repaired,omitempty"`
	Error    string          `json:"error,omitempty"`
	Missing  []string        `json:"missing,omitempty"`
	Known    json.RawMessage `json:"known,omitempty"`
	Final    bool            `json:"final,omitempty"`
	Reply    string          `json:"reply,omitempty"` // of the model, if it is wrong
	Time     time.Time       `json:"timestamp"`
}

// Local returns the verdict on what can be repaired without a model. It is the
// first to be taken.
func (r *Repair[T]) Local() json.RawMessage { return r.judged(r.local(), "") }

// Read returns the verdict on an answer to [Repair.Request]. It changes nothing.
func (r *Repair[T]) Read(response llm.Response) json.RawMessage {
	switch response.Finish {
	case llm.FinishLength:
		return r.judged(finding{err: errCutOff}, response.Text)
	case llm.FinishRefused:
		return r.judged(finding{err: errRefused}, response.Text)
	}
	return r.judged(r.check(response.Text), response.Text)
}

// Failed returns the verdict on an attempt to which there was no answer.
func (r *Repair[T]) Failed(err error) json.RawMessage { return r.judged(finding{err: err}, "") }

// judged returns a finding as a verdict.
func (r *Repair[T]) judged(f finding, reply string) json.RawMessage {
	v := verdict{Missing: f.missing, Known: f.known, Final: f.final, Time: r.s.time()}
	if f.err != nil {
		v.Error, v.Reply = f.err.Error(), reply
	} else {
		v.Repaired = f.repaired
	}
	text, err := jsontext.Marshal(v, "")
	if err != nil {
		panic(err) // it is made of texts and of JSON that was read
	}
	return text
}

// Take goes on from a verdict, and tells whether the model is to be asked again.
func (r *Repair[T]) Take(recorded json.RawMessage) (more bool) {
	var v verdict
	if err := json.Unmarshal(recorded, &v); err != nil {
		v = verdict{Error: "the verdict is none: " + err.Error(), Final: true}
	}
	r.verdicts = append(r.verdicts, v)
	return r.more()
}

// more tells whether there is another attempt.
func (r *Repair[T]) more() bool {
	last := r.verdicts[len(r.verdicts)-1]
	return last.Repaired == nil && !last.Final && len(r.verdicts) <= r.limit && !r.tooLong()
}

// tooLong tells whether there is more than a model is asked to write again.
func (r *Repair[T]) tooLong() bool {
	size := len(r.original)
	for _, v := range r.verdicts {
		size += len(v.Reply)
	}
	return size > mostBytes
}

// Request returns what the model is to be asked next: after a wrong answer what is
// wrong with it, too. A verdict was taken before.
func (r *Repair[T]) Request() llm.Request {
	data := r.data
	data.Wrong = quote.Text(r.verdicts[0].Error, mostBytes)
	messages := []llm.Message{{Role: llm.RoleUser, Text: texts.Fill(r.prompt, data)}}
	for _, v := range r.verdicts[1:] {
		if v.Reply == "" {
			continue // there was no answer
		}
		messages = append(messages, llm.Message{Role: llm.RoleAssistant, Text: v.Reply},
			llm.Message{Role: llm.RoleUser, Text: texts.Fill("again.txt", quote.Text(v.Error, mostBytes))})
	}
	return llm.Request{System: r.tools + r.s.system, Messages: messages, Schema: r.schema, Temperature: new(temperature)}
}

// Actions returns all attempts so far.
func (r *Repair[T]) Actions() []Action {
	actions := make([]Action, len(r.verdicts))
	for i, v := range r.verdicts {
		actions[i] = Action{Kind: r.kind, Original: r.original, Repaired: v.Repaired, Error: v.Error, Attempt: i, Time: v.Time}
	}
	return actions
}

// Result returns what came of the verdicts. The error is an [*Error].
func (r *Repair[T]) Result() (T, error) {
	last := verdict{Error: "nobody tried"}
	if len(r.verdicts) > 0 {
		last = r.verdicts[len(r.verdicts)-1]
	}
	err := errors.New(last.Error)
	if !last.Final && len(r.verdicts) <= r.limit && r.tooLong() {
		err = fmt.Errorf("%w; %w", err, errTooLong)
	}
	if last.Repaired != nil {
		var value T
		if value, err = r.made(last.Repaired); err == nil {
			return value, nil
		}
	}
	failed := &Error{Kind: r.kind, Actions: r.Actions(), Err: err, Missing: last.Missing, Known: last.Known}
	if len(failed.Missing) == 0 && len(r.verdicts) > 0 {
		failed.Missing, failed.Known = r.verdicts[0].Missing, r.verdicts[0].Known
	}
	var none T
	return none, failed
}

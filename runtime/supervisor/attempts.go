package supervisor

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/llm"
)

const (
	temperature    = 0.3       // low, because repairs need no imagination
	maxPromptBytes = 256 << 10 // maximum length of a text that a model is asked to rewrite
)

var (
	errTooLong = fmt.Errorf("the text has more than %d bytes, too many to rewrite", maxPromptBytes)
	errCutOff  = errors.New("it was cut off")
	errRefused = errors.New("the model refused to write it")
)

// Repair is the repair of a T, attempt by attempt. The outcome of each attempt is a verdict in
// JSON. A repair can be continued from recorded verdicts as from new ones, even if the program
// has changed since.
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
	data     question                         // data of the template
	tools    string                           // precedes the system prompt
	schema   json.RawMessage                  // of the reply
	local    func() finding                   // repairs without a model
	check    func(reply string) finding       // checks a reply of the model
	parse    func(json.RawMessage) (T, error) // parses the repaired JSON
	verdicts []verdict
	limit    int // maximum number of requests to the model
}

// Limit limits the number of requests to the model. It cannot exceed the supervisor's attempts.
func (r *Repair[T]) Limit(attempts int) { r.limit = min(r.limit, attempts) }

// finding is the outcome of an attempt: the repaired JSON, or an error.
type finding struct {
	repaired json.RawMessage
	err      error
	missing  []string        // required values that are absent, if there is an error
	known    json.RawMessage // all other values that are valid
	final    bool            // another attempt would have the same error
}

// verdict is a recorded finding.
type verdict struct {
	Repaired json.RawMessage `json:"repaired,omitempty"`
	Error    string          `json:"error,omitempty"`
	Missing  []string        `json:"missing,omitempty"`
	Known    json.RawMessage `json:"known,omitempty"`
	Final    bool            `json:"final,omitempty"`
	Reply    string          `json:"reply,omitempty"` // of the model, if it was wrong
	Time     time.Time       `json:"timestamp"`
}

// Local returns the verdict of the repair without a model. Take it first.
func (r *Repair[T]) Local() json.RawMessage { return r.recordVerdict(r.local(), "") }

// Read returns the verdict on a response to [Repair.Request]. It does not change r.
func (r *Repair[T]) Read(response llm.Response) json.RawMessage {
	switch response.Finish {
	case llm.FinishLength:
		return r.recordVerdict(finding{err: errCutOff}, response.Text)
	case llm.FinishRefused:
		return r.recordVerdict(finding{err: errRefused}, response.Text)
	}
	return r.recordVerdict(r.check(response.Text), response.Text)
}

// Failed returns the verdict on an attempt without an answer.
func (r *Repair[T]) Failed(err error) json.RawMessage { return r.recordVerdict(finding{err: err}, "") }

// recordVerdict returns a finding as a verdict.
func (r *Repair[T]) recordVerdict(f finding, reply string) json.RawMessage {
	v := verdict{Missing: f.missing, Known: f.known, Final: f.final, Time: r.s.currentTime()}
	if f.err != nil {
		v.Error, v.Reply = f.err.Error(), reply
	} else {
		v.Repaired = f.repaired
	}
	text, err := jsontext.Marshal(v, "")
	if err != nil {
		panic(err) // the verdict consists of texts and parsed JSON
	}
	return text
}

// Take applies a verdict, and reports whether to ask the model again.
func (r *Repair[T]) Take(recorded json.RawMessage) (more bool) {
	var v verdict
	if err := json.Unmarshal(recorded, &v); err != nil {
		v = verdict{Error: "invalid verdict: " + err.Error(), Final: true}
	}
	r.verdicts = append(r.verdicts, v)
	return r.hasAttempts()
}

// hasAttempts reports whether another attempt is possible.
func (r *Repair[T]) hasAttempts() bool {
	last := r.verdicts[len(r.verdicts)-1]
	return last.Repaired == nil && !last.Final && len(r.verdicts) <= r.limit && !r.isTooLong()
}

// isTooLong reports whether the text is too long for a model to rewrite.
func (r *Repair[T]) isTooLong() bool {
	size := len(r.original)
	for _, v := range r.verdicts {
		size += len(v.Reply)
	}
	return size > maxPromptBytes
}

// Request returns the next request to the model. After a wrong answer, it includes the error. At
// least one verdict must have been taken.
func (r *Repair[T]) Request() llm.Request {
	data := r.data
	data.Wrong = jsontext.QuoteLine(r.verdicts[0].Error, maxPromptBytes)
	messages := []llm.Message{{Role: llm.RoleUser, Text: texts.Fill(r.prompt, data)}}
	for _, v := range r.verdicts[1:] {
		if v.Reply == "" {
			continue // there was no answer
		}
		messages = append(messages, llm.Message{Role: llm.RoleAssistant, Text: v.Reply},
			llm.Message{Role: llm.RoleUser, Text: texts.Fill("again.txt", jsontext.QuoteLine(v.Error, maxPromptBytes))})
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

// Result returns the outcome of the repair. The error is an [*Error].
func (r *Repair[T]) Result() (T, error) {
	last := verdict{Error: "nobody tried"}
	if len(r.verdicts) > 0 {
		last = r.verdicts[len(r.verdicts)-1]
	}
	err := errors.New(last.Error)
	if !last.Final && len(r.verdicts) <= r.limit && r.isTooLong() {
		err = fmt.Errorf("%w; %w", err, errTooLong)
	}
	if last.Repaired != nil {
		var value T
		if value, err = r.parse(last.Repaired); err == nil {
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

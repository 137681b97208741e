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
	temperature    = 0.3       // low, because a repair should not change the meaning
	maxPromptBytes = 256 << 10 // maximum length of a text that a model is asked to repair, in bytes
)

var (
	errTooLong = fmt.Errorf("the text has more than %d bytes, too many to rewrite", maxPromptBytes)
	errCutOff  = errors.New("it was cut off")
	errRefused = errors.New("the model refused to write it")
)

// Repair repairs a value of type T in several attempts. It does not ask a model itself: the caller
// sends the requests, and passes each outcome to Take as a verdict, which is JSON. If the caller
// records the verdicts, it can continue the repair later, even if the program has changed since:
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
	prompt   string                           // name of the template of the request
	data     question                         // data for the template
	tools    string                           // description of the tools, before the system prompt
	schema   json.RawMessage                  // schema of the reply
	local    func() finding                   // repairs without a model
	check    func(reply string) finding       // checks a reply of the model
	parse    func(json.RawMessage) (T, error) // parses the repaired JSON
	verdicts []verdict
	limit    int // maximum number of requests to the model
}

// Limit limits the number of requests to the model. It cannot raise the limit of the option
// [Attempts].
func (r *Repair[T]) Limit(attempts int) { r.limit = min(r.limit, attempts) }

// finding is the outcome of an attempt: the repaired JSON, or an error.
type finding struct {
	repaired json.RawMessage
	err      error
	missing  []string        // JSON Pointers of required values that the text does not contain, if there is an error
	known    json.RawMessage // the valid values, if there is an error
	final    bool            // further attempts cannot succeed
}

// verdict is a recorded finding.
type verdict struct {
	Repaired json.RawMessage `json:"repaired,omitempty"`
	Error    string          `json:"error,omitempty"`
	Missing  []string        `json:"missing,omitempty"`
	Known    json.RawMessage `json:"known,omitempty"`
	Final    bool            `json:"final,omitempty"`
	Reply    string          `json:"reply,omitempty"` // rejected reply of the model
	Time     time.Time       `json:"timestamp"`
}

// Local attempts the repair without a model and returns the verdict. Pass it to Take before all
// others.
func (r *Repair[T]) Local() json.RawMessage { return r.recordVerdict(r.local(), "") }

// Read checks a response to [Repair.Request] and returns the verdict. It does not change r.
func (r *Repair[T]) Read(response llm.Response) json.RawMessage {
	switch response.Finish {
	case llm.FinishLength:
		return r.recordVerdict(finding{err: errCutOff}, response.Text)
	case llm.FinishRefused:
		return r.recordVerdict(finding{err: errRefused}, response.Text)
	}
	return r.recordVerdict(r.check(response.Text), response.Text)
}

// Failed returns the verdict for a request that failed with err.
func (r *Repair[T]) Failed(err error) json.RawMessage { return r.recordVerdict(finding{err: err}, "") }

// recordVerdict returns the JSON of a verdict with a finding and the reply that it concerns.
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

// Take adds a verdict to the repair, and reports whether to send another request to a model.
func (r *Repair[T]) Take(recorded json.RawMessage) (more bool) {
	var v verdict
	if err := json.Unmarshal(recorded, &v); err != nil {
		v = verdict{Error: "invalid verdict: " + err.Error(), Final: true}
	}
	r.verdicts = append(r.verdicts, v)
	return v.Repaired == nil && !v.Final && len(r.verdicts) <= r.limit && !r.isTooLong()
}

// isTooLong reports whether the text is too long for a model to rewrite.
func (r *Repair[T]) isTooLong() bool {
	size := len(r.original)
	for _, v := range r.verdicts {
		size += len(v.Reply)
	}
	return size > maxPromptBytes
}

// Request returns the next request to the model. It includes the rejected replies so far and their
// errors. Call Take at least once before.
func (r *Repair[T]) Request() llm.Request {
	data := r.data
	data.Wrong = jsontext.QuoteLine(r.verdicts[0].Error, maxPromptBytes)
	messages := []llm.Message{{Role: llm.RoleUser, Text: texts.Fill(r.prompt, data)}}
	for _, v := range r.verdicts[1:] {
		if v.Reply == "" {
			continue // the request failed, so there is no reply
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
	last := verdict{Error: "no attempt was made"}
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
	repairErr := &Error{Kind: r.kind, Actions: r.Actions(), Err: err, Missing: last.Missing, Known: last.Known}
	if len(repairErr.Missing) == 0 && len(r.verdicts) > 0 {
		repairErr.Missing, repairErr.Known = r.verdicts[0].Missing, r.verdicts[0].Known
	}
	var none T
	return none, repairErr
}

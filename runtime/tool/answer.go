package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// AnswerAction says whether a question was accepted, declined or canceled.
type AnswerAction string

// The actions.
const (
	AnswerAccepted  AnswerAction = "accept"  // the answer is yes or a value
	AnswerDeclined  AnswerAction = "decline" // the answer is no
	AnswerCancelled AnswerAction = "cancel"  // there is no answer, and the question should not be repeated now
)

// Answer is the answer to a question. It can be written to JSON and read back.
type Answer struct {
	QuestionKey string          `json:"of"` // see [Question.Key]
	Action      AnswerAction    `json:"action"`
	Value       json.RawMessage `json:"value,omitempty"` // if accepted: the object that a person filled in, the text of a model as a JSON string, or a list of [Root]; empty for yes
}

// Accept returns an answer with a value, or the answer yes if value is nil. Use [Question.Check] to check the
// value.
func (q Question) Accept(value json.RawMessage) Answer {
	return Answer{QuestionKey: q.Key(), Action: AnswerAccepted, Value: value}
}

// Decline returns the answer no.
func (q Question) Decline() Answer { return Answer{QuestionKey: q.Key(), Action: AnswerDeclined} }

// Cancel returns the answer for a question that somebody dismissed without answering.
func (q Question) Cancel() Answer { return Answer{QuestionKey: q.Key(), Action: AnswerCancelled} }

// Accepted reports whether the answer is yes or a value.
func (a Answer) Accepted() bool { return a.Action == AnswerAccepted }

// Into unmarshals the value into v. It returns an error if there is no value, because the question was declined or
// canceled, or the answer is yes.
func (a Answer) Into(v any) error {
	switch {
	case !a.Accepted():
		return fmt.Errorf("the answer has no value, because its action is %s", words.Cut(string(a.Action), longestQuoted))
	case len(a.Value) == 0:
		return errors.New("the answer is yes, and has no value")
	}
	return json.Unmarshal(a.Value, v)
}

// Check returns an error if a is not a valid answer to the question. It is for implementations of [Peer]; a tool
// receives only valid answers.
func (q Question) Check(a Answer) error {
	if a.QuestionKey != q.Key() {
		return errors.New("it answers another question")
	}
	switch a.Action {
	case AnswerDeclined, AnswerCancelled:
		return nil
	case AnswerAccepted:
	default:
		return fmt.Errorf("expected accept, decline or cancel, found %s", jsontext.Quote(words.Cut(string(a.Action), longestQuoted)))
	}
	schema := q.answerSchema()
	if schema == nil {
		return nil
	}
	if len(a.Value) > maxAnswerSize {
		return fmt.Errorf("it is %d bytes long, the limit is %d", len(a.Value), maxAnswerSize)
	}
	value, err := jsontext.Parse(string(a.Value), maxAnswerDepth)
	if err != nil {
		return fmt.Errorf("its value is not JSON: %w", err)
	}
	s, err := jsonschema.Parse(schema)
	if err != nil {
		return fmt.Errorf("the schema of the question cannot be used: %w", err)
	}
	return joinFaults(s.Check(value, len(a.Value)))
}

// answerSchema returns the schema of the value of an answer, or nil if answers have no value.
func (q Question) answerSchema() json.RawMessage {
	switch q.Kind {
	case QuestionModel:
		return json.RawMessage(`{"type":"string"}`)
	case QuestionRoots:
		return json.RawMessage(`{"type":"array","items":{"type":"object","properties":{"uri":{"type":"string"},"name":{"type":"string"}},"required":["uri"]}}`)
	case QuestionPerson:
		return q.Schema
	}
	return nil
}

// maxAnswerFaults limits how many faults of an answer are reported.
const maxAnswerFaults = 10

func joinFaults(faults []jsonschema.Fault) error {
	if len(faults) == 0 {
		return nil
	}
	var texts []string
	for _, f := range faults[:min(len(faults), maxAnswerFaults)] {
		texts = append(texts, strings.TrimPrefix(f.Pointer+": ", ": ")+f.String())
	}
	return errors.New(strings.Join(words.First(texts, len(faults)), "; "))
}

package ask

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// Action is what who was asked did.
type Action string

// The actions.
const (
	Accepted  Action = "accept"  // answered: yes, or with a value
	Declined  Action = "decline" // said no
	Cancelled Action = "cancel"  // did not say anything, and wants none of it now
)

// Answer is what came of a question. It survives JSON.
type Answer struct {
	Of     string          `json:"of"` // Key of the question
	Action Action          `json:"action"`
	Value  json.RawMessage `json:"value,omitempty"` // if it is accepted: of a person the object by the schema, of a model its text as a JSON string, of roots a list of [Root]
}

// Accept returns the answer that accepts the question with a value; nil where yes is all
// that there is to say. Whether the value is one, [Question.Check] says.
func (q Question) Accept(value json.RawMessage) Answer {
	return Answer{Of: q.Key(), Action: Accepted, Value: value}
}

// Decline returns the answer no.
func (q Question) Decline() Answer { return Answer{Of: q.Key(), Action: Declined} }

// Cancel returns the answer of somebody who does not answer.
func (q Question) Cancel() Answer { return Answer{Of: q.Key(), Action: Cancelled} }

// Accepted reports whether the answer is yes, or has a value.
func (a Answer) Accepted() bool { return a.Action == Accepted }

// Into reads the value into what v points to. It is an error if there is none: if the
// answer was declined or cancelled, or is no more than yes.
func (a Answer) Into(v any) error {
	switch {
	case !a.Accepted():
		return fmt.Errorf("there is no answer: %s was all that came", words.Cut(string(a.Action), longest))
	case len(a.Value) == 0:
		return errors.New("the answer is yes, and has no value")
	}
	return json.Unmarshal(a.Value, v)
}

// Check returns in words why the answer is none to the question; nil if it is one. It is
// for those who ask: a tool is only handed answers that are.
func (q Question) Check(a Answer) error {
	if a.Of != q.Key() {
		return errors.New("it answers another question")
	}
	switch a.Action {
	case Declined, Cancelled:
		return nil
	case Accepted:
	default:
		return fmt.Errorf("expected accept, decline or cancel, found %s", jsontext.Quote(words.Cut(string(a.Action), longest)))
	}
	schema := q.answered()
	if schema == nil {
		return nil
	}
	if len(a.Value) > largest {
		return fmt.Errorf("it is %d bytes long, and may be %d", len(a.Value), largest)
	}
	value, err := jsontext.Parse(string(a.Value), deepest)
	if err != nil {
		return fmt.Errorf("its value is no JSON: %w", err)
	}
	s, err := jsonschema.Parse(schema)
	if err != nil {
		return fmt.Errorf("the schema of the question cannot be used: %w", err)
	}
	return inWords(s.Check(value, len(a.Value)))
}

// answered is the schema of the value of an answer; nil if it has none.
func (q Question) answered() json.RawMessage {
	switch q.Kind {
	case KindModel:
		return json.RawMessage(`{"type":"string"}`)
	case KindRoots:
		return json.RawMessage(`{"type":"array","items":{"type":"object","properties":{"uri":{"type":"string"},"name":{"type":"string"}},"required":["uri"]}}`)
	case KindPerson:
		return q.Schema
	}
	return nil
}

// mostFaults bounds how much of what is wrong is told.
const mostFaults = 10

func inWords(faults []jsonschema.Fault) error {
	if len(faults) == 0 {
		return nil
	}
	var texts []string
	for _, f := range faults[:min(len(faults), mostFaults)] {
		text := f.String()
		if f.Pointer != "" {
			text = f.Pointer + ": " + text
		}
		texts = append(texts, text)
	}
	return errors.New(strings.Join(words.First(texts, len(faults)), "; "))
}

package conversation

import (
	"encoding/json"
	"maps"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// recordedReading is what readResponse read from an answer of the model, as the journal stores it.
type recordedReading struct {
	Answer        json.RawMessage     `json:"answer,omitempty"` // according to its schema
	Fault         string              `json:"wrong,omitempty"`  // why there is no answer
	IDs           []string            `json:"ids,omitempty"`    // new IDs of all calls, if an ID of the provider is missing or already used
	Reads         map[int]readRequest `json:"reads,omitempty"`  // calls that read results, by index
	TurnsExceeded bool                `json:"over,omitempty"`   // the model makes calls in the last turn
	Full          bool                `json:"full,omitempty"`   // the conversation has to be compacted
}

// readAnswer returns the JSON value in a text, or the reason why no value in it fits the schema.
func readAnswer(text string, answerSchema json.RawMessage) (value json.RawMessage, fault string) {
	found, err := repair.JSON(text, answerSchema)
	if err == nil && found.Truncated {
		return nil, "it was cut off"
	}
	if err == nil {
		err = schema.Validate(answerSchema, found.Value)
	}
	if err != nil {
		return nil, err.Error()
	}
	return found.Value, ""
}

// assignIDs returns an ID for each call of an answer, or nil if all calls have unique IDs
// already.
func (c *conversation) assignIDs(calls []tool.Request) []string {
	taken := maps.Clone(c.callIDs)
	all, generated := make([]string, len(calls)), false
	for i, call := range calls {
		if call.ID != "" && !taken[call.ID] {
			all[i], taken[call.ID] = call.ID, true
		}
	}
	for i := range all {
		if all[i] == "" {
			all[i], generated = llm.NewCallID(taken), true
		}
	}
	if !generated {
		return nil
	}
	return all
}

// schemaPrompt returns the system prompt that states the schema of the answer. If there are
// tools, newRequest does not send the schema as a parameter, because at many endpoints the model
// then calls no tools.
func schemaPrompt(answerSchema json.RawMessage) string {
	return "When you have all that you need, answer with JSON that is valid for this schema, and with nothing else:\n" + string(answerSchema)
}

// correctionPrompt returns the message to the model about an invalid answer.
func correctionPrompt(fault string, answerSchema json.RawMessage) string {
	return "Your answer is not valid for its schema: " + jsontext.Quote(fault) + "\nWrite all of it again, corrected: JSON that is valid for this schema, and nothing else:\n" + string(answerSchema)
}

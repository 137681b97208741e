package talk

import (
	"encoding/json"
	"maps"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/callid"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// reading is what was made of an answer of the model, and stands in its entry.
type reading struct {
	Answer json.RawMessage `json:"answer,omitempty"` // by its schema
	Wrong  string          `json:"wrong,omitempty"`  // why there is none
	IDs    []string        `json:"ids,omitempty"`    // of the calls, if one of the provider is missing or already taken
	Reads  map[int]look    `json:"reads,omitempty"`  // by the place of the call: it reads a result
	Over   bool            `json:"over,omitempty"`   // there are calls, and no more turns
	Full   bool            `json:"full,omitempty"`   // there is little room for more messages
}

// fitting returns the value in a text that fits a schema, or why there is none.
func fitting(text string, wanted json.RawMessage) (value json.RawMessage, wrong string) {
	found, err := repair.JSON(text, wanted)
	if err == nil && found.Truncated {
		return nil, "it was cut off"
	}
	if err == nil {
		err = schema.Validate(wanted, found.Value)
	}
	if err != nil {
		return nil, err.Error()
	}
	return found.Value, ""
}

// ids returns an ID for each call of an answer, and none if all calls have an ID that
// no other call of the conversation has.
func (c *conversation) ids(calls []tool.Request) []string {
	taken := maps.Clone(c.callIDs)
	all, generated := make([]string, len(calls)), false
	for i, call := range calls {
		if call.ID != "" && !taken[call.ID] {
			all[i], taken[call.ID] = call.ID, true
		}
	}
	for i := range all {
		if all[i] == "" {
			all[i], generated = callid.Generate(taken), true
		}
	}
	if !generated {
		return nil
	}
	return all
}

// demand returns the system prompt of a conversation whose answer has a schema. Where
// there are tools, that is not sent as the schema of the answer: many endpoints let a
// model then call none.
func demand(wanted json.RawMessage) string {
	return "When you have all that you need, answer with JSON that is valid for this schema, and with nothing else:\n" + string(wanted)
}

// correction returns what the model is told of an answer that is none.
func correction(wrong string, wanted json.RawMessage) string {
	return "Your answer is not valid for its schema: " + jsontext.Quote(wrong) + "\nWrite all of it again, corrected: JSON that is valid for this schema, and nothing else:\n" + string(wanted)
}

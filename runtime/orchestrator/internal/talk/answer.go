package talk

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/repair"
)

// reading is what was made of an answer of the model, and stands in its entry.
type reading struct {
	Answer json.RawMessage `json:"answer,omitempty"` // if there are no calls
	Wrong  string          `json:"wrong,omitempty"`  // why there is none
	IDs    []string        `json:"ids,omitempty"`    // of the calls, where those of the provider do not tell them apart
	Over   bool            `json:"over,omitempty"`   // there are calls, and no more turns
}

// read makes of an answer what there is to make of it.
func (c *conversation) read(r llm.Response, last bool) json.RawMessage {
	var x reading
	switch {
	case len(r.Calls) > 0:
		x.IDs, x.Over = ids(r, c.step()), last
	case c.task.Answer == nil:
		x.Answer = json.RawMessage(jsontext.Quote(r.Text))
	default:
		if found, err := repair.JSON(r.Text, c.task.Answer); err != nil {
			x.Wrong = err.Error()
		} else if found.Truncated {
			x.Wrong = "it was cut off"
		} else {
			x.Answer = found.Value
		}
	}
	text, err := jsontext.Marshal(x, "")
	if err != nil {
		panic(err) // it is JSON and texts
	}
	return text
}

// ids returns an ID for each call of an answer, none if those that they have are there
// and tell them apart.
func ids(r llm.Response, step string) []string {
	seen, same := map[string]bool{"": true}, true
	all := make([]string, len(r.Calls))
	for i, call := range r.Calls {
		id := call.ID
		for n := i + 1; seen[id]; n++ {
			id, same = fmt.Sprintf("call_%s_%d", step, n), false
		}
		seen[id] = true
		all[i] = id
	}
	if same {
		return nil
	}
	return all
}

// demand returns the system prompt of a conversation whose answer has a schema. That is
// not sent as the schema of the answer: many endpoints let a model then call no tools.
func demand(system string, schema json.RawMessage) string {
	return strings.TrimSpace(system + "\n\nWhen you have all that you need, answer with JSON that is valid for this schema, and with nothing else:\n" + string(schema))
}

// correction returns what the model is told of an answer that is none.
func correction(wrong string, schema json.RawMessage) string {
	return "Your answer is not valid for its schema: " + jsontext.Quote(wrong) + "\nWrite all of it again, corrected: JSON that is valid for this schema, and nothing else:\n" + string(schema)
}

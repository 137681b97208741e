package conversation

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/run"
)

// compactMessages replaces the messages by fewer ones, and records them.
func (c *conversation) compactMessages() error {
	c.full = false
	before := len(c.messages)
	value, err := c.fx.Do("compact", func(context.Context) (json.RawMessage, error) {
		fewer := c.messages
		if c.Compact != nil { // it is nil if the run resumes with other settings
			fewer = pairCalls(c.Compact(slices.Clone(c.messages)))
		}
		if len(fewer) == 0 {
			return nil, &run.Error{Kind: "compaction", Text: "Compact returned no messages"}
		}
		return jsontext.Encode(fewer)
	})
	if err != nil {
		return err
	}
	c.messages = nil
	if err := json.Unmarshal(value, &c.messages); err != nil {
		return &run.Error{Kind: "invalid_entry", Text: "compacted messages: " + err.Error()}
	}
	c.fx.Emit(c.stepName(), run.MessagesCompacted{Before: before, After: len(c.messages)})
	c.fx.Emit("", MessagesAdded{Messages: c.messages, Replace: true})
	return nil
}

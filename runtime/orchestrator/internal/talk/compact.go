package talk

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// compact puts fewer messages in the place of those that there are. That is recorded: at
// replay nobody makes them fewer again.
func (c *conversation) compact() error {
	c.full = false
	before := len(c.messages)
	value, err := c.fx.Do("compact", func(context.Context) (json.RawMessage, error) {
		fewer := c.messages
		if c.Compact != nil { // else it was when the model was asked
			fewer = paired(c.Compact(slices.Clone(c.messages)))
		}
		if len(fewer) == 0 {
			return nil, &record.Error{Kind: "compaction", Text: "there are no messages left"}
		}
		return jsontext.Encode(fewer)
	})
	if err != nil {
		return err
	}
	c.messages = nil
	if err := json.Unmarshal(value, &c.messages); err != nil {
		return &record.Error{Kind: "invalid_entry", Text: "messages that were made fewer: " + err.Error()}
	}
	c.fx.Emit(c.step(), event.Compacted{Before: before, After: len(c.messages)})
	c.fx.Emit("", task.Said{Messages: c.messages, Anew: true})
	return nil
}

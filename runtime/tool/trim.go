package tool

import (
	"context"
	"encoding/json"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsonschema/trim"
	"github.com/aiongen/aiongen/runtime/wire"
)

// Trim cuts longer results, in bytes of JSON: texts, then lists, lose their ends where
// the output schema lets them, and [Call.Note] says so; else there is an [*OutputError].
func Trim(bytes int) Middleware {
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (json.RawMessage, error) {
			c.Note = ""
			output, err := next(ctx, c)
			if err != nil || len(output) <= bytes {
				return output, err
			}
			return c.trim(output, bytes)
		}
	}
}

// trim cuts a result that is too long.
func (c *Call) trim(output json.RawMessage, bytes int) (json.RawMessage, error) {
	var schema *jsonschema.Schema
	if text := c.Definition().Output; len(text) > 0 {
		var err error
		if schema, err = jsonschema.Parse(text); err != nil {
			return nil, &OutputError{Tool: c.Request.Name, Err: err}
		}
	}
	cut, lost, err := trim.Fit(string(output), schema, bytes)
	if err != nil { // what it is worth to a model is that it is too long
		return nil, &OutputError{Tool: c.Request.Name, Err: &wire.LongError{Length: len(output), Limit: bytes}}
	}
	if lost != "" {
		c.Note = "The result was too long and has been cut: " + lost + ". Ask for less to see the rest."
	}
	return json.RawMessage(cut), nil
}

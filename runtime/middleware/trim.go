package middleware

import (
	"context"
	"encoding/json"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/runtime/internal/result"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Trim shortens results that exceed a number of bytes of JSON. It cuts the ends of texts and then of lists
// where the output schema allows that, and reports it in [tool.Call.Note]. If that is not enough, the call
// fails with a [*tool.OutputError].
func Trim(bytes int) tool.Middleware {
	return func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (output json.RawMessage, err error) {
			c.Note = ""
			if output, err = next(ctx, c); err != nil || len(output) <= bytes {
				return output, err
			}
			if output, c.Note, err = shorten(output, c.Definition().Output, bytes); err != nil {
				err = &tool.OutputError{Tool: c.Request.Name, Err: err}
			}
			return output, err
		}
	}
}

// shorten returns a result of at most the given size that is still valid by its schema, which may be empty,
// and a note for the model on what was cut, "" if nothing was.
func shorten(output, schema json.RawMessage, bytes int) (short json.RawMessage, note string, err error) {
	var of *jsonschema.Schema
	if len(schema) > 0 {
		if of, err = jsonschema.Parse(schema); err != nil {
			return nil, "", err
		}
	}
	cut, lost, err := jsonschema.Truncate(string(output), of, bytes)
	if err != nil { // the model needs to know only that the result is too long
		return nil, "", &result.LongError{Length: len(output), Limit: bytes}
	}
	if lost != "" {
		note = "The result was too long and has been cut: " + lost + ". Ask for less to see the rest."
	}
	return json.RawMessage(cut), note, nil
}

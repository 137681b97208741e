package guard

import (
	"context"
	"encoding/json"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsonschema/trim"
	"github.com/aiongen/aiongen/runtime/internal/result"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Trim cuts longer results, in bytes of JSON: texts, then lists, lose their ends where
// the output schema lets them, and [tool.Call.Note] says so; else there is an [*tool.OutputError].
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

// shorten returns a result of at most so many bytes that is still one of its schema,
// which may be empty, and what the model is to be told of what it lost, "" if that is
// nothing.
func shorten(output, schema json.RawMessage, bytes int) (short json.RawMessage, note string, err error) {
	var of *jsonschema.Schema
	if len(schema) > 0 {
		if of, err = jsonschema.Parse(schema); err != nil {
			return nil, "", err
		}
	}
	cut, lost, err := trim.Fit(string(output), of, bytes)
	if err != nil { // what it is worth to a model is that it is too long
		return nil, "", &result.LongError{Length: len(output), Limit: bytes}
	}
	if lost != "" {
		note = "The result was too long and has been cut: " + lost + ". Ask for less to see the rest."
	}
	return json.RawMessage(cut), note, nil
}

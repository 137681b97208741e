package middleware

import (
	"context"
	"encoding/json"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/runtime/internal/result"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Trim shortens results whose JSON exceeds a number of bytes. It cuts the ends of texts, and then the ends of
// lists, where the output schema allows shorter ones, and tells the model in [tool.Call.Note] what was cut. If
// the result is still too long, the call fails with a [*tool.OutputError].
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

// shorten returns a result of at most the given number of bytes that still matches the schema, which may be
// empty. The note tells the model what was cut; it is empty if nothing was.
func shorten(output, schema json.RawMessage, bytes int) (short json.RawMessage, note string, err error) {
	var parsed *jsonschema.Schema
	if len(schema) > 0 {
		if parsed, err = jsonschema.Parse(schema); err != nil {
			return nil, "", err
		}
	}
	cut, lost, err := jsonschema.Truncate(string(output), parsed, bytes)
	if err != nil { // the model needs to know only that the result is too long
		return nil, "", &result.LongError{Length: len(output), Limit: bytes}
	}
	if lost != "" {
		note = "The result was too long and has been cut: " + lost + ". Ask for less to see the rest."
	}
	return json.RawMessage(cut), note, nil
}

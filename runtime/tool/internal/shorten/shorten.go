// Package shorten makes results of tools shorter, and says so to the model.
package shorten

import (
	"encoding/json"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsonschema/trim"
	"github.com/aiongen/aiongen/runtime/internal/result"
)

// Result returns a result of at most so many bytes that is still one of its schema,
// which may be empty, and what the model is to be told of what it lost, "" if that is
// nothing.
func Result(output, schema json.RawMessage, bytes int) (short json.RawMessage, note string, err error) {
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

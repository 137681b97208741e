package repair

import (
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/runtime/repair/internal/calls"
	"github.com/aiongen/aiongen/runtime/repair/internal/fit"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/tool"
)

// maxSize is the maximum length of texts, in bytes.
const maxSize = 16 << 20

// JSON returns the value in a text that a model wrote. The value may be malformed, and there may be prose, fences
// and thoughts around it. Valid JSON is returned byte for byte. Several values become a list, unless the schema
// accepts exactly one of them. The schema may be nil. Its only other purpose is to decide between readings of
// malformed JSON, such as whether 0123 is a number or a string, and whether {a, b} is a list or an object.
//
// A text may have at most 16 MiB, and its values at most 10000 levels. JSON returns an [*Error] if there is no
// value in the text, if a part of the value is missing, or if there are two readings.
func JSON(text string, schema json.RawMessage) (tool.RepairedArguments, error) {
	s, bad := reader.ParseSchema(schema)
	if bad != nil {
		return tool.RepairedArguments{}, newError(bad, text)
	}
	d, bad := readValue(text, s)
	if bad != nil {
		return tool.RepairedArguments{}, newError(bad, text)
	}
	return newResult(d, text), nil
}

// readValue returns the value in a text, after the thoughts of the model.
func readValue(text string, s *jsonschema.Schema) (fit.Document, *reader.Failure) {
	if len(text) > maxSize {
		return fit.Document{}, errTooLong
	}
	return fit.ReadDocument(text, calls.AfterThoughts(text), s)
}

var errTooLong = &reader.Failure{Code: reader.TooLong, At: maxSize, Message: fmt.Sprintf("the text is longer than %d MiB", maxSize>>20)}

// newResult returns the value and the edits. If the only edits removed text around the value, the value is
// returned byte for byte.
func newResult(d fit.Document, text string) tool.RepairedArguments {
	if len(d.Edits) == 0 {
		return tool.RepairedArguments{Value: json.RawMessage(text)}
	}
	if d.Unchanged {
		return tool.RepairedArguments{Value: json.RawMessage(text[d.From:d.To]), Edits: reader.SortEdits(text, d.Edits)}
	}
	return tool.RepairedArguments{Value: d.Value.Append(make([]byte, 0, d.To-d.From)), Edits: reader.SortEdits(text, d.Edits), Truncated: d.Cut}
}

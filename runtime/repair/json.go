package repair

import (
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/runtime/repair/internal/calls"
	"github.com/aiongen/aiongen/runtime/repair/internal/find"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
	"github.com/aiongen/aiongen/runtime/tool"
)

// maxSize bounds texts, in bytes.
const maxSize = 16 << 20

// JSON returns the value in a text that a model wrote: in or between prose,
// fences and thoughts, and written as models write JSON. Valid JSON is returned
// as it is, byte for byte. Several values become a list, unless the schema wants
// one of them. The schema, which may be nil, decides only between readings of
// what is no JSON: whether 0123 is a number or text, {a, b} a list or an object.
//
// The text has at most 16 MiB, its values at most 10000 levels. An error is an
// [*Error]: there is no value in the text, or a part of it is missing, or there are
// two that it may be.
func JSON(text string, schema json.RawMessage) (tool.Reading, error) {
	s, bad := tree.ParseSchema(schema)
	if bad != nil {
		return tool.Reading{}, errorOf(bad, text)
	}
	d, bad := valueIn(text, s)
	if bad != nil {
		return tool.Reading{}, errorOf(bad, text)
	}
	return resultOf(d, text), nil
}

// valueIn returns the value in a text, behind what the model thought.
func valueIn(text string, s *jsonschema.Schema) (find.Document, *report.Failure) {
	if len(text) > maxSize {
		return find.Document{}, tooLong
	}
	return find.Read(text, calls.AfterThoughts(text), s)
}

var tooLong = &report.Failure{Code: report.TooLong, At: maxSize, Message: fmt.Sprintf("the text is longer than %d MiB", maxSize>>20)}

// resultOf returns the value as it is in the text if that is all it has.
func resultOf(d find.Document, text string) tool.Reading {
	if len(d.Edits) == 0 {
		return tool.Reading{Value: json.RawMessage(text)}
	}
	if d.Right {
		return tool.Reading{Value: json.RawMessage(text[d.From:d.To]), Edits: report.InOrder(text, d.Made, d.Edits)}
	}
	return tool.Reading{Value: d.Value.Append(make([]byte, 0, d.To-d.From)), Edits: report.InOrder(text, d.Made, d.Edits), Truncated: d.Cut}
}

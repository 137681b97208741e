package repair

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/runtime/repair/internal/fit"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Arguments returns the arguments of a call that a model wrote, changed to match the schema of the tool's
// input, including formats and patterns, if there is exactly one way. It converts numbers and booleans in
// strings and the reverse, JSON in strings, and single values for lists and the reverse. It corrects the
// spelling of names and enum values. It removes unknown members, null or "" for absent members, and an object
// "arguments" around everything. If there are two readings, the error names both. It never moves a value into
// a bound. Malformed JSON is read as by [JSON].
//
// Valid arguments are returned byte for byte; empty ones become {}. The error is an [*Error]. Pass Arguments
// to [tool.Tolerant].
func Arguments(raw string, schema json.RawMessage) (tool.RepairedArguments, error) {
	s, bad := reader.ParseSchema(schema)
	if s == nil {
		s = schemaOfObjects
	}
	if strings.Trim(raw, scan.Blanks) == "" {
		raw = "{}"
	}
	var d fit.Document
	if bad == nil {
		d, bad = readValue(raw, s)
	}
	if bad != nil {
		return tool.RepairedArguments{}, newError(bad, raw)
	}
	value, edits, bad := fit.Arguments(raw, d.Value, s)
	switch {
	case bad != nil:
		return tool.RepairedArguments{}, newError(bad, raw)
	case value == d.Value:
		return newResult(d, raw), nil
	}
	d.Value, d.Unchanged = value, false
	result := newResult(d, raw)
	result.Edits = append(result.Edits, edits...)
	slices.SortStableFunc(result.Edits, func(a, b tool.Edit) int { return a.Offset - b.Offset })
	result.Value = value.Append(nil)
	return result, nil
}

// schemaOfObjects is for tools without an input schema.
var schemaOfObjects = func() *jsonschema.Schema {
	s, err := jsonschema.Parse([]byte(`{"type":"object"}`))
	if err != nil {
		panic(err)
	}
	return s
}()

var _ tool.Repair = Arguments

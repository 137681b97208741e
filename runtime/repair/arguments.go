package repair

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/runtime/repair/internal/find"
	"github.com/aiongen/aiongen/runtime/repair/internal/fit"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Arguments returns the arguments of a call that a model wrote, changed so that
// they are what the schema of the tool's input says, with its formats and
// patterns, if there is exactly one way: numbers, true and false in strings and
// the reverse, JSON in strings, one value for a list and the reverse, other
// spellings of names and of the values of an enum, members that the schema does
// not have, null or "" for what may be absent, and an object "arguments" around
// all. What has two readings is an error that names both; a value beyond a bound
// is never moved. Malformed JSON is read as by [JSON].
//
// Arguments that the schema allows are returned as they are, byte for byte; none
// are {}. An error is an [*Error]. Arguments is made for [tool.Tolerant].
func Arguments(raw string, schema json.RawMessage) (tool.Reading, error) {
	s, bad := tree.ParseSchema(schema)
	if s == nil {
		s = schemaOfObjects
	}
	if strings.Trim(raw, scan.Blanks) == "" {
		raw = "{}"
	}
	var d find.Document
	if bad == nil {
		d, bad = valueIn(raw, s)
	}
	if bad != nil {
		return tool.Reading{}, errorOf(bad, raw)
	}
	value, edits, bad := fit.Arguments(raw, d.Value, s)
	switch {
	case bad != nil:
		return tool.Reading{}, errorOf(bad, raw)
	case value == d.Value:
		return resultOf(d, raw), nil
	}
	d.Value, d.Right = value, false
	result := resultOf(d, raw)
	result.Edits = append(result.Edits, edits...)
	slices.SortStableFunc(result.Edits, func(a, b tool.Edit) int { return a.Offset - b.Offset })
	result.Value = value.Append(nil)
	return result, nil
}

// schemaOfObjects is for tools whose input has no schema.
var schemaOfObjects = func() *jsonschema.Schema {
	s, err := jsonschema.Parse([]byte(`{"type":"object"}`))
	if err != nil {
		panic(err)
	}
	return s
}()

var _ tool.Repair = Arguments

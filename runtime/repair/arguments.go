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

// Arguments reads the arguments of a call that a model wrote. If they do not match the schema of the tool's
// input, including formats and patterns, Arguments changes them, provided that there is exactly one way to do so:
//
//   - It converts between types: "5" to 5, 5 to "5", a string that contains JSON to the value in it, a value v to
//     [v], and [v] to v.
//   - It corrects the spelling of names and enum values.
//   - It removes unknown members, optional members whose value is null or "" although the schema does not allow
//     that, and an object {"arguments": …} around all arguments.
//
// If there are two ways to match the schema, the error names both. Arguments never changes a number to satisfy a
// minimum or a maximum. It repairs malformed JSON as [JSON] does.
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

// schemaOfObjects is the schema for tools without an input schema. It allows any object.
var schemaOfObjects = func() *jsonschema.Schema {
	s, err := jsonschema.Parse([]byte(`{"type":"object"}`))
	if err != nil {
		panic(err)
	}
	return s
}()

var _ tool.Repair = Arguments

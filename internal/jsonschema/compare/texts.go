// Package compare finds the differences between two JSON Schemas and whether they narrow or widen
// the allowed values. Texts compares two schemas, and Disjoint reports whether two schemas
// allow no common value.
package compare

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// Texts returns the differences between two schemas. An empty text is a schema that allows any value. If package
// jsonschema rejects a schema, or a schema is too large or too deep, the only difference is of the
// kind Uncompared.
func Texts(before, now json.RawMessage) []Difference {
	a, errBefore := parse(before)
	b, errNow := parse(now)
	if err := cmp.Or(errBefore, errNow); err != nil {
		return uncomparable(fmt.Sprintf("the schema is not JSON: %v", err))
	}
	if jsontext.Equal(a, b) {
		return nil
	}
	x, errBefore := jsonschema.Read(a)
	y, errNow := jsonschema.Read(b)
	if err := cmp.Or(errNow, errBefore); err != nil {
		return uncomparable(fmt.Sprintf("the schema cannot be compared: %v", err))
	}
	c := &comparison{
		sameDefinitions: sameDefinitions(a, b), done: map[pair]bool{}, budget: &budget{maxSteps},
		exclusives: map[*jsonschema.Schema]bool{}, alternatives: newDisjointness(),
	}
	c.compareSchemas(x, y, "")
	if c.budget.isSpent() { // the differences so far may be wrong
		return uncomparable("the schema is too large or too deep to be compared")
	}
	return c.differences
}

func uncomparable(text string) []Difference {
	return []Difference{{Text: text, Effect: Narrows | Widens, Kind: Uncompared}}
}

func parse(text json.RawMessage) (*jsontext.Node, error) {
	if len(text) == 0 {
		text = json.RawMessage("true")
	}
	return jsontext.Parse(string(text), jsontext.MaxDepth)
}

// Package compare finds the differences of two JSON Schemas and whether they narrow or widen
// the allowed values. Texts compares two schemas, and Disjoint reports whether two schemas
// have no value in common.
package compare

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// Texts returns the differences of two schemas. An empty text allows any value. A schema that
// package jsonschema rejects, or that is too large or too deep, yields a difference of the
// kind Uncompared.
func Texts(before, now json.RawMessage) []Difference {
	a, wrongBefore := parse(before)
	b, wrongNow := parse(now)
	if wrong := cmp.Or(wrongBefore, wrongNow); wrong != nil {
		return uncomparable(fmt.Sprintf("the schema is not JSON: %v", wrong))
	}
	if jsontext.Equal(a, b) {
		return nil
	}
	x, wrongBefore := jsonschema.Read(a)
	y, wrongNow := jsonschema.Read(b)
	if wrong := cmp.Or(wrongNow, wrongBefore); wrong != nil {
		return uncomparable(fmt.Sprintf("the schema cannot be compared: %v", wrong))
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

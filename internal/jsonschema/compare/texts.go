// Package compare finds the differences of two JSON Schemas: in what is said of each
// value, and in whether more or less values are allowed than before; and whether two
// have no value in common. Its layers, from top to bottom:
//
//	texts               two texts
//	compare             two schemas, by their alternatives of one type each, and what they hold
//	form                the alternatives of a schema
//	disjoint            whether no value is one of two schemas
//	scalar              values that are listed, strings, numbers
//	difference          what is found, in a bounded number of steps
//	keyword             which keywords limit values, and which are understood
package compare

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// Texts returns the differences of two schemas; an empty text stands for any value.
// What cannot be compared is a difference of the kind Uncompared: a schema that
// package jsonschema refuses, one that is too large or too deep.
func Texts(before, now json.RawMessage) []Difference {
	a, wrongBefore := parse(before)
	b, wrongNow := parse(now)
	if wrong := cmp.Or(wrongBefore, wrongNow); wrong != nil {
		return uncomparable(fmt.Sprintf("the schema is no JSON: %v", wrong))
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
	c.compare(x, y, "")
	if c.budget.spent() { // what was found so far may not be so
		return uncomparable("the schema is too large or too deep to be compared")
	}
	return c.found
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

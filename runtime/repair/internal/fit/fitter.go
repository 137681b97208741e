package fit

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Fitter changes values to match a schema. It may have to try several changes of a value, so it never changes a
// value in place, but copies the parts that change. It remembers the outcome for each pair of a value and a
// schema, so that it fits each pair only once.
type Fitter struct {
	*jsonschema.Checker
	jsontext.Arena
	at        trail
	faults    []tool.Fault
	text      string // the text that contains the values
	outcomes  map[pair]*outcome
	edits     []tool.Edit
	ambiguous bool // something has two readings
}

// A pair is a value and the schema that the value must match.
type pair struct {
	value  *jsontext.Node
	schema *jsonschema.Schema
}

// New returns a Fitter for values that were read from a text.
func New(text string) *Fitter {
	return &Fitter{Checker: jsonschema.NewChecker(jsonschema.StepsFor(len(text))), text: text, outcomes: map[pair]*outcome{}}
}

// These are limits on the number of faults, and on the length of their pointers in bytes.
const (
	maxFaults      = 64
	longestPointer = 1024
)

func (f *Fitter) addFault(pointer, expected, found string) {
	if len(f.faults) < maxFaults {
		f.faults = append(f.faults, tool.Fault{Pointer: pointer, Expected: expected, Found: found})
	}
}

// newNode returns a node and spends one step of the checker's budget.
func (f *Fitter) newNode(k jsontext.Kind, at int) *jsontext.Node {
	f.Spend(1)
	return f.Arena.NewNode(k, at)
}

// isSameValue reports whether two values are equal.
func (f *Fitter) isSameValue(a, b *jsontext.Node) bool {
	if a == b {
		return true
	}
	text := string(a.AppendCanonical(nil))
	f.Spend(len(text) / 8)
	return text == string(b.AppendCanonical(nil))
}

// addReading adds o to the readings of a value if the value of o matches s and differs from those of the other
// readings.
func (f *Fitter) addReading(readings []*outcome, o *outcome, s *jsonschema.Schema) []*outcome {
	if o.faults || !f.Fits(o.value, s) || slices.ContainsFunc(readings, func(other *outcome) bool { return f.isSameValue(other.value, o.value) }) {
		return readings
	}
	return append(readings, o)
}

// copyAs returns a shallow copy of a value with another key.
func (f *Fitter) copyAs(n *jsontext.Node, key string) *jsontext.Node {
	c := f.newNode(n.Kind, int(n.Start))
	*c = *n
	c.Key = key
	return c
}

package fit

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Fitter changes values into those of a schema. Values are never changed in
// place, for there may be several ways to be tried, and what is not changed is
// not copied: so no value needs to be fitted to a schema twice.
type Fitter struct {
	*jsonschema.Checker
	tree.Arena
	at        trail
	faults    []tool.Fault
	text      string // that values are in
	outcomes  map[pair]*outcome
	edits     []tool.Edit
	ambiguous bool // something has two readings
}

// A pair is a value and a schema that it is fitted to.
type pair struct {
	value  *jsontext.Node
	schema *jsonschema.Schema
}

func New(text string) *Fitter {
	return &Fitter{Checker: jsonschema.NewChecker(jsonschema.StepsFor(len(text))), text: text, outcomes: map[pair]*outcome{}}
}

// Bounds of what is said of faults: how many are described, and where their
// pointers are cut, in bytes.
const (
	mostFaults     = 64
	longestPointer = 1024
)

func (f *Fitter) add(pointer, expected, found string) {
	if len(f.faults) < mostFaults {
		f.faults = append(f.faults, tool.Fault{Pointer: pointer, Expected: expected, Found: found})
	}
}

// node counts what it makes.
func (f *Fitter) node(k jsontext.Kind, at int) *jsontext.Node {
	f.Spend(1)
	return f.Arena.Node(k, at)
}

// Same tells whether two values are equal.
func (f *Fitter) Same(a, b *jsontext.Node) bool {
	if a == b {
		return true
	}
	text := string(a.AppendCanonical(nil))
	f.Spend(len(text) / 8)
	return text == string(b.AppendCanonical(nil))
}

// try adds a reading to those of a value, if it is one of s and says something
// else than the others.
func (f *Fitter) try(readings []*outcome, o *outcome, s *jsonschema.Schema) []*outcome {
	if o.faults || !f.Fits(o.value, s) || slices.ContainsFunc(readings, func(other *outcome) bool { return f.Same(other.value, o.value) }) {
		return readings
	}
	return append(readings, o)
}

// renamed returns a copy of a value under another name.
func (f *Fitter) renamed(n *jsontext.Node, key string) *jsontext.Node {
	c := f.node(n.Kind, int(n.Start))
	*c = *n
	c.Key = key
	return c
}

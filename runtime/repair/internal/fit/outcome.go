package fit

import (
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/tool"
)

// An outcome is the value that results from fitting, with notes. It does not know its position, because the
// value may occur several times.
type outcome struct {
	value  *jsontext.Node
	notes  []note
	faults bool // some notes are faults
}

// A note is an edit, a fault, or the outcome of a part.
type note struct {
	at    step // step to the part, or sameValue
	part  *outcome
	edit  reader.EditKind
	place jsontext.Span // of the edit
	after string
	fault tool.Fault // set if Expected is not empty
}

var sameValue = step{index: -2}

// oneReading is expected where there are two readings.
const oneReading = "one reading"

// addEdit notes that a value was read as another one; after may be nil.
func (o *outcome) addEdit(kind reader.EditKind, before, after *jsontext.Node) {
	n := note{at: sameValue, edit: kind, place: before.Span}
	if after != nil {
		n.after = reader.ShowValue(after)
	}
	o.notes = append(o.notes, n)
}

// addFault notes that a value has no reading.
func (o *outcome) addFault(expected, found string) {
	o.notes = append(o.notes, note{at: sameValue, fault: tool.Fault{Expected: expected, Found: found}})
	o.faults = true
}

// addAmbiguity notes that a value has several readings.
func (o *outcome) addAmbiguity(n *jsontext.Node, readings ...string) {
	o.addFault(oneReading, jsonschema.Found(n)+", which may be "+strings.Join(readings, " or "))
}

// includePart includes the notes of a part.
func (o *outcome) includePart(at step, part *outcome) {
	if len(part.notes) > 0 {
		o.notes = append(o.notes, note{at: at, part: part})
		o.faults = o.faults || part.faults
	}
}

// applyOutcome continues with the value of another outcome.
func (o *outcome) applyOutcome(next *outcome) {
	o.includePart(sameValue, next)
	o.value = next.value
}

// trail is the path to a value.
type trail []step

// step leads to a member of an object or, without a name, to an element of a list.
type step struct {
	name  string
	index int
}

const noIndex = -1

// removeLast removes the last step.
func (t *trail) removeLast() { *t = (*t)[:len(*t)-1] }

// pointer returns the JSON Pointer of the value.
func (t trail) pointer() string {
	var b strings.Builder
	for _, s := range t {
		b.WriteByte('/')
		if s.index != noIndex {
			b.WriteString(strconv.Itoa(s.index))
		} else {
			b.WriteString(reader.CutShown(jsontext.Token(s.name)))
		}
	}
	return b.String()
}

// chooseReading continues with the only reading of a value; without one, with the value itself.
func (o *outcome) chooseReading(readings []*outcome) {
	switch len(readings) {
	case 0:
		return
	case 1:
		o.applyOutcome(readings[0])
		return
	}
	words := make([]string, len(readings))
	for i, r := range readings {
		words[i] = reader.ShowValue(r.value)
	}
	o.addAmbiguity(o.value, words...)
}

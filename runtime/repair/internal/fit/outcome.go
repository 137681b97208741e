package fit

import (
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/tool"
)

// An outcome is the result of fitting a value, with notes. It does not contain the pointer of the value, because
// outcomes are reused for a value that occurs several times.
type outcome struct {
	value  *jsontext.Node
	notes  []note
	faults bool // some notes are faults
}

// A note is an edit, a fault, or the outcome of a part.
type note struct {
	at    step     // step from the value to the part, or sameValue
	part  *outcome // nil for an edit or a fault
	edit  reader.EditKind
	place jsontext.Span // position of the edit
	after string        // text of the edit
	fault tool.Fault    // a fault, if Expected is not empty
}

// sameValue is the step of a note that is about the value itself.
var sameValue = step{index: -2}

// oneReading is what a fault expects if a value has several readings.
const oneReading = "one reading"

// addEdit notes that a value was changed to another one or, if after is nil, removed.
func (o *outcome) addEdit(kind reader.EditKind, before, after *jsontext.Node) {
	n := note{at: sameValue, edit: kind, place: before.Span}
	if after != nil {
		n.after = reader.ShowValue(after)
	}
	o.notes = append(o.notes, n)
}

// addFault notes that a value cannot be fitted.
func (o *outcome) addFault(expected, found string) {
	o.notes = append(o.notes, note{at: sameValue, fault: tool.Fault{Expected: expected, Found: found}})
	o.faults = true
}

// addAmbiguity notes that a value has several readings.
func (o *outcome) addAmbiguity(n *jsontext.Node, readings ...string) {
	o.addFault(oneReading, jsonschema.Found(n)+", which may be "+strings.Join(readings, " or "))
}

// includePart adds the notes of part, which is the outcome of the member or element at a step, or of the same
// value.
func (o *outcome) includePart(at step, part *outcome) {
	if len(part.notes) > 0 {
		o.notes = append(o.notes, note{at: at, part: part})
		o.faults = o.faults || part.faults
	}
}

// applyOutcome adds the notes of next to o, and sets the value of o to that of next.
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

// chooseReading applies the only reading of a value to o. If there are several readings, it notes the ambiguity.
// If there is none, it does nothing.
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

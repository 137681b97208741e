package fit

import (
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
	"github.com/aiongen/aiongen/runtime/tool"
)

// An outcome is what a value becomes by a schema, and what is to be said of that.
// It does not know where the value is, since that may be in several places.
type outcome struct {
	value  *jsontext.Node
	notes  []note
	faults bool // there are some in notes
}

// A note is an edit, a fault, or all that is to be said of a part.
type note struct {
	at    step // from the value to the part, or here
	part  *outcome
	edit  report.Kind
	place jsontext.Span // of the edit
	after string
	fault tool.Fault // if it has what was expected
}

var here = step{index: -2}

// oneReading is what is expected where there are two.
const oneReading = "one reading"

// edit notes that a value was read as another, which may be nil.
func (o *outcome) edit(kind report.Kind, before, after *jsontext.Node) {
	n := note{at: here, edit: kind, place: before.Span}
	if after != nil {
		n.after = tree.Shown(after)
	}
	o.notes = append(o.notes, n)
}

// fault notes that a value has no reading.
func (o *outcome) fault(expected, found string) {
	o.notes = append(o.notes, note{at: here, fault: tool.Fault{Expected: expected, Found: found}})
	o.faults = true
}

// twoReadings notes that a value has more than one reading.
func (o *outcome) twoReadings(n *jsontext.Node, readings ...string) {
	o.fault(oneReading, jsonschema.Found(n)+", which may be "+strings.Join(readings, " or "))
}

// include notes what was noted of a part.
func (o *outcome) include(at step, part *outcome) {
	if len(part.notes) > 0 {
		o.notes = append(o.notes, note{at: at, part: part})
		o.faults = o.faults || part.faults
	}
}

// become goes on with what became of the value.
func (o *outcome) become(next *outcome) {
	o.include(here, next)
	o.value = next.value
}

// trail leads to a value, from the outside in.
type trail []step

// step goes to a member of an object, or, where there is no name, to an element
// of a list.
type step struct {
	name  string
	index int
}

const noIndex = -1

// leave goes back out.
func (t *trail) leave() { *t = (*t)[:len(*t)-1] }

// pointer returns the JSON Pointer of the value.
func (t trail) pointer() string {
	var b strings.Builder
	for _, s := range t {
		b.WriteByte('/')
		if s.index != noIndex {
			b.WriteString(strconv.Itoa(s.index))
		} else {
			b.WriteString(report.Cut(jsontext.Token(s.name)))
		}
	}
	return b.String()
}

// choose goes on with the only reading of a value; with the value itself if there
// is none.
func (o *outcome) choose(readings []*outcome) {
	switch len(readings) {
	case 0:
		return
	case 1:
		o.become(readings[0])
		return
	}
	words := make([]string, len(readings))
	for i, r := range readings {
		words[i] = tree.Shown(r.value)
	}
	o.twoReadings(o.value, words...)
}

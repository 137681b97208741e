package fit

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Arguments returns the arguments in a text as what a schema says, with what was
// changed for that: the value itself, if that is one already.
func Arguments(text string, n *jsontext.Node, s *jsonschema.Schema) (*jsontext.Node, []tool.Edit, *report.Failure) {
	f := New(text)
	if f.Fits(n, s) && jsonschema.IsClear(n) {
		return n, nil, nil
	}
	o := f.arguments(n, s)
	f.report(o)
	if len(f.faults) == 0 || f.Err() != nil {
		f.check(o.value, s)
	}
	if len(f.faults) > 0 {
		return nil, nil, f.failure()
	}
	return o.value, f.edits, nil
}

// wrappers are the names that models give to an object around the arguments,
// and those of what is then beside it.
var (
	wrappers = []string{"arguments", "args", "parameters", "params", "input", "action_input", "tool_input", "kwargs", "properties"}
	labels   = []string{"name", "tool", "tool_name", "function", "action", "recipient_name", "id", "type"}
)

// arguments fits the whole.
func (f *Fitter) arguments(n *jsontext.Node, s *jsonschema.Schema) *outcome {
	o := &outcome{value: n}
	if n.Kind == jsontext.Null || n.Kind == jsontext.String && strings.Trim(tree.TextOf(n), scan.Blanks) == "" {
		o.value = tree.Like(f.node(jsontext.Object, int(n.Start)), n)
		o.edit(report.Absent, n, o.value)
	}
	o.unwrap(s)
	if !o.faults {
		o.become(f.fit(o.value, s))
	}
	return o
}

// unwrap goes on with the arguments in an object that is around them. If there are
// others beside them, they have two readings.
func (o *outcome) unwrap(s *jsonschema.Schema) {
	known := func(m *jsontext.Node) bool {
		p := tree.Property(s, m.Name())
		return p != nil && !p.Never
	}
	if o.value.Kind != jsontext.Object {
		return
	}
	var wrapper *jsontext.Node
	alone := true
	for _, m := range o.value.Items {
		switch {
		case !known(m) && wrapper == nil && slices.Contains(wrappers, m.Name()):
			wrapper = m
		case known(m) || !slices.Contains(labels, m.Name()):
			alone = false
		}
	}
	if wrapper == nil {
		return
	}
	inner := wrapper
	if inner.Kind != jsontext.Object {
		inner = reader.Parsed(wrapper)
	}
	switch {
	case inner == nil || inner.Kind != jsontext.Object:
	case alone:
		o.edit(report.Wrapper, o.value, inner)
		o.value = inner
	case tree.Property(s, wrapper.Name()) != nil: // it is never there
		for _, m := range inner.Items {
			if known(m) {
				o.twoReadings(o.value, tree.Shown(inner), "what is beside that")
				return
			}
		}
	}
}

// report records what was noted, with the places: the faults if there are any,
// else the edits.
func (f *Fitter) report(o *outcome) {
	for _, n := range o.notes {
		if o.faults && n.fault.Expected == "" && (n.part == nil || !n.part.faults) || len(f.faults) == mostFaults {
			continue
		}
		if n.at != here {
			f.at = append(f.at, n.at)
		}
		switch {
		case n.part != nil:
			f.report(n.part)
		case o.faults:
			f.ambiguous = f.ambiguous || n.fault.Expected == oneReading
			f.add(f.at.pointer(), n.fault.Expected, n.fault.Found)
		default:
			before := report.Cut(f.text[n.place.Start:n.place.End])
			f.edits = append(f.edits, tool.Edit{Kind: report.Kinds[n.edit], Pointer: f.at.pointer(), Offset: int(n.place.Start), Before: before, After: n.after})
		}
		if n.at != here {
			f.at.leave()
		}
	}
}

// check records why a value is not one of a schema, or that it takes too much to
// tell.
func (f *Fitter) check(n *jsontext.Node, s *jsonschema.Schema) {
	f.faults = nil
	for _, fault := range f.Faults(n, s) {
		f.add(words.Cut(fault.Pointer, longestPointer), fault.Expected, fault.Found)
	}
}

func (f *Fitter) failure() *report.Failure {
	bad := &report.Failure{Code: report.Arguments, At: report.Nowhere, Faults: f.faults}
	if f.ambiguous {
		bad.Code = report.Ambiguous
	}
	words := make([]string, len(f.faults))
	for i, fault := range f.faults {
		words[i] = fault.String()
	}
	bad.Message = "the arguments have no reading that fits: " + strings.Join(words, "; ")
	return bad
}

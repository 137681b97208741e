package fit

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Arguments changes the arguments n, which were read from text, to match a schema. It returns the changed arguments
// and the edits; it returns valid arguments unchanged.
func Arguments(text string, n *jsontext.Node, s *jsonschema.Schema) (*jsontext.Node, []tool.Edit, *reader.Failure) {
	f := New(text)
	if f.Fits(n, s) && jsonschema.IsClear(n) {
		return n, nil, nil
	}
	o := f.fitArguments(n, s)
	f.reportOutcome(o)
	if len(f.faults) == 0 || f.Err() != nil {
		f.checkValue(o.value, s)
	}
	if len(f.faults) > 0 {
		return nil, nil, f.newFailure()
	}
	return o.value, f.edits, nil
}

// wrapperNames are the names that models give to an object around the arguments. labelNames are names of members
// next to such an object.
var (
	wrapperNames = []string{"arguments", "args", "parameters", "params", "input", "action_input", "tool_input", "kwargs", "properties"}
	labelNames   = []string{"name", "tool", "tool_name", "function", "action", "recipient_name", "id", "type"}
)

// fitArguments fits all arguments to the schema.
func (f *Fitter) fitArguments(n *jsontext.Node, s *jsonschema.Schema) *outcome {
	o := &outcome{value: n}
	if n.Kind == jsontext.Null || n.Kind == jsontext.String && strings.Trim(reader.TextOf(n), scan.Blanks) == "" {
		o.value = reader.ReplaceNode(f.newNode(jsontext.Object, int(n.Start)), n)
		o.addEdit(reader.Absent, n, o.value)
	}
	o.unwrapArguments(s)
	if !o.faults {
		o.applyOutcome(f.fitValue(o.value, s))
	}
	return o
}

// unwrapArguments replaces an object around the arguments with the arguments. If there are arguments inside
// and next to the wrapper, it reports an ambiguity.
func (o *outcome) unwrapArguments(s *jsonschema.Schema) {
	if o.value.Kind != jsontext.Object {
		return
	}
	wrapper, alone := findWrapper(o.value.Items, s)
	if wrapper == nil {
		return
	}
	inner := wrapper
	if inner.Kind != jsontext.Object {
		inner = reader.ParseString(wrapper)
	}
	switch {
	case inner == nil || inner.Kind != jsontext.Object:
	case alone:
		o.addEdit(reader.Wrapper, o.value, inner)
		o.value = inner
	case reader.PropertyOf(s, wrapper.Name()) != nil: // the schema forbids this member
		for _, m := range inner.Items {
			if isAllowed(m, s) {
				o.addAmbiguity(o.value, reader.ShowValue(inner), "the members next to it")
				return
			}
		}
	}
}

// isAllowed reports whether a schema allows some value for a member: its properties or additionalProperties
// contain a schema for the member's name, and that schema is not false.
func isAllowed(m *jsontext.Node, s *jsonschema.Schema) bool {
	p := reader.PropertyOf(s, m.Name())
	return p != nil && !p.Never
}

// findWrapper returns the first member that may contain all arguments, or nil, and reports whether all
// other members are labels.
func findWrapper(members []*jsontext.Node, s *jsonschema.Schema) (wrapper *jsontext.Node, alone bool) {
	alone = true
	for _, m := range members {
		isArgument := isAllowed(m, s)
		switch {
		case !isArgument && wrapper == nil && slices.Contains(wrapperNames, m.Name()):
			wrapper = m
		case isArgument || !slices.Contains(labelNames, m.Name()):
			alone = false
		}
	}
	return wrapper, alone
}

// reportOutcome records the notes of o as edits. If some notes are faults, it records only the faults. It adds
// the pointer of its value to each.
func (f *Fitter) reportOutcome(o *outcome) {
	for _, n := range o.notes {
		if o.faults && n.fault.Expected == "" && (n.part == nil || !n.part.faults) || len(f.faults) == maxFaults {
			continue
		}
		if n.at != sameValue {
			f.at = append(f.at, n.at)
		}
		switch {
		case n.part != nil:
			f.reportOutcome(n.part)
		case o.faults:
			f.ambiguous = f.ambiguous || n.fault.Expected == oneReading
			f.addFault(f.at.pointer(), n.fault.Expected, n.fault.Found)
		default:
			before := reader.CutShown(f.text[n.place.Start:n.place.End])
			f.edits = append(f.edits, tool.Edit{Kind: reader.EditKinds[n.edit], Pointer: f.at.pointer(), Offset: int(n.place.Start), Before: before, After: n.after})
		}
		if n.at != sameValue {
			f.at.removeLast()
		}
	}
}

// checkValue checks a value against the schema. It replaces the faults with the reasons why the value does not
// match.
func (f *Fitter) checkValue(n *jsontext.Node, s *jsonschema.Schema) {
	f.faults = nil
	for _, fault := range f.Faults(n, s) {
		f.addFault(words.Cut(fault.Pointer, longestPointer), fault.Expected, fault.Found)
	}
}

func (f *Fitter) newFailure() *reader.Failure {
	bad := &reader.Failure{Code: reader.Arguments, At: reader.Nowhere, Faults: f.faults}
	if f.ambiguous {
		bad.Code = reader.Ambiguous
	}
	words := make([]string, len(f.faults))
	for i, fault := range f.faults {
		words[i] = fault.String()
	}
	bad.Message = "the arguments do not match the schema: " + strings.Join(words, "; ")
	return bad
}

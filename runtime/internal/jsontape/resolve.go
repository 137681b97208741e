package jsontape

import (
	"math"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/reference"
)

// Resolve prepares all strings for reading in a scope. It replaces <<<var:name>>, which has one < too many to
// be a reference, with the literal text. If simple is not nil, references may replace any value: simple
// returns the JSON of a variable that is a string, a number or a boolean, which is then read like other text,
// and "" for other variables. References to those become values of kind Reference. Resolve returns false if
// more than limit bytes would have to be inserted.
func (t *Tape) Resolve(limit int, simple func(name string) string) bool {
	if !t.resolveValue(0, limit, simple) {
		return false
	}
	t.text += string(t.appended)
	return true
}

func (t *Tape) resolveValue(at, limit int, simple func(string) string) bool {
	e := &t.entries[at]
	switch e.Kind {
	case String:
		if strings.HasPrefix(t.text[e.start+1:], `<<`) || e.escaped {
			t.resolveString(at, simple)
		}
	case Array:
		for i := at + 1; i < int(e.Next); i = t.EndOf(i) {
			if !t.resolveValue(i, limit, simple) {
				return false
			}
		}
	case Object:
		for key := range t.Keys(at) {
			if !t.resolveValue(key+1, limit, simple) {
				return false
			}
		}
		if ref := t.findReference(at); ref >= 0 && simple != nil {
			t.copyEntry(at, ref)
		}
	}
	return len(t.appended) <= min(limit, math.MaxInt32-len(t.text))
}

// copyEntry makes the value at an index equal to the reference at another index.
func (t *Tape) copyEntry(at, ref int) {
	next := t.entries[at].Next
	t.entries[at] = t.entries[ref]
	t.entries[at].Next = next
	if name, ok := t.variables[ref]; ok {
		t.variables[at] = name
	}
}

func (t *Tape) resolveString(at int, simple func(string) string) {
	e := &t.entries[at]
	text := t.Str(e)
	if literal, ok := reference.Unescape(text); ok {
		t.replaceText(e, string(jsontext.AppendQuoted(nil, literal)))
		return
	}
	name, ok := reference.ParseName(text)
	if !ok || simple == nil {
		return
	}
	value := simple(name)
	if value == "" {
		e.Kind = Reference
		return
	}
	t.replaceText(e, value)
	if t.variables == nil {
		t.variables = map[int]string{}
	}
	t.variables[at] = name
}

// replaceText makes e refer to another text, that of a string, a number or a boolean.
func (t *Tape) replaceText(e *Entry, text string) {
	one := Tape{text: text}
	one.scanValue(0, 0)
	value := &one.entries[0]
	start := int32(len(t.text) + len(t.appended))
	t.appended = append(t.appended, text...)
	e.start, e.end = start+value.start, start+value.end
	e.Kind, e.escaped, e.Replaced = value.Kind, value.escaped, true
}

// Variable returns the name of the variable that the value at an index refers to, or from which it was
// resolved.
func (t *Tape) Variable(at int) (name string, ok bool) {
	switch e := &t.entries[at]; {
	case e.Replaced:
		name, ok = t.variables[at]
		return name, ok
	case e.Kind == String, e.Kind == Reference:
		return reference.ParseName(t.Str(e))
	case e.Kind == Object:
		if ref := t.findReference(at); ref >= 0 {
			return t.Variable(ref)
		}
	}
	return "", false
}

// findReference returns the index of the reference in an object with ref, type and description, which results
// contain instead of a value that JSON cannot carry. It returns -1 for other values.
func (t *Tape) findReference(at int) (ref int) {
	ref = -1
	for key := range t.Keys(at) {
		switch name := t.Str(&t.entries[key]); {
		case name == "ref" && ref < 0:
			ref = key + 1
		case name != "type" && name != "description" || t.entries[key+1].Kind != String:
			return -1
		}
	}
	if ref < 0 {
		return -1
	}
	if kind := t.entries[ref].Kind; kind == Object || kind == Array {
		return -1
	}
	if _, ok := t.Variable(ref); !ok {
		return -1
	}
	return ref
}

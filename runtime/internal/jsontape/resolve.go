package jsontape

import (
	"math"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/reference"
)

// Resolve resolves references such as "<<var:name>>", and unescapes "<<<var:name>>" to the literal text
// "<<var:name>>". If scalarOf is nil, it only unescapes. scalarOf returns the JSON of a variable that is a
// string, a number or a boolean, and "" for other variables. Resolve replaces a reference to a scalar with
// its JSON; a reference to another variable becomes a value of kind Reference. Resolve returns false if it
// would have to insert more than limit bytes.
func (t *Tape) Resolve(limit int, scalarOf func(name string) string) bool {
	if !t.resolveValue(0, limit, scalarOf) {
		return false
	}
	t.text += string(t.appended)
	return true
}

func (t *Tape) resolveValue(index, limit int, scalarOf func(string) string) bool {
	e := &t.entries[index]
	switch e.Kind {
	case String:
		if strings.HasPrefix(t.text[e.start+1:], `<<`) || e.escaped {
			t.resolveString(index, scalarOf)
		}
	case Array:
		for i := index + 1; i < int(e.Next); i = t.EndOf(i) {
			if !t.resolveValue(i, limit, scalarOf) {
				return false
			}
		}
	case Object:
		for key := range t.Keys(index) {
			if !t.resolveValue(key+1, limit, scalarOf) {
				return false
			}
		}
		if ref := t.findReference(index); ref >= 0 && scalarOf != nil {
			t.copyEntry(index, ref)
		}
	}
	return len(t.appended) <= min(limit, math.MaxInt32-len(t.text))
}

// copyEntry replaces the object at index with the reference that it contains, at index ref: the object
// {"ref": "<<var:file>>"} becomes the reference "<<var:file>>".
func (t *Tape) copyEntry(index, ref int) {
	next := t.entries[index].Next
	t.entries[index] = t.entries[ref]
	t.entries[index].Next = next
	if name, ok := t.variables[ref]; ok {
		t.variables[index] = name
	}
}

func (t *Tape) resolveString(index int, scalarOf func(string) string) {
	e := &t.entries[index]
	text := t.Str(e)
	if literal, ok := reference.Unescape(text); ok {
		t.replaceText(e, string(jsontext.AppendQuoted(nil, literal)))
		return
	}
	name, ok := reference.ParseName(text)
	if !ok || scalarOf == nil {
		return
	}
	value := scalarOf(name)
	if value == "" {
		e.Kind = Reference
		return
	}
	t.replaceText(e, value)
	if t.variables == nil {
		t.variables = map[int]string{}
	}
	t.variables[index] = name
}

// replaceText replaces the value of e with another scalar, given as JSON.
func (t *Tape) replaceText(e *Entry, text string) {
	inserted := Tape{text: text}
	inserted.scanValue(0, 0)
	value := &inserted.entries[0]
	start := int32(len(t.text) + len(t.appended))
	t.appended = append(t.appended, text...)
	e.start, e.end = start+value.start, start+value.end
	e.Kind, e.escaped, e.Replaced = value.Kind, value.escaped, true
}

// Variable returns the name of the variable to which the value at an index refers, or from which Resolve
// took the value.
func (t *Tape) Variable(index int) (name string, ok bool) {
	switch e := &t.entries[index]; {
	case e.Replaced:
		name, ok = t.variables[index]
		return name, ok
	case e.Kind == String, e.Kind == Reference:
		return reference.ParseName(t.Str(e))
	case e.Kind == Object:
		if ref := t.findReference(index); ref >= 0 {
			return t.Variable(ref)
		}
	}
	return "", false
}

// findReference returns the index of the reference in an object such as {"ref": "<<var:file>>", "type": …,
// "description": …}. Results contain such objects in place of values that JSON cannot represent. It returns
// -1 for other values.
func (t *Tape) findReference(index int) (ref int) {
	ref = -1
	for key := range t.Keys(index) {
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

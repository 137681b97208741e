package tape

import (
	"math"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/reference"
)

// Resolve prepares all values for reading where strings can refer to variables. It
// puts literal text in the place of <<<var:name>>, which has one < too many to be a
// reference. With simple, references may stand for any value: simple returns the
// JSON of a variable that is a string, a number or a boolean, which is then read
// like any text, and "" of others. References to these become values of a kind of
// their own. Resolve returns false if there are more than limit bytes to put in.
func (t *Tape) Resolve(limit int, simple func(name string) string) bool {
	if !t.resolve(0, limit, simple) {
		return false
	}
	t.text += string(t.more)
	return true
}

func (t *Tape) resolve(at, limit int, simple func(string) string) bool {
	e := &t.entries[at]
	switch e.Kind {
	case String:
		if strings.HasPrefix(t.text[e.start+1:], `<<`) || e.escaped {
			t.resolveString(at, simple)
		}
	case Array:
		for i := at + 1; i < int(e.Next); i = t.End(i) {
			if !t.resolve(i, limit, simple) {
				return false
			}
		}
	case Object:
		for key := range t.Keys(at) {
			if !t.resolve(key+1, limit, simple) {
				return false
			}
		}
		if ref := t.written(at); ref >= 0 && simple != nil {
			t.stand(at, ref)
		}
	}
	return len(t.more) <= min(limit, math.MaxInt32-len(t.text))
}

// stand lets the value at an index be what the reference at another one is.
func (t *Tape) stand(at, ref int) {
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
		t.replace(e, string(jsontext.AppendQuoted(nil, literal)))
		return
	}
	name, ok := reference.Name(text)
	if !ok || simple == nil {
		return
	}
	value := simple(name)
	if value == "" {
		e.Kind = Reference
		return
	}
	t.replace(e, value)
	if t.variables == nil {
		t.variables = map[int]string{}
	}
	t.variables[at] = name
}

// replace lets e stand for another text, that of a string, number or boolean.
func (t *Tape) replace(e *Entry, text string) {
	one := Tape{text: text}
	one.scanValue(0, 0)
	value := &one.entries[0]
	start := int32(len(t.text) + len(t.more))
	t.more = append(t.more, text...)
	e.start, e.end = start+value.start, start+value.end
	e.Kind, e.escaped, e.Replaced = value.Kind, value.escaped, true
}

// Variable returns the name that the value at an index refers to, or has been
// resolved from.
func (t *Tape) Variable(at int) (name string, ok bool) {
	switch e := &t.entries[at]; {
	case e.Replaced:
		name, ok = t.variables[at]
		return name, ok
	case e.Kind == String, e.Kind == Reference:
		return reference.Name(t.Str(e))
	case e.Kind == Object:
		if ref := t.written(at); ref >= 0 {
			return t.Variable(ref)
		}
	}
	return "", false
}

// written returns the index of the reference in what results have in the place of a
// value: an object with ref, type and description. It is -1 of other values.
func (t *Tape) written(at int) (ref int) {
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

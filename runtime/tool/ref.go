package tool

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
	"time"
)

// Ref reads a reference to a variable that is a T, which JSON cannot carry.
func Ref[T any](v Value) (x T) {
	if v.d == nil {
		return x
	}
	if name, ok := v.reference(); ok {
		if value, ok := v.d.scope.lookup(name); ok {
			if x, ok := value.(T); ok {
				return x
			}
		}
	}
	v.failReference(holds[T])
	return x
}

// RefOr reads a reference to a variable that is a T, or else the part of a T that
// JSON can carry, with read.
func RefOr[T any](v Value, read func(Value) T) T {
	if _, ok := v.reference(); ok {
		return Ref[T](v)
	}
	return read(v)
}

// Nested reads a T, which JSON can carry, with read; or a reference to one, in a
// scope that was made with [ReferToValues].
func Nested[T any](v Value, read func(Value) T) T {
	if v.mayRefer() {
		if x, ok := referred[T](v); ok {
			return x
		}
	}
	return read(v)
}

// mayRefer reports whether v may be a reference to what JSON could carry.
func (v Value) mayRefer() bool { return v.d != nil && v.d.scope != nil && v.d.scope.refersToValues }

// referred reads v as a reference to a T, if it is one. A variable of a type that
// differs from T by its name alone does.
func referred[T any](v Value) (x T, ok bool) {
	name, ok := v.reference()
	if !ok {
		return x, false
	}
	value, _ := v.d.scope.lookup(name)
	if x, ok := value.(T); ok {
		return x, true
	}
	to, from := reflect.TypeFor[T](), reflect.ValueOf(value)
	if from.IsValid() && from.Kind() == to.Kind() && from.CanConvert(to) {
		return from.Convert(to).Interface().(T), true
	}
	v.failReference(holds[T])
	return x, true
}

// Holds reports whether a scope has a variable that is a T. A tool that is made
// with it can only be called then; see [Of.Needs].
func Holds[T any](s *Scope) bool { return len(s.fitting(holds[T])) > 0 }

func holds[T any](value any) bool {
	_, ok := value.(T)
	return ok
}

// reference returns the name that v refers to. Without a scope, nothing is a
// reference.
func (v Value) reference() (name string, ok bool) {
	if v.d == nil || v.d.scope == nil || v.d.tape[v.at].kind != kindString {
		return "", false
	}
	return reference(v.d.str(&v.d.tape[v.at]))
}

func (v Value) failReference(fits func(any) bool) {
	switch {
	case v.d.count >= maxFaults:
		v.d.count++
	case v.d.scope == nil:
		v.Fail("a reference to a variable, which cannot be given here")
	default:
		names := v.d.scope.fitting(fits)
		for i, name := range names {
			names[i] = refOpen + name + refClose
		}
		if len(names) == 0 {
			v.Fail("a reference to a variable that fits, of which there is none")
			return
		}
		v.Fail("one of the references " + list(names, " or "))
	}
}

// resolve puts the values of variables that are simple in the place of their
// references, and the literal text in the place of <<<var:name>>. References to
// others stay, for the readers that know their types.
func (d *decoder) resolve() {
	for i := range d.tape {
		e := &d.tape[i]
		if e.kind != kindString || !strings.HasPrefix(d.text[e.start+1:], "<<") {
			continue
		}
		text := d.str(e)
		if rest, ok := strings.CutPrefix(text, "<"); ok {
			if _, ok := reference(rest); ok {
				d.replace(e, string(appendString(nil, rest)))
				continue
			}
		}
		name, ok := reference(text)
		if !ok || !d.scope.refersToValues {
			continue
		}
		value, known := d.scope.lookup(name)
		if !known {
			Value{d, i}.failReference(func(any) bool { return true })
		} else if simple, ok := simpleJSON(value); ok {
			d.replace(e, simple)
		}
	}
}

// replace lets e stand for another text, which is a string, number or literal.
func (d *decoder) replace(e *entry, text string) {
	e.start, e.escaped = int32(len(d.text)), strings.Contains(text, `\`)
	d.text += text
	e.end = int32(len(d.text))
	switch text[0] {
	case '"':
		e.kind = kindString
	case 't':
		e.kind = kindTrue
	case 'f':
		e.kind = kindFalse
	default:
		e.kind = kindNumber
	}
}

// simpleJSON returns the JSON of a value that has no parts.
func simpleJSON(value any) (text string, ok bool) {
	if d, ok := value.(time.Duration); ok {
		return string(appendString(nil, d.String())), true
	}
	if _, ok := value.(encoding.TextMarshaler); !ok {
		switch k := reflect.ValueOf(value).Kind(); {
		case k == reflect.Bool, k == reflect.String, reflect.Int <= k && k <= reflect.Float64:
		default:
			return "", false
		}
	}
	b, err := json.Marshal(value)
	if err != nil || b[0] == '{' || b[0] == '[' || b[0] == 'n' {
		return "", false
	}
	return string(b), true
}

// EncodeRef keeps x, which JSON cannot carry, in the scope of the call, and
// writes a reference to it; nil is null.
func EncodeRef[T any](e *Encoder, lead string, x T) {
	t := reflect.TypeFor[T]()
	e.ref(lead, x, t)
}

func (e *Encoder) ref(lead string, x any, t reflect.Type) {
	if isNil(x) {
		e.Null(lead)
		return
	}
	if !e.begin(lead) {
		return
	}
	name, err := e.call.keep(x, t)
	if err != nil {
		e.fail(err)
		return
	}
	e.b = append(e.b, '{')
	e.Str(`,"ref":`, refOpen+name+refClose)
	e.Str(`,"type":`, t.String())
	if text := describe(x); text != "" {
		e.Str(`,"description":`, text)
	}
	e.Raw("}")
}

func isNil(x any) bool {
	v := reflect.ValueOf(x)
	switch v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Chan, reflect.Func, reflect.Map, reflect.Pointer, reflect.Slice, reflect.UnsafePointer:
		return v.IsNil()
	}
	return false
}

// referenceSchema is the JSON Schema of a reference.
const referenceSchema = `{"type":"string","pattern":"^<<var:[A-Za-z0-9_.-]{1,64}>>$","description":"a reference to a variable"}`

// admitReferences lets each property of an input schema be a reference, too.
func admitReferences(schema json.RawMessage) json.RawMessage {
	d := decoder{text: string(schema), maxDepth: len(schema)}
	if !d.scan() || d.tape[0].kind != kindObject {
		return schema
	}
	o := Value{d: &d}.Object()
	properties := o.Opt("properties")
	if !properties.Ok() || d.tape[properties.at].kind != kindObject {
		return schema
	}
	var b strings.Builder
	done := 0 // how much of the text was copied
	o = properties.Object()
	for key := range o.keys() {
		e := &d.tape[key+1]
		b.WriteString(d.text[done:e.start] + `{"anyOf":[` + d.text[e.start:e.end] + "," + referenceSchema + "]}")
		done = int(e.end)
	}
	b.WriteString(d.text[done:])
	return json.RawMessage(b.String())
}

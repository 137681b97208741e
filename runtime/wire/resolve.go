package wire

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// resolve prepares the value at an index of the tape, and all in it, for reading
// in a scope. It puts literal text in the place of <<<var:name>>, which has one <
// too many to be a reference. In a scope that was made with [ReferToValues], it
// puts variables without parts, such as numbers, in the place of references to
// them: they are read like any text. The other references there become values of
// a kind of their own, which only readers that know how to take them from the
// scope accept. It returns false if there is too much to put in.
func (d *Decoder) resolve(at, limit int) bool {
	e := &d.tape[at]
	switch e.kind {
	case kindString:
		if strings.HasPrefix(d.text[e.start+1:], `<<`) || e.escaped {
			d.resolveString(at)
		}
	case kindArray:
		for i := at + 1; i < int(e.next); i = d.ends(i) {
			if !d.resolve(i, limit) {
				return false
			}
		}
	case kindObject:
		for key := at + 1; key < int(e.next); key = d.ends(key + 1) {
			if !d.resolve(key+1, limit) {
				return false
			}
		}
	}
	if len(d.more) > min(limit, math.MaxInt32-len(d.text)) {
		d.count++
		d.add("", fmt.Sprintf("references to variables of at most %d bytes", limit), "more")
		return false
	}
	return true
}

func (d *Decoder) resolveString(at int) {
	e := &d.tape[at]
	text := d.str(e)
	if literal, ok := unescapeReference(text); ok {
		d.replace(e, string(jsontext.AppendQuoted(nil, literal)))
		return
	}
	name, ok := reference(text)
	if !ok || !d.toValues {
		return
	}
	value, _ := d.vars.Lookup(name)
	if !d.replace(e, simpleJSON(value)) {
		e.kind = kindReference
		return
	}
	d.referred = true
	if d.simple == nil {
		d.simple = map[int]string{}
	}
	d.simple[at] = name
}

// replace lets e stand for another text, if it is a string, number or boolean.
func (d *Decoder) replace(e *entry, text string) bool {
	one := Decoder{text: text} // of no depth
	if !one.scan() || one.tape[0].kind == kindNull {
		return false
	}
	start := int32(len(d.text) + len(d.more))
	d.more = append(d.more, text...)
	e.start, e.end = start+one.tape[0].start, start+one.tape[0].end
	e.kind, e.escaped, e.replaced = one.tape[0].kind, one.tape[0].escaped, true
	return true
}

// simpleJSON returns the JSON of a value that has no parts, "" of others. It does
// without encoding/json, which small programs need not link.
func simpleJSON(value any) string {
	if isNil(value) {
		return ""
	}
	e := &Encoder{limit: math.MaxInt32}
	switch x := value.(type) {
	case time.Duration:
		e.Duration("", x)
	case json.Number:
		e.Number("", x)
	case encoding.TextMarshaler:
		e.simpleText(x)
	case json.Marshaler: // of a form that only encoding/json knows
	default:
		e.simple(reflect.ValueOf(value))
	}
	if e.bad != nil {
		return ""
	}
	return string(e.b)
}

// simpleText writes the text of a value, as a number where it is one and the
// value is no text to encoding/json: big.Int.
func (e *Encoder) simpleText(x encoding.TextMarshaler) {
	text, err := x.MarshalText()
	if err != nil {
		return
	}
	_, own := x.(json.Marshaler)
	if end, ok := jsontext.NumberEnd(string(text), 0); own && ok && end == len(text) {
		e.Raw(string(text))
		return
	}
	e.Str("", string(text))
}

// simple writes a value that has no parts, nothing of others.
func (e *Encoder) simple(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Bool:
		e.Bool("", v.Bool())
	case v.Kind() == reflect.String:
		e.Str("", v.String())
	case v.CanInt():
		e.Int("", v.Int())
	case v.CanUint():
		e.Uint("", v.Uint())
	case v.Kind() == reflect.Float32:
		e.Float32("", float32(v.Float()))
	case v.CanFloat():
		e.Float64("", v.Float())
	}
}

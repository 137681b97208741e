package wire

import (
	"cmp"
	"math"
	"reflect"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
)

// A place is the position of a value in the arguments of a call, with the methods of [Value] that do not depend on a Go
// type. The zero place has no value.
type place struct {
	d  *Decoder
	at int // index of the value on the tape
}

// Ok reports whether there is a value.
func (p place) Ok() bool { return p.d != nil }

// IsNull reports whether the value is null. It returns false for an absent value.
func (p place) IsNull() bool { return p.entryOfKind(jsontape.Null) != nil }

// Fail records a fault of the value; expected describes what was expected instead, such as "an even number". It
// does nothing if the value is absent.
//
//go:noinline
func (p place) Fail(expected string) {
	if p.d != nil && !p.d.faults.isBound(p.at) {
		p.d.recordFault(p.at, expected)
	}
}

// failNumber records which number was expected. If the value is not an integer or its exponent is too long,
// failNumber drops the earlier faults of the value, because they follow from this one.
func (p place) failNumber(expected string) {
	if expected == anInteger || expected == words.SmallerExponent {
		p.d.faults.dropLast(p.at)
	}
	p.Fail(expected)
}

// failOneOf records that one of n values was expected. text formats the value at an index, and describe turns all
// these texts into one description. Both are slow, so failOneOf does not call them if the fault is only counted.
func (p place) failOneOf(n int, text func(int) string, describe func([]string) string) {
	if p.d.faults.isFull() {
		p.d.faults.countFault()
		return
	}
	all := make([]string, n)
	for i := range all {
		all[i] = text(i)
	}
	p.Fail(describe(all))
}

// failUnmarshal records that a type failed to parse a string. The message describes the format of the type or, if that
// is unknown, contains the error.
func (p place) failUnmarshal(t reflect.Type, err error) {
	p.Fail(cmp.Or(jsonschema.DescribeGoType(t.String()), "another string ("+words.Cut(err.Error(), jsontape.LongestKey)+")"))
}

// entryOfKind returns the entry of the value if the value has the given kind, and otherwise nil.
func (p place) entryOfKind(k jsontape.Kind) *jsontape.Entry {
	if p.d != nil {
		if e := p.d.tape.EntryAt(p.at); e.Kind == k {
			return e
		}
	}
	return nil
}

// expectKind is like entryOfKind, but records a fault if the value has another kind.
func (p place) expectKind(k jsontape.Kind, expected string) *jsontape.Entry {
	e := p.entryOfKind(k)
	if e == nil {
		p.Fail(expected)
	}
	return e
}

// readSigned reads an integer with the given number of bits.
func (p place) readSigned(bits int) int64 { return readNumber(p, anInteger, parseSigned, bits) }

// readUnsigned reads an unsigned integer with the given number of bits.
func (p place) readUnsigned(bits int) uint64 { return readNumber(p, anInteger, parseUnsigned, bits) }

// readFloat reads a number within the range of a float with the given number of bits.
func (p place) readFloat(bits int) float64 { return readNumber(p, aNumber, parseFloat, bits) }

// readNumber reads a number with parse, which returns what was expected if it fails. kind describes all such numbers.
func readNumber[T any](p place, kind string, parse func(text string, bits int) (T, string), bits int) (x T) {
	if e := p.expectKind(jsontape.Number, kind); e != nil {
		var expected string
		if x, expected = parse(p.d.tape.Text(e), bits); expected != "" {
			p.failNumber(expected)
		}
	}
	return x
}

// numberText returns the text of a number; "" if the value is not a number.
func (p place) numberText() (text string) {
	if e := p.entryOfKind(jsontape.Number); e != nil {
		text = p.d.tape.Text(e)
	}
	return text
}

// comparableInteger returns the number for comparison with integer bounds, if it has no fraction. A number that does
// not fit an int64 becomes the largest or the smallest int64, which compares the same.
func (p place) comparableInteger() (n int64, ok bool) {
	text := p.numberText()
	if text == "" {
		return 0, false
	}
	n, state := jsontext.ParseSigned(text, 64)
	if state == jsontext.OutOfRange {
		n = math.MaxInt64
		if text[0] == '-' {
			n = math.MinInt64
		}
	}
	return n, state != jsontext.Fraction
}

// comparableFloat returns the number for comparison with other bounds. A number beyond the range of a float64 is
// infinite.
func (p place) comparableFloat() (x float64, ok bool) {
	text := p.numberText()
	x, _ = strconv.ParseFloat(text, 64)
	return x, text != ""
}

// stringText returns the text of a string, and reports whether the value is a string.
func (p place) stringText() (text string, ok bool) {
	e := p.entryOfKind(jsontape.String)
	if e == nil {
		return "", false
	}
	return p.d.tape.Str(e), true
}

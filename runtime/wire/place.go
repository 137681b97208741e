package wire

import (
	"cmp"
	"reflect"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsonschema/text"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/tape"
	"github.com/aiongen/aiongen/runtime/wire/internal/number"
)

// A place in the arguments of a call: what is written there, whatever Go type it
// is read as, and what is wrong with it. The zero place is nowhere.
type place struct {
	d  *Decoder
	at int
}

// Ok reports whether there is a value.
func (p place) Ok() bool { return p.d != nil }

// Fail records the fault that something else was expected, as in "an even
// number", in the place of the value. It does nothing if that is absent.
//
//go:noinline
func (p place) Fail(expected string) {
	if p.d != nil && !p.d.faults.IsBound(p.at) {
		p.d.fault(p.at, expected)
	}
}

// failNumber records what number was expected. Where it is none of the kind at all, the
// rest that is wrong with it follows from that.
func (p place) failNumber(expected string) {
	if expected == number.Integer || expected == words.SmallerExponent {
		p.d.faults.Drop(p.at)
	}
	p.Fail(expected)
}

// failOneOf records that one of n values was expected, in the words of say. Writing them
// all out is dear, so it is left where the fault is only counted.
func (p place) failOneOf(n int, text func(int) string, say func([]string) string) {
	if p.d.faults.IsFull() {
		p.d.faults.Counts()
		return
	}
	all := make([]string, n)
	for i := range all {
		all[i] = text(i)
	}
	p.Fail(say(all))
}

// unreadable records that the parser of a type refused a string: in its own words, where
// schemas have none for what it reads.
func (p place) unreadable(t reflect.Type, err error) {
	p.Fail(cmp.Or(text.Parsed(t.String()), "another string ("+words.Cut(err.Error(), tape.LongestKey)+")"))
}

// entry returns what is there if it has the given kind, or else nil.
func (p place) entry(k tape.Kind) *tape.Entry {
	if p.d != nil {
		if e := p.d.tape.At(p.at); e.Kind == k {
			return e
		}
	}
	return nil
}

// expect is as entry, but records a fault if something of another kind is there.
func (p place) expect(k tape.Kind, expected string) *tape.Entry {
	e := p.entry(k)
	if e == nil {
		p.Fail(expected)
	}
	return e
}

// signed reads an integer of so many bits.
func (p place) signed(bits int) (n int64) {
	if e := p.expect(tape.Number, number.Integer); e != nil {
		var expected string
		if n, expected = number.Signed(p.d.tape.Text(e), bits); expected != "" {
			p.failNumber(expected)
		}
	}
	return n
}

// unsigned reads a natural number of so many bits.
func (p place) unsigned(bits int) (n uint64) {
	if e := p.expect(tape.Number, number.Integer); e != nil {
		var expected string
		if n, expected = number.Unsigned(p.d.tape.Text(e), bits); expected != "" {
			p.failNumber(expected)
		}
	}
	return n
}

// floating reads a number within the range of a float of so many bits.
func (p place) floating(bits int) (x float64) {
	if e := p.expect(tape.Number, number.Any); e != nil {
		var expected string
		if x, expected = number.Float(p.d.tape.Text(e), bits); expected != "" {
			p.failNumber(expected)
		}
	}
	return x
}

// number returns the text of a number, "" where there is none.
func (p place) number() (text string) {
	if e := p.entry(tape.Number); e != nil {
		text = p.d.tape.Text(e)
	}
	return text
}

// whole returns the number that is compared with bounds of integers.
func (p place) whole() (n int64, ok bool) {
	text := p.number()
	if text == "" {
		return 0, false
	}
	return number.Whole(text)
}

// float returns the number that is compared with other bounds; it is infinite
// beyond the range of a float64.
func (p place) float() (x float64, ok bool) {
	text := p.number()
	x, _ = strconv.ParseFloat(text, 64)
	return x, text != ""
}

// str returns what a string says, if one is there.
func (p place) str() (text string, ok bool) {
	e := p.entry(tape.String)
	if e == nil {
		return "", false
	}
	return p.d.tape.Str(e), true
}

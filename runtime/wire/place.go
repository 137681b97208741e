package wire

import (
	"slices"
	"strconv"

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
	if p.d != nil {
		p.d.fault(p.at, expected)
	}
}

// FailAt records a fault of what is within the value at a JSON Pointer, where there
// may be nothing, unless that was expected there before. It is for tools that check
// their arguments by themselves, and does nothing if the value is absent.
func (p place) FailAt(pointer, expected, found string) {
	if p.d == nil {
		return
	}
	pointer = words.Cut(p.d.tape.Pointer(p.at)+pointer, longestPointer)
	known := slices.ContainsFunc(p.d.faults, func(f Fault) bool { return f.Pointer == pointer && f.Expected == expected })
	if !known && p.d.counts() {
		p.d.add(pointer, expected, found)
	}
}

// longestPointer is where the pointers of FailAt are cut.
const longestPointer = 4 * tape.LongestKey

// failOneOf records that one of n words was expected. Writing them all out is
// dear, so it is left where the fault is only counted.
func (p place) failOneOf(n int, word func(int) string) {
	if p.d.count >= maxFaults {
		p.d.count++
		return
	}
	all := make([]string, n)
	for i := range all {
		all[i] = word(i)
	}
	p.Fail(words.OneOf(all))
}

// unreadable records that a parser refused a string, in its own words.
func (p place) unreadable(err error) {
	p.Fail("another string (" + words.Cut(err.Error(), tape.LongestKey) + ")")
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
			p.Fail(expected)
		}
	}
	return n
}

// unsigned reads a natural number of so many bits.
func (p place) unsigned(bits int) (n uint64) {
	if e := p.expect(tape.Number, number.Integer); e != nil {
		var expected string
		if n, expected = number.Unsigned(p.d.tape.Text(e), bits); expected != "" {
			p.Fail(expected)
		}
	}
	return n
}

// floating reads a number within the range of a float of so many bits.
func (p place) floating(bits int) (x float64) {
	if e := p.expect(tape.Number, number.Any); e != nil {
		var expected string
		if x, expected = number.Float(p.d.tape.Text(e), bits); expected != "" {
			p.Fail(expected)
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

package wire

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/wire/internal/format"
	"github.com/aiongen/aiongen/runtime/wire/internal/tape"
)

// Value is one value of the arguments of a call. Each of its readers returns the
// value as a Go type, or records a [Fault] on the call and returns zero. The
// zero Value is absent: every reader returns zero and records nothing, so that
// one missing value is one fault. Values are good until the function that reads
// the arguments returns.
type Value struct {
	d  *Decoder
	at int
}

// Ok reports whether there is a value.
func (v Value) Ok() bool { return v.d != nil }

// Fail records the fault that something else was expected, as in "an even
// number", in the place of v. It does nothing if v is absent.
//
//go:noinline
func (v Value) Fail(expected string) {
	if v.d != nil {
		v.d.fault(v.at, expected)
	}
}

// FailAt records a fault of what is within v at a JSON Pointer, where there may be
// nothing, unless that was expected there before. It is for tools that check their
// arguments by themselves, and does nothing if v is absent.
func (v Value) FailAt(pointer, expected, found string) {
	if v.d == nil {
		return
	}
	pointer = words.Cut(v.d.tape.Pointer(v.at)+pointer, longestPointer)
	known := slices.ContainsFunc(v.d.faults, func(f Fault) bool { return f.Pointer == pointer && f.Expected == expected })
	if !known && v.d.counts() {
		v.d.add(pointer, expected, found)
	}
}

// longestPointer is where the pointers of FailAt are cut.
const longestPointer = 4 * tape.LongestKey

// expect returns the entry of v if it has the given kind. Else it is a fault,
// or v is absent, and the entry nil.
func (v Value) expect(k tape.Kind, expected string) *tape.Entry {
	if v.d != nil {
		if e := v.d.tape.At(v.at); e.Kind == k {
			return e
		}
		v.Fail(expected)
	}
	return nil
}

// Bool reads true or false.
func (v Value) Bool() bool {
	if v.d == nil {
		return false
	}
	switch v.d.tape.At(v.at).Kind {
	case tape.True:
		return true
	case tape.False:
	default:
		v.Fail(words.Truth)
	}
	return false
}

// Str reads a string.
func (v Value) Str() string {
	if v.d == nil {
		return ""
	}
	if e := v.d.tape.At(v.at); e.Kind == tape.String {
		return v.d.tape.Str(e)
	}
	v.Fail("a string")
	return ""
}

// Int reads an integer that fits an int. As for all kinds of integer, 5.0 and
// 5e0 are integers, every digit counts, and one that does not fit is a fault.
func (v Value) Int() int { return int(v.signed(strconv.IntSize)) }

// Int8 reads an integer that fits an int8; see [Value.Int].
func (v Value) Int8() int8 { return int8(v.signed(8)) }

// Int16 reads an integer that fits an int16; see [Value.Int].
func (v Value) Int16() int16 { return int16(v.signed(16)) }

// Int32 reads an integer that fits an int32; see [Value.Int].
func (v Value) Int32() int32 { return int32(v.signed(32)) }

// Int64 reads an integer that fits an int64; see [Value.Int].
func (v Value) Int64() int64 { return v.signed(64) }

// Uint reads an integer that fits a uint; see [Value.Int].
func (v Value) Uint() uint { return uint(v.unsigned(strconv.IntSize)) }

// Uint8 reads an integer that fits a uint8; see [Value.Int].
func (v Value) Uint8() uint8 { return uint8(v.unsigned(8)) }

// Uint16 reads an integer that fits a uint16; see [Value.Int].
func (v Value) Uint16() uint16 { return uint16(v.unsigned(16)) }

// Uint32 reads an integer that fits a uint32; see [Value.Int].
func (v Value) Uint32() uint32 { return uint32(v.unsigned(32)) }

// Uint64 reads an integer that fits a uint64; see [Value.Int].
func (v Value) Uint64() uint64 { return v.unsigned(64) }

func (v Value) signed(bits int) int64 {
	e := v.expect(tape.Number, "an integer")
	if e == nil {
		return 0
	}
	n, state := jsontext.ParseSigned(v.d.tape.Text(e), bits)
	if state != jsontext.Fits {
		limit := int64(1) << (bits - 1)
		v.failInteger(state, strconv.FormatInt(-limit, 10), strconv.FormatInt(limit-1, 10))
	}
	return n
}

func (v Value) unsigned(bits int) uint64 {
	e := v.expect(tape.Number, "an integer")
	if e == nil {
		return 0
	}
	n, state := jsontext.ParseUnsigned(v.d.tape.Text(e), bits)
	if state != jsontext.Fits {
		v.failInteger(state, "0", strconv.FormatUint(math.MaxUint64>>(64-bits), 10))
	}
	return n
}

// failInteger records that v is no integer, or not within its bounds.
func (v Value) failInteger(state jsontext.Integral, low, high string) {
	if state == jsontext.Beyond {
		v.Fail("an integer from " + low + " to " + high)
	} else {
		v.Fail("an integer")
	}
}

// Float64 reads a number. One beyond the range of a float64 is a fault.
func (v Value) Float64() float64 { return v.float(64) }

// Float32 reads a number. One beyond the range of a float32 is a fault.
func (v Value) Float32() float32 { return float32(v.float(32)) }

func (v Value) float(bits int) float64 {
	e := v.expect(tape.Number, "a number")
	if e == nil {
		return 0
	}
	x, err := strconv.ParseFloat(v.d.tape.Text(e), bits)
	if err != nil {
		largest := "1.8e308"
		if bits == 32 {
			largest = "3.4e38"
		}
		v.Fail("a number from -" + largest + " to " + largest)
		return 0
	}
	return x
}

// Number reads a number as it is written.
func (v Value) Number() json.Number {
	if e := v.expect(tape.Number, "a number"); e != nil {
		return json.Number(v.d.tape.Own(v.d.tape.Text(e)))
	}
	return ""
}

// Enum reads one of the strings of the table. It returns the table's own.
func (v Value) Enum(table []string) string {
	if v.d == nil {
		return ""
	}
	if e := v.d.tape.At(v.at); e.Kind == tape.String {
		for _, s := range table {
			if v.d.tape.Reads(e, s) {
				return s
			}
		}
	}
	v.failOneOf(len(table), func(i int) string { return table[i] })
	return ""
}

// IntEnum reads one of the integers of the table.
func (v Value) IntEnum(table []int64) int64 {
	if v.d == nil {
		return 0
	}
	if e := v.d.tape.At(v.at); e.Kind == tape.Number {
		n, state := jsontext.ParseSigned(v.d.tape.Text(e), 64)
		if state == jsontext.Fits && slices.Contains(table, n) {
			return n
		}
	}
	v.failOneOf(len(table), func(i int) string { return strconv.FormatInt(table[i], 10) })
	return 0
}

// failOneOf records that one of n words was expected. Writing them all out is
// dear, so it is left where the fault is only counted.
func (v Value) failOneOf(n int, word func(int) string) {
	if v.d.count >= maxFaults {
		v.d.count++
		return
	}
	all := make([]string, n)
	for i := range all {
		all[i] = word(i)
	}
	v.Fail(words.OneOf(all))
}

// Time reads a date-time of RFC 3339. It must have a zone, capital letters, and
// no leap second.
func (v Value) Time() time.Time {
	e := v.expect(tape.String, words.WithTime)
	if e == nil {
		return time.Time{}
	}
	t, err := format.Time(v.d.tape.Str(e))
	if err != nil {
		v.failTime()
		return time.Time{}
	}
	return t
}

// failTime records that the string v is no date-time.
func (v Value) failTime() {
	if _, err := format.Time(v.d.tape.Str(v.d.tape.At(v.at)) + "Z"); err == nil {
		v.Fail(words.Zone)
	} else {
		v.Fail(words.Time)
	}
}

// Duration reads a duration in hours, minutes and seconds, of ISO 8601 (PT1H30M)
// or as Go writes it (1h30m). Units that depend on a calendar are a fault, and so
// is a number without a unit.
func (v Value) Duration() time.Duration {
	e := v.expect(tape.String, "a string with a duration such as PT1H30M")
	if e == nil {
		return 0
	}
	x, ok := format.Duration(v.d.tape.Str(e))
	if !ok {
		v.Fail("a duration in hours, minutes and seconds such as PT1H30M")
	}
	return x
}

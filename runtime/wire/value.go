package wire

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/tape"
	"github.com/aiongen/aiongen/runtime/wire/internal/format"
	"github.com/aiongen/aiongen/runtime/wire/internal/number"
)

// Value is one value of the arguments of a call. Each of its readers returns the
// value as a Go type, or records a [Fault] on the call and returns zero. The
// zero Value is absent: every reader returns zero and records nothing, so that
// one missing value is one fault. Values are good until the function that reads
// the arguments returns.
type Value struct{ place }

func (d *Decoder) value(at int) Value { return Value{place{d, at}} }

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

// Float64 reads a number. One beyond the range of a float64 is a fault.
func (v Value) Float64() float64 { return v.floating(64) }

// Float32 reads a number. One beyond the range of a float32 is a fault.
func (v Value) Float32() float32 { return float32(v.floating(32)) }

// Number reads a number as it is written; one with a long exponent is a fault.
func (p place) Number() json.Number {
	if e := p.expect(tape.Number, number.Any); e != nil {
		text := p.d.tape.Own(p.d.tape.Text(e))
		if jsontext.IsUnwieldy(text) {
			p.failNumber(words.SmallerExponent)
		}
		return json.Number(text)
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
	v.failOneOf(len(table), func(i int) string {
		if v.d.inString {
			return strconv.Quote(table[i])
		}
		return table[i]
	}, words.OneString)
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
	say := words.OneInteger
	if v.d.inString {
		say = words.OneString
	}
	v.failOneOf(len(table), func(i int) string { return strconv.FormatInt(table[i], 10) }, say)
	return 0
}

// Time reads a date-time of RFC 3339. It must have a zone, capital letters, and
// no leap second.
func (v Value) Time() time.Time {
	e := v.expect(tape.String, words.WithTime)
	if e == nil {
		return time.Time{}
	}
	t, expected := format.Time(v.d.tape.Str(e))
	if expected != "" {
		v.Fail(expected)
	}
	return t
}

// Duration reads a duration in hours, minutes and seconds, of ISO 8601 (PT1H30M)
// or as Go writes it (1h30m). Units that depend on a calendar are a fault, and so
// is a number without a unit.
func (v Value) Duration() time.Duration {
	e := v.expect(tape.String, words.WithDuration)
	if e == nil {
		return 0
	}
	x, expected := format.Duration(v.d.tape.Str(e))
	if expected != "" {
		v.Fail(expected)
	}
	return x
}

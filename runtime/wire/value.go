package wire

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
)

// Value is one value in the arguments of a call. The methods that read it return the value as a Go type. If that
// is impossible, they record a [Fault] and return zero. The zero Value is absent: these methods return zero for
// it and record nothing, so that a missing value causes only one fault. Values are valid until the function that
// reads the arguments returns.
type Value struct{ place }

func (d *Decoder) valueAt(at int) Value { return Value{place{d, at}} }

// Bool reads a boolean.
func (v Value) Bool() bool {
	if v.d == nil {
		return false
	}
	switch v.d.tape.EntryAt(v.at).Kind {
	case jsontape.True:
		return true
	case jsontape.False:
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
	if e := v.d.tape.EntryAt(v.at); e.Kind == jsontape.String {
		return v.d.tape.Str(e)
	}
	v.Fail("a string")
	return ""
}

// Int reads an integer that fits an int. Like all methods for integers, it accepts 5.0 and 5e0 as integers, does not
// round, and records a fault for an integer that does not fit.
func (v Value) Int() int { return int(v.readSigned(strconv.IntSize)) }

// Int8 reads an integer that fits an int8; see [Value.Int].
func (v Value) Int8() int8 { return int8(v.readSigned(8)) }

// Int16 reads an integer that fits an int16; see [Value.Int].
func (v Value) Int16() int16 { return int16(v.readSigned(16)) }

// Int32 reads an integer that fits an int32; see [Value.Int].
func (v Value) Int32() int32 { return int32(v.readSigned(32)) }

// Int64 reads an integer that fits an int64; see [Value.Int].
func (v Value) Int64() int64 { return v.readSigned(64) }

// Uint reads an integer that fits a uint; see [Value.Int].
func (v Value) Uint() uint { return uint(v.readUnsigned(strconv.IntSize)) }

// Uint8 reads an integer that fits a uint8; see [Value.Int].
func (v Value) Uint8() uint8 { return uint8(v.readUnsigned(8)) }

// Uint16 reads an integer that fits a uint16; see [Value.Int].
func (v Value) Uint16() uint16 { return uint16(v.readUnsigned(16)) }

// Uint32 reads an integer that fits a uint32; see [Value.Int].
func (v Value) Uint32() uint32 { return uint32(v.readUnsigned(32)) }

// Uint64 reads an integer that fits a uint64; see [Value.Int].
func (v Value) Uint64() uint64 { return v.readUnsigned(64) }

// Float64 reads a number. A number beyond the range of a float64 is a fault.
func (v Value) Float64() float64 { return v.readFloat(64) }

// Float32 reads a number. A number beyond the range of a float32 is a fault.
func (v Value) Float32() float32 { return float32(v.readFloat(32)) }

// Number returns the text of a number. A number with a long exponent is a fault.
func (p place) Number() json.Number {
	if e := p.expectKind(jsontape.Number, aNumber); e != nil {
		text := p.d.tape.OwnedText(p.d.tape.Text(e))
		if jsontext.IsUnwieldy(text) {
			p.failNumber(words.SmallerExponent)
		}
		return json.Number(text)
	}
	return ""
}

// Enum reads one of the strings in the table, and returns that string of the table.
func (v Value) Enum(table []string) string {
	if v.d == nil {
		return ""
	}
	if e := v.d.tape.EntryAt(v.at); e.Kind == jsontape.String {
		for _, s := range table {
			if v.d.tape.HasText(e, s) {
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

// IntEnum reads one of the integers in the table.
func (v Value) IntEnum(table []int64) int64 {
	if v.d == nil {
		return 0
	}
	if e := v.d.tape.EntryAt(v.at); e.Kind == jsontape.Number {
		n, state := jsontext.ParseSigned(v.d.tape.Text(e), 64)
		if state == jsontext.Fits && slices.Contains(table, n) {
			return n
		}
	}
	describe := words.OneInteger
	if v.d.inString {
		describe = words.OneString
	}
	v.failOneOf(len(table), func(i int) string { return strconv.FormatInt(table[i], 10) }, describe)
	return 0
}

// Time reads a date-time of RFC 3339. A date-time without a zone is a fault. A leap second becomes the following second.
func (v Value) Time() time.Time { return readString(v.place, words.WithTime, parseTime) }

// Duration reads a duration in hours, minutes and seconds, in the format of ISO 8601 (PT1H30M) or of Go
// (1h30m). Days and longer units are a fault, and so is a number without a unit.
func (v Value) Duration() time.Duration {
	return readString(v.place, words.WithDuration, parseDuration)
}

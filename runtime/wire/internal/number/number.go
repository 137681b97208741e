// Package number reads the text of a JSON number as a number of Go, or says what was
// expected in its place. Every digit counts, and 5.0 and 5e0 are integers.
package number

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// What is expected where there is no number, or no integer.
const (
	Any     = "a number"
	Integer = "an integer"
)

// Signed reads an integer of so many bits.
func Signed(text string, bits int) (n int64, expected string) {
	n, state := jsontext.ParseSigned(text, bits)
	switch {
	case state == jsontext.Fraction:
		return n, Integer
	case state == jsontext.Fits && !jsontext.IsUnwieldy(text):
		return n, ""
	}
	most := int64(1)<<(bits-1) - 1
	return n, within(text, Integer, strconv.FormatInt(-most-1, 10), strconv.FormatInt(most, 10))
}

// Unsigned reads a natural number of so many bits.
func Unsigned(text string, bits int) (n uint64, expected string) {
	n, state := jsontext.ParseUnsigned(text, bits)
	switch {
	case state == jsontext.Fraction:
		return n, Integer
	case state == jsontext.Fits && !jsontext.IsUnwieldy(text):
		return n, ""
	}
	return n, within(text, Integer, "0", strconv.FormatUint(math.MaxUint64>>(64-bits), 10))
}

// Float reads a number within the range of a float of so many bits.
func Float(text string, bits int) (x float64, expected string) {
	x, err := strconv.ParseFloat(text, bits)
	if err == nil && !jsontext.IsUnwieldy(text) {
		return x, ""
	}
	most := "1.8e308"
	if bits == 32 {
		most = "3.4e38"
	}
	return 0, within(text, Any, "-"+most, most)
}

// within says which of two bounds a number is beyond, as a schema that has them does.
func within(text, kind, least, most string) (expected string) {
	switch {
	case jsontext.IsUnwieldy(text):
		return words.SmallerExponent
	case text[0] == '-':
		return kind + " of at least " + least
	}
	return kind + " of at most " + most
}

// Numeral is a bound as JSON writes it, like that of the schema.
func Numeral(bound float64) string {
	b, _ := jsontext.AppendFloat(nil, bound, 64) // no bound is NaN or infinite
	return string(b)
}

// longest bounds the digits of an integer of any size. To read one costs the square
// of its length.
const longest = 10_000

// Digits returns the digits of an integer of any size, with its sign.
func Digits(text string) (digits, expected string) {
	magnitude, negative := strings.CutPrefix(text, "-")
	digits, state := jsontext.WholeDigits(magnitude, longest)
	switch {
	case state == jsontext.Fraction:
		return "", Integer
	case state == jsontext.Beyond:
		return "", fmt.Sprintf("%s of at most %d digits", Integer, longest)
	case negative:
		return "-" + digits, ""
	}
	return digits, ""
}

// Whole returns the number that is compared with bounds of integers, if it has no
// fraction. Beyond 64 bits that is the largest or the least integer, which is as far
// outside of every bound.
func Whole(text string) (n int64, ok bool) {
	n, state := jsontext.ParseSigned(text, 64)
	if state == jsontext.Beyond {
		n = math.MaxInt64
		if text[0] == '-' {
			n = math.MinInt64
		}
	}
	return n, state != jsontext.Fraction
}

// Package number reads the text of a JSON number as a number of Go, or says what was
// expected in its place. Every digit counts, and 5.0 and 5e0 are integers.
package number

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// What is expected where there is no number, or no integer.
const (
	Any     = "a number"
	Integer = "an integer"
)

// Signed reads an integer of so many bits.
func Signed(text string, bits int) (n int64, expected string) {
	n, state := jsontext.ParseSigned(text, bits)
	if state != jsontext.Fits {
		most := int64(1)<<(bits-1) - 1
		expected = integer(state, strconv.FormatInt(-most-1, 10), strconv.FormatInt(most, 10))
	}
	return n, expected
}

// Unsigned reads a natural number of so many bits.
func Unsigned(text string, bits int) (n uint64, expected string) {
	n, state := jsontext.ParseUnsigned(text, bits)
	if state != jsontext.Fits {
		expected = integer(state, "0", strconv.FormatUint(math.MaxUint64>>(64-bits), 10))
	}
	return n, expected
}

func integer(state jsontext.Integral, least, most string) (expected string) {
	if state == jsontext.Beyond {
		return Integer + " from " + least + " to " + most
	}
	return Integer
}

// Float reads a number within the range of a float of so many bits.
func Float(text string, bits int) (x float64, expected string) {
	x, err := strconv.ParseFloat(text, bits)
	if err == nil {
		return x, ""
	}
	most := "1.8e308"
	if bits == 32 {
		most = "3.4e38"
	}
	return 0, Any + " from -" + most + " to " + most
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

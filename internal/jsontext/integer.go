package jsontext

import (
	"math"
	"strconv"
	"strings"
)

// Integral is the outcome of reading a number as an integer.
type Integral uint8

// The outcomes of reading a number as an integer.
const (
	Fits       Integral = iota // the integer fits its type
	Fraction                   // the number has a fraction
	OutOfRange                 // the integer does not fit its type
)

// ParseSigned parses a JSON number as a signed integer with the given number of bits.
func ParseSigned(text string, bits int) (int64, Integral) {
	magnitude, negative, state := parseMagnitude(text)
	limit := uint64(1) << (bits - 1) // the magnitude of the least integer
	switch {
	case state != Fits:
		return 0, state
	case negative && magnitude <= limit:
		return -int64(magnitude), Fits
	case !negative && magnitude < limit:
		return int64(magnitude), Fits
	default:
		return 0, OutOfRange
	}
}

// ParseUnsigned parses a JSON number as an unsigned integer with the given number of bits.
func ParseUnsigned(text string, bits int) (uint64, Integral) {
	magnitude, negative, state := parseMagnitude(text)
	switch {
	case state != Fits:
		return 0, state
	case magnitude > math.MaxUint64>>(64-bits) || negative && magnitude > 0:
		return 0, OutOfRange
	default:
		return magnitude, Fits
	}
}

// parseMagnitude parses a JSON number as an integer, and returns its magnitude and its sign.
func parseMagnitude(text string) (magnitude uint64, negative bool, state Integral) {
	digits := text
	if text[0] == '-' {
		digits, negative = text[1:], true
	}
	if len(digits) > 18 { // 20 digits could overflow a uint64
		magnitude, state = parseLong(digits)
		return magnitude, negative, state
	}
	for _, c := range []byte(digits) {
		if !isDigit(c) {
			magnitude, state = parseLong(digits)
			return magnitude, negative, state
		}
		magnitude = magnitude*10 + uint64(c-'0')
	}
	return magnitude, negative, Fits
}

// parseLong parses a number without sign, which may have a fraction or an exponent.
func parseLong(text string) (uint64, Integral) {
	digits, state := WholeDigits(text, 20) // the largest uint64 has 20 digits
	if state != Fits {
		return 0, state
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0, OutOfRange
	}
	return n, Fits
}

// WholeDigits returns the decimal digits of an integer without sign, such as "100" for 1e2, if
// there are at most maxDigits. It checks their number before it builds them, so that a large exponent does not
// cost memory.
func WholeDigits(text string, maxDigits int) (string, Integral) {
	d := ParseDecimal(text)
	switch {
	case d.Digits == "":
		return "0", Fits
	case d.Exponent < 0:
		return "", Fraction
	case int64(len(d.Digits))+d.Exponent > int64(maxDigits):
		return "", OutOfRange
	}
	return d.Digits + strings.Repeat("0", int(d.Exponent)), Fits
}

// Integer is the constraint of all integer types.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// ParseKey parses the name of a member as an integer of type K. It returns false if the
// integer does not fit.
func ParseKey[K Integer](name string) (k K, ok bool) {
	if zero := K(0); zero-1 < 0 { // K is signed
		n, err := strconv.ParseInt(name, 10, 64)
		return K(n), err == nil && int64(K(n)) == n
	}
	n, err := strconv.ParseUint(name, 10, 64)
	return K(n), err == nil && uint64(K(n)) == n
}

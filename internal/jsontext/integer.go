package jsontext

import (
	"math"
	"strconv"
	"strings"
)

// Integral says whether a number is an integer that fits its kind, or why not.
type Integral uint8

const (
	Fits     Integral = iota
	Fraction          // it has a fraction
	Beyond            // it is out of the bounds of the kind
)

// ParseSigned reads a JSON number as an integer of so many bits.
func ParseSigned(text string, bits int) (int64, Integral) {
	magnitude, negative, state := parseMagnitude(text)
	limit := uint64(1) << (bits - 1) // the least integer's magnitude
	switch {
	case state != Fits:
		return 0, state
	case negative && magnitude <= limit:
		return -int64(magnitude), Fits
	case !negative && magnitude < limit:
		return int64(magnitude), Fits
	default:
		return 0, Beyond
	}
}

// ParseUnsigned reads a JSON number as a natural number of so many bits.
func ParseUnsigned(text string, bits int) (uint64, Integral) {
	magnitude, negative, state := parseMagnitude(text)
	switch {
	case state != Fits:
		return 0, state
	case magnitude > math.MaxUint64>>(64-bits) || negative && magnitude > 0:
		return 0, Beyond
	default:
		return magnitude, Fits
	}
}

// parseMagnitude reads a JSON number as a sign and a natural number.
func parseMagnitude(text string) (magnitude uint64, negative bool, state Integral) {
	digits := text
	if text[0] == '-' {
		digits, negative = text[1:], true
	}
	if len(digits) > 18 { // 19 could overflow
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

// parseLong reads a number without sign in any of JSON's forms.
func parseLong(text string) (uint64, Integral) {
	digits, state := WholeDigits(text, 20) // as many as the largest uint64 has
	if state != Fits {
		return 0, state
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0, Beyond
	}
	return n, Fits
}

// WholeDigits returns a number without sign, in any of JSON's forms, as digits
// alone, if they are not too many. It reduces the number to digits that do not
// end in zeros and a power of ten, before anything is made of it: 1e999999999
// costs no more than its ten bytes.
func WholeDigits(text string, most int) (string, Integral) {
	d := ParseDecimal(text)
	switch {
	case d.Digits == "":
		return "0", Fits
	case d.Exponent < 0:
		return "", Fraction
	case int64(len(d.Digits))+d.Exponent > int64(most):
		return "", Beyond
	}
	return d.Digits + strings.Repeat("0", int(d.Exponent)), Fits
}

// Integer is the constraint of all kinds of integer.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// ParseKey reads the name of a member as an integer of a type, if it fits.
func ParseKey[K Integer](name string) (k K, ok bool) {
	if zero := K(0); zero-1 < 0 { // it has a sign
		n, err := strconv.ParseInt(name, 10, 64)
		return K(n), err == nil && int64(K(n)) == n
	}
	n, err := strconv.ParseUint(name, 10, 64)
	return K(n), err == nil && uint64(K(n)) == n
}

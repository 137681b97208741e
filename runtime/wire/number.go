package wire

import (
	"math"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// integerState is what came of reading a number as an integer.
type integerState uint8

const (
	integerFits integerState = iota
	integerNot               // it has a fraction
	integerOver              // it is out of the bounds of its kind
)

// parseSigned reads a JSON number as an integer of so many bits.
func parseSigned(text string, bits int) (int64, integerState) {
	magnitude, negative, state := parseMagnitude(text)
	limit := uint64(1) << (bits - 1) // the least integer's magnitude
	switch {
	case state != integerFits:
		return 0, state
	case negative && magnitude <= limit:
		return -int64(magnitude), integerFits
	case !negative && magnitude < limit:
		return int64(magnitude), integerFits
	default:
		return 0, integerOver
	}
}

// parseUnsigned reads a JSON number as a natural number of so many bits.
func parseUnsigned(text string, bits int) (uint64, integerState) {
	magnitude, negative, state := parseMagnitude(text)
	switch {
	case state != integerFits:
		return 0, state
	case magnitude > math.MaxUint64>>(64-bits) || negative && magnitude > 0:
		return 0, integerOver
	default:
		return magnitude, integerFits
	}
}

// parseMagnitude reads a JSON number as a sign and a natural number.
func parseMagnitude(text string) (magnitude uint64, negative bool, state integerState) {
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
	return magnitude, negative, integerFits
}

// parseLong reads a number without sign in any of JSON's forms.
func parseLong(text string) (uint64, integerState) {
	digits, state := wholeDigits(text, 20) // as many as the largest uint64 has
	if state != integerFits {
		return 0, state
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0, integerOver
	}
	return n, integerFits
}

// wholeDigits returns a number without sign, in any of JSON's forms, as digits
// alone, if they are not too many. It reduces the number to digits that do not
// end in zeros and a power of ten, before anything is made of it: 1e999999999
// costs no more than its ten bytes.
func wholeDigits(text string, most int) (string, integerState) {
	d := jsontext.ParseDecimal(text)
	switch {
	case d.Digits == "":
		return "0", integerFits
	case d.Exponent < 0:
		return "", integerNot
	case int64(len(d.Digits))+d.Exponent > int64(most):
		return "", integerOver
	}
	return d.Digits + strings.Repeat("0", int(d.Exponent)), integerFits
}

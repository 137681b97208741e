package wire

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// These texts describe that any number or any integer is expected.
const (
	aNumber   = "a number"
	anInteger = "an integer"
)

// parseSigned parses an integer with the given number of bits. If text is not one, it returns what was expected.
func parseSigned(text string, bits int) (n int64, expected string) {
	n, state := jsontext.ParseSigned(text, bits)
	switch {
	case state == jsontext.Fraction:
		return n, anInteger
	case state == jsontext.Fits && !jsontext.IsUnwieldy(text):
		return n, ""
	}
	most := int64(1)<<(bits-1) - 1
	return n, describeRange(text, anInteger, strconv.FormatInt(-most-1, 10), strconv.FormatInt(most, 10))
}

// parseUnsigned is like parseSigned for an unsigned integer.
func parseUnsigned(text string, bits int) (n uint64, expected string) {
	n, state := jsontext.ParseUnsigned(text, bits)
	switch {
	case state == jsontext.Fraction:
		return n, anInteger
	case state == jsontext.Fits && !jsontext.IsUnwieldy(text):
		return n, ""
	}
	return n, describeRange(text, anInteger, "0", strconv.FormatUint(math.MaxUint64>>(64-bits), 10))
}

// parseFloat is like parseSigned for a floating-point number.
func parseFloat(text string, bits int) (x float64, expected string) {
	x, err := strconv.ParseFloat(text, bits)
	if err == nil && !jsontext.IsUnwieldy(text) {
		return x, ""
	}
	most := "1.8e308"
	if bits == 32 {
		most = "3.4e38"
	}
	return 0, describeRange(text, aNumber, "-"+most, most)
}

// describeRange describes the bound that a number exceeds, with the same words as for a bound in a schema.
func describeRange(text, kind, least, most string) (expected string) {
	switch {
	case jsontext.IsUnwieldy(text):
		return words.SmallerExponent
	case text[0] == '-':
		return kind + " of at least " + least
	}
	return kind + " of at most " + most
}

// formatBound returns a bound as a JSON number.
func formatBound(bound float64) string {
	b, _ := jsontext.AppendFloat(nil, bound, 64) // no bound is NaN or infinite
	return string(b)
}

// maxDigits is the maximum number of digits of a big integer. Parsing takes time quadratic in the number of digits.
const maxDigits = 10_000

// parseDigits returns the digits of a big integer with its sign, or what was expected.
func parseDigits(text string) (digits, expected string) {
	magnitude, negative := strings.CutPrefix(text, "-")
	digits, state := jsontext.WholeDigits(magnitude, maxDigits)
	switch {
	case state == jsontext.Fraction:
		return "", anInteger
	case state == jsontext.OutOfRange:
		return "", fmt.Sprintf("%s of at most %d digits", anInteger, maxDigits)
	case negative:
		return "-" + digits, ""
	}
	return digits, ""
}

package jsontext

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// NumberEnd returns the end of the number at text[i]. If the number is malformed, it
// returns the index at which a digit is missing, and false.
func NumberEnd(text string, i int) (end int, ok bool) {
	if i < len(text) && text[i] == '-' {
		i++
	}
	if i < len(text) && text[i] == '0' {
		i++
	} else if i, ok = digitsEnd(text, i); !ok {
		return i, false
	}
	if i < len(text) && text[i] == '.' {
		if i, ok = digitsEnd(text, i+1); !ok {
			return i, false
		}
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		return digitsEnd(text, i)
	}
	return i, true
}

// IsNumber reports whether a text is a JSON number.
func IsNumber(text string) bool {
	end, ok := NumberEnd(text, 0)
	return ok && end == len(text)
}

// digitsEnd returns the end of the digits at text[i], and reports whether there are any.
func digitsEnd(text string, i int) (end int, ok bool) {
	end = i
	for end < len(text) && isDigit(text[end]) {
		end++
	}
	return end, end > i
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// A Decimal is the value of a number: its digits, without zeros at either end, times a power of ten. Zero has no
// digits. Decimals can be compared with ==.
type Decimal struct {
	Negative bool
	Digits   string
	Exponent int64
}

// maxExponent is the largest exponent of a Decimal. Larger exponents are reduced to it.
const maxExponent = 1 << 61

// ParseDecimal returns the value of a JSON number. It limits the exponent to maxExponent.
func ParseDecimal(number string) (d Decimal) {
	number, d.Negative = strings.CutPrefix(number, "-")
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		d.Exponent, _ = strconv.ParseInt(number[i+1:], 10, 63) // if out of range, the result is the nearest bound
		number = number[:i]
	}
	digits, fraction, _ := strings.Cut(number, ".")
	d.Exponent -= int64(len(fraction))
	digits += fraction
	d.Digits = strings.TrimRight(digits, "0")
	d.Exponent += int64(len(digits) - len(d.Digits))
	d.Digits = strings.TrimLeft(d.Digits, "0")
	if d.Digits == "" {
		return Decimal{}
	}
	d.Exponent = max(-maxExponent, min(d.Exponent, maxExponent))
	return d
}

// IsInteger reports whether the number has no fraction.
func (d Decimal) IsInteger() bool { return d.Exponent >= 0 }

// Int returns the integer, or the nearest int if it is out of range. It returns false for a number with a
// fraction.
func (d Decimal) Int() (n int, ok bool) {
	if !d.IsInteger() {
		return 0, false
	}
	const maxZeros = 20 // more digits than any int has
	text := d.Digits + strings.Repeat("0", int(min(d.Exponent, maxZeros)))
	if text == "" {
		return 0, true
	}
	if d.Negative {
		text = "-" + text
	}
	wide, _ := strconv.ParseInt(text, 10, strconv.IntSize)
	return int(wide), true
}

// Compare returns -1, 0 or 1 if d is less than, equal to or greater than e.
func (d Decimal) Compare(e Decimal) int {
	switch {
	case d.sign() != e.sign():
		return max(-1, min(1, d.sign()-e.sign()))
	case d.Digits == "":
		return 0
	}
	size := d.Exponent + int64(len(d.Digits)) - e.Exponent - int64(len(e.Digits))
	if size == 0 {
		size = int64(strings.Compare(d.Digits, e.Digits))
	}
	return d.sign() * int(max(-1, min(1, size)))
}

func (d Decimal) sign() int {
	switch {
	case d.Digits == "":
		return 0
	case d.Negative:
		return -1
	}
	return 1
}

// IsMultiple reports whether d is an integer multiple of step. Only zero is a multiple of
// zero. The time is proportional to the product of the numbers of digits.
func (d Decimal) IsMultiple(step Decimal) bool {
	if d.Digits == "" || step.Digits == "" {
		return d.Digits == ""
	}
	zeros := d.Exponent - step.Exponent
	if zeros < 0 {
		return false // the digits do not end in zeros
	}
	// A step of n digits contains fewer than 4n factors of two or five. If it divides the digits with
	// any number of zeros appended, it therefore also divides them with 4n zeros.
	zeros = min(zeros, 4*int64(len(step.Digits)))
	digits := d.Digits + strings.Repeat("0", int(zeros))
	if divisor, err := strconv.ParseUint(step.Digits, 10, 64); err == nil && divisor <= math.MaxUint64/10-1 {
		rest := uint64(0)
		for _, c := range []byte(digits) {
			rest = (rest*10 + uint64(c-'0')) % divisor
		}
		return rest == 0
	}
	rest := ""
	for _, c := range []byte(digits) {
		rest = smallRemainder(strings.TrimLeft(rest+string(rune(c)), "0"), step.Digits)
	}
	return rest == ""
}

// smallRemainder returns the remainder of digits divided by divisor. Zero is "". The function is fast only if the
// quotient is at most nine.
func smallRemainder(digits, divisor string) string {
	for len(digits) > len(divisor) || len(digits) == len(divisor) && digits >= divisor {
		b := []byte(digits)
		borrow := byte(0)
		for i := range b {
			at := len(b) - 1 - i
			take := borrow
			if i < len(divisor) {
				take += divisor[len(divisor)-1-i] - '0'
			}
			borrow = 0
			if b[at]-'0' < take {
				b[at] += 10
				borrow = 1
			}
			b[at] -= take
		}
		digits = strings.TrimLeft(string(b), "0")
	}
	return digits
}

// String returns d as a JSON number, which is the same for equal numbers.
func (d Decimal) String() string { return string(d.appendTo(nil)) }

func (d Decimal) appendTo(b []byte) []byte {
	if d.Digits == "" {
		return append(b, '0')
	}
	if d.Negative {
		b = append(b, '-')
	}
	return strconv.AppendInt(append(append(b, d.Digits...), 'e'), d.Exponent, 10)
}

// AppendFloat appends a floating-point number of 32 or 64 bits as ECMAScript does: without
// an exponent unless the number is very small or large, and without a leading zero in the
// exponent. It returns an error for NaN and the infinities.
func AppendFloat(b []byte, x float64, bits int) ([]byte, error) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return b, fmt.Errorf("%v is not a JSON number", x)
	}
	format := byte('f')
	if size := math.Abs(x); size != 0 {
		if bits == 64 && (size < 1e-6 || size >= 1e21) ||
			bits == 32 && (float32(size) < 1e-6 || float32(size) >= 1e21) {
			format = 'e'
		}
	}
	b = strconv.AppendFloat(b, x, format, -1, bits)
	if n := len(b); format == 'e' && b[n-4] == 'e' && b[n-3] == '-' && b[n-2] == '0' {
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b, nil
}

// longestExponent is the maximum number of digits of an exponent. For longer exponents, many JSON parsers are
// slow or fail.
const longestExponent = 4

// IsUnwieldy reports whether a number has an exponent of more than four digits, which many JSON parsers cannot handle.
func IsUnwieldy(number string) bool {
	if len(number) <= longestExponent+len("1e") {
		return false
	}
	i := strings.IndexAny(number, "eE")
	return i >= 0 && len(strings.TrimLeft(number[i+1:], "+-0")) > longestExponent
}

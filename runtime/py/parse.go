package py

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxDigits is Python's default limit for the digits of an integer in a base that is not a power of 2.
const maxDigits = 4300

// ParseInt is int(s).
func ParseInt(s string) (int, error) { return ParseIntBase(s, 10) }

// ParseFloat is float(s).
func ParseFloat(s string) (float64, error) {
	text := strings.ToLower(asciiNumber(s))
	if text == "+nan" || text == "-nan" {
		text = "nan" // strconv rejects nan with a sign
	}
	f, err := strconv.ParseFloat(text, 64)
	if isHex := strings.Contains(text, "x"); isHex || err != nil && !math.IsInf(f, 0) {
		return 0, Errorf("ValueError", "could not convert string to float: %s", Quote(s))
	}
	return f, nil
}

// ParseIntBase is int(s, base).
func ParseIntBase(s string, base int) (int, error) {
	if base != 0 && (base < 2 || base > 36) {
		return 0, Errorf("ValueError", "int() base must be >= 2 and <= 36, or 0")
	}
	negative, digits, actual, ok := splitNumber(asciiNumber(s), base)
	if ok && bits.OnesCount(uint(actual)) > 1 && len(digits) > maxDigits {
		if count := countDigits(digits, actual); count > maxDigits {
			return 0, Errorf("ValueError", "Exceeds the limit (%d digits) for integer string conversion: value has %d digits; use sys.set_int_max_str_digits() to increase the limit", maxDigits, count)
		}
	}
	n, isInt := new(big.Int).SetString(digits, actual)
	if !ok || !isInt || base == 0 && looksOctal(digits, actual) {
		return 0, Errorf("ValueError", "invalid literal for int() with base %d: %.200s", base, Quote(s))
	}
	if negative {
		n.Neg(n)
	}
	if i := n.Int64(); n.IsInt64() && int64(int(i)) == i {
		return int(i), nil
	}
	return 0, overflowError()
}

// looksOctal reports whether a number in base 10 starts with a zero and is not 0. Python rejects such literals,
// for example 012.
func looksOctal(digits string, base int) bool {
	return base == 10 && digits[0] == '0' && strings.Trim(digits, "0") != ""
}

// countDigits returns the number of digits at the start of s, which is in ASCII.
func countDigits(s string, base int) int {
	isDigit := func(c rune) bool {
		_, err := strconv.ParseUint(string(c), base, 8)
		return err == nil
	}
	return len(s) - len(strings.TrimLeftFunc(s, isDigit))
}

// asciiNumber returns s in ASCII and without surrounding white space. It converts decimal digits of other scripts to
// ASCII, and other characters outside ASCII to "?". Unlike Python's strip, it does not treat \x1c to \x1f as white
// space.
func asciiNumber(s string) string {
	s = strings.Map(func(c rune) rune {
		switch {
		case c < utf8.RuneSelf:
			return c
		case unicode.IsDigit(c):
			return '0' + digitValue(c)
		case IsSpace(c):
			return ' '
		}
		return '?'
	}, s)
	return strings.Trim(s, " \t\n\v\f\r")
}

// splitNumber splits an integer into its sign, its digits without prefix and underscores, and its base.
// It returns false if an underscore is neither between two digits nor directly after the prefix.
func splitNumber(s string, base int) (negative bool, digits string, actual int, ok bool) {
	negative = strings.HasPrefix(s, "-")
	if negative || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	if len(s) > 1 && s[0] == '0' {
		prefixed := map[byte]int{'x': 16, 'o': 8, 'b': 2}[s[1]|0x20]
		if prefixed != 0 && (base == 0 || base == prefixed) {
			s, base = strings.TrimPrefix(s[2:], "_"), prefixed
		}
	}
	if base == 0 {
		base = 10
	}
	if s == "" || strings.IndexByte("_+-", s[0]) >= 0 || strings.HasSuffix(s, "_") || strings.Contains(s, "__") {
		return false, "", base, false
	}
	return negative, strings.ReplaceAll(s, "_", ""), base, true
}

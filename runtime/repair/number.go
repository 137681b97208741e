package repair

import (
	"math/big"
	"strconv"
	"strings"
)

// A decimal is the value of a JSON number: digits, without zeros at either end,
// times a power of ten. Zero has no digits.
type decimal struct {
	negative bool
	digits   string
	power    int64
}

// parseDecimal returns the value of a JSON number. Powers of ten beyond 61 bits
// are cut to that.
func parseDecimal(lit string) (d decimal) {
	lit, d.negative = strings.CutPrefix(lit, "-")
	if i := strings.IndexAny(lit, "eE"); i >= 0 {
		d.power, _ = strconv.ParseInt(lit[i+1:], 10, 62) // at a bound if it is beyond it
		lit = lit[:i]
	}
	whole, fraction, _ := strings.Cut(lit, ".")
	d.power -= int64(len(fraction))
	all := whole + fraction
	d.digits = strings.TrimRight(all, "0")
	d.power += int64(len(all) - len(d.digits))
	d.digits = strings.TrimLeft(d.digits, "0")
	if d.digits == "" {
		return decimal{}
	}
	return d
}

func (d decimal) isInteger() bool { return d.power >= 0 }

// String returns a text that is the same for all numbers of the same value.
func (d decimal) String() string {
	sign := ""
	if d.negative {
		sign = "-"
	}
	return sign + d.digits + "e" + strconv.FormatInt(d.power, 10)
}

// compare returns -1, 0 or 1 for d less than, equal to or more than e.
func (d decimal) compare(e decimal) int {
	switch {
	case d.sign() != e.sign():
		return max(-1, min(1, d.sign()-e.sign()))
	case d.digits == "":
		return 0
	}
	size := d.power + int64(len(d.digits)) - e.power - int64(len(e.digits))
	if size == 0 {
		size = int64(strings.Compare(d.digits, e.digits))
	}
	return d.sign() * int(max(-1, min(1, size)))
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// mostDigits bounds the numbers that are divided, in digits.
const mostDigits = 1000

// isMultiple tells whether d is an integer times e. Of numbers too long to tell
// it is false.
func (d decimal) isMultiple(e decimal) bool {
	if d.digits == "" || e.digits == "" {
		return d.digits == ""
	}
	power := d.power - e.power // d/e is an integer, over another, times 10 to this
	if int64(len(d.digits)+len(e.digits))+max(power, -power) > mostDigits {
		return false
	}
	over, under := integer(d.digits, max(power, 0)), integer(e.digits, max(-power, 0))
	return new(big.Int).Rem(over, under).Sign() == 0
}

func integer(digits string, zeros int64) *big.Int {
	n, _ := new(big.Int).SetString(digits+strings.Repeat("0", int(zeros)), 10)
	return n
}

package py

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// overflowError returns the error for an integer result that Python can represent, but int cannot.
func overflowError() error {
	return Errorf("OverflowError", "the result does not fit a %d-bit integer", bits.UintSize)
}

// Add is a + b.
func Add(a, b int) (int, error) {
	if sum := a + b; (sum > a) == (b > 0) {
		return sum, nil
	}
	return 0, overflowError()
}

// Sub is a - b.
func Sub(a, b int) (int, error) {
	if difference := a - b; (difference < a) == (b > 0) {
		return difference, nil
	}
	return 0, overflowError()
}

// Mul is a * b.
func Mul(a, b int) (int, error) {
	if a == 0 || b == 0 {
		return 0, nil
	}
	product := a * b
	if product/b != a || a == math.MinInt && b == -1 || b == math.MinInt && a == -1 {
		return 0, overflowError()
	}
	return product, nil
}

// Neg is -a.
func Neg(a int) (int, error) { return Sub(0, a) }

// Abs is abs(a).
func Abs(a int) (int, error) {
	if a < 0 {
		return Neg(a)
	}
	return a, nil
}

// Div is a / b: the float64 nearest to the exact quotient.
func Div(a, b int) (float64, error) {
	switch {
	case b == 0:
		return 0, Errorf("ZeroDivisionError", "division by zero")
	case a == 0, isExact(a) && isExact(b): // a zero gets its sign from the division of floats
		return float64(a) / float64(b), nil
	}
	quotient, _ := big.NewRat(1, 1).SetFrac(big.NewInt(int64(a)), big.NewInt(int64(b))).Float64()
	return quotient, nil
}

// isExact reports whether float64 represents n and all integers closer to 0 exactly.
func isExact(n int) bool { return -1<<53 <= int64(n) && int64(n) <= 1<<53 }

// FloorDiv is a // b, rounded down.
func FloorDiv(a, b int) (int, error) {
	switch {
	case b == 0:
		return 0, Errorf("ZeroDivisionError", "integer division or modulo by zero")
	case a == math.MinInt && b == -1:
		return 0, overflowError()
	}
	return Quotient(a, b), nil
}

// Mod is a % b, with the sign of b.
func Mod(a, b int) (int, error) {
	if b == 0 {
		return 0, Errorf("ZeroDivisionError", "integer modulo by zero")
	}
	return Remainder(a, b), nil
}

// Pow is a ** b. It rejects negative exponents, because the type of the result would depend on the
// value of b.
func Pow(a, b int) (int, error) {
	switch {
	case b < 0 && a == 0:
		return 0, Errorf("ZeroDivisionError", "0.0 cannot be raised to a negative power")
	case b < 0:
		return 0, Errorf("ValueError", "an integer to the power of %d is not an integer: write float(…) ** …", b)
	}
	power := 1
	for {
		var err error
		if b&1 == 1 {
			if power, err = Mul(power, a); err != nil {
				return 0, err
			}
		}
		if b >>= 1; b == 0 {
			return power, nil
		}
		if a, err = Mul(a, a); err != nil {
			return 0, err
		}
	}
}

// DivFloat is a / b.
func DivFloat(a, b float64) (float64, error) {
	if b == 0 {
		return 0, Errorf("ZeroDivisionError", "float division by zero")
	}
	return a / b, nil
}

// FloorDivFloat is a // b.
func FloorDivFloat(a, b float64) (float64, error) {
	if b == 0 {
		return 0, Errorf("ZeroDivisionError", "float floor division by zero")
	}
	remainder := math.Mod(a, b)
	quotient := (a - remainder) / b
	if remainder != 0 && (remainder < 0) != (b < 0) {
		quotient--
	}
	if quotient == 0 {
		return math.Copysign(0, a/b), nil
	}
	floor := math.Floor(quotient)
	if quotient-floor > 0.5 {
		floor++
	}
	return floor, nil
}

// ModFloat is a % b, with the sign of b.
func ModFloat(a, b float64) (float64, error) {
	if b == 0 {
		return 0, Errorf("ZeroDivisionError", "float modulo")
	}
	remainder := math.Mod(a, b)
	switch {
	case remainder == 0:
		return math.Copysign(0, b), nil
	case (remainder < 0) != (b < 0):
		return remainder + b, nil
	}
	return remainder, nil
}

// PowFloat is a ** b. It fails if the result is a complex number.
func PowFloat(a, b float64) (float64, error) {
	switch {
	case a == 0 && b < 0 && !math.IsInf(b, 0):
		return 0, Errorf("ZeroDivisionError", "0.0 cannot be raised to a negative power")
	case a < 0 && b != math.Trunc(b) && !math.IsInf(a, 0) && !math.IsNaN(b):
		return 0, Errorf("ValueError", "the power is a complex number")
	}
	power := nearestPow(a, b)
	if math.IsInf(power, 0) && !math.IsInf(a, 0) && !math.IsInf(b, 0) {
		return 0, Errorf("OverflowError", "(34, 'Numerical result out of range')")
	}
	return power, nil
}

// Compare compares an integer with a float exactly. The result is negative, 0 or positive as a is less
// than, equal to or greater than b, and NaN if b is NaN.
func Compare(a int, b float64) float64 {
	const limit = 1 << (bits.UintSize - 1)
	switch {
	case math.IsNaN(b):
		return b
	case b >= limit:
		return -1
	case b < -limit:
		return 1
	}
	whole := math.Trunc(b)
	switch n := int(whole); {
	case a < n:
		return -1
	case a > n:
		return 1
	}
	return whole - b
}

// Trunc is int(f).
func Trunc(f float64) (int, error) {
	const limit = 1 << (bits.UintSize - 1)
	switch {
	case math.IsNaN(f):
		return 0, Errorf("ValueError", "cannot convert float NaN to integer")
	case math.IsInf(f, 0):
		return 0, Errorf("OverflowError", "cannot convert float infinity to integer")
	case f >= limit || f < -limit:
		return 0, overflowError()
	}
	return int(f), nil
}

// Round is round(f): to the nearest integer, with ties to even.
func Round(f float64) (int, error) { return Trunc(math.RoundToEven(f)) }

// RoundTo is round(f, digits).
func RoundTo(f float64, digits int) (float64, error) {
	const maxDigits, minDigits = 323, -308 // decimal places that a float64 can have
	switch {
	case math.IsNaN(f), math.IsInf(f, 0), digits > maxDigits:
		return f, nil
	case digits < minDigits:
		return math.Copysign(0, f), nil
	}
	rounded := roundDecimal(f, digits)
	if math.IsInf(rounded, 0) {
		return 0, Errorf("OverflowError", "rounded value too large to represent")
	}
	return rounded, nil
}

// RoundInt is round(n, digits). It changes n only if digits is negative.
func RoundInt(n, digits int) (int, error) {
	if digits >= 0 {
		return n, nil
	}
	if digits < -19 { // 10 ** 19 is more than twice the largest int
		return 0, nil
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-digits)), nil)
	quotient, remainder := new(big.Int).DivMod(big.NewInt(int64(n)), unit, new(big.Int))
	twice := new(big.Int).Lsh(remainder, 1)
	if c := twice.Cmp(unit); c > 0 || c == 0 && quotient.Bit(0) == 1 {
		quotient.Add(quotient, big.NewInt(1))
	}
	quotient.Mul(quotient, unit)
	if !quotient.IsInt64() || int64(int(quotient.Int64())) != quotient.Int64() {
		return 0, overflowError()
	}
	return int(quotient.Int64()), nil
}

// Integer is the constraint of all integer types.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// ConvertInt converts an integer to another integer type. It fails if the value does not fit.
func ConvertInt[To, From Integer](n From) (To, error) {
	if to := To(n); From(to) == n && (to < 0) == (n < 0) {
		return to, nil
	}
	if _, ok := any(To(0)).(int); ok {
		return 0, overflowError()
	}
	return 0, Errorf("OverflowError", "%d does not fit Go's %T", n, To(0))
}

// Narrow converts a float to a float32 type. It fails if the value is too large.
func Narrow[To ~float32](f float64) (To, error) {
	if to := To(f); !math.IsInf(float64(to), 0) || math.IsInf(f, 0) {
		return to, nil
	}
	return 0, Errorf("OverflowError", "%v does not fit Go's %T", f, To(0))
}

// Bool is int(b): 1 for True, 0 for False.
func Bool(b bool) int {
	if b {
		return 1
	}
	return 0
}

// SumInts is sum(list, start). Intermediate sums have 128 bits, so only the final sum must fit an int.
func SumInts(list []int, start int) (int, error) {
	high, low := int64(start)>>63, uint64(start)
	for _, n := range list {
		var carry uint64
		low, carry = bits.Add64(low, uint64(n), 0)
		high += int64(n)>>63 + int64(carry)
	}
	sum := int(low)
	if int64(sum) != int64(low) || high != int64(sum)>>63 {
		return 0, overflowError()
	}
	return sum, nil
}

// SumFloats is sum(list, start). Like Python before 3.12, it adds the numbers one by one, without compensation. Unlike
// in Python, the sum of an empty list is a float.
func SumFloats(list []float64, start float64) float64 {
	for _, f := range list {
		start += f
	}
	return start
}

// Quotient is a // b. It panics if b is 0, and the result may overflow if b is -1.
func Quotient(a, b int) int {
	quotient := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		quotient--
	}
	return quotient
}

// Remainder is a % b. It panics if b is 0.
func Remainder(a, b int) int {
	remainder := a % b
	if remainder != 0 && (remainder < 0) != (b < 0) {
		remainder += b
	}
	return remainder
}

// roundDecimal rounds f to a number of decimal places, which may be negative. It rounds a number in the middle
// between two results to the one with an even last digit.
func roundDecimal(f float64, digits int) float64 {
	var text string
	if digits >= 0 {
		text = strconv.FormatFloat(f, 'f', digits, 64)
	} else {
		scientific := strconv.FormatFloat(f, 'e', -1, 64)
		exponent, _ := strconv.Atoi(scientific[strings.IndexByte(scientific, 'e')+1:])
		switch places := exponent + digits; {
		case places >= 0:
			text = strconv.FormatFloat(f, 'e', places, 64)
		case places == -1 && math.Abs(f) > 5*math.Pow10(exponent): // more than half of the unit
			text = "1e" + strconv.Itoa(-digits)
			if f < 0 {
				text = "-" + text
			}
		default:
			return math.Copysign(0, f)
		}
	}
	rounded, _ := strconv.ParseFloat(text, 64) // infinite if out of range
	return rounded
}

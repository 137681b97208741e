package py

import (
	"math"
	"math/big"
)

// powPrecision is the number of bits in the computation of a power. Twice the bits of a float64 are
// enough to round correctly, except for powers close to halfway between two floats. An exact halfway
// value has 54 bits, so all its intermediate results are exact.
const powPrecision = 160

// maxFactors is greater than the number of factors of any halfway power; powers of 3 have the most,
// 34.
const maxFactors = 40

// nearestPow is math.Pow rounded correctly, as in current C libraries. C libraries differ for halfway
// powers; here they round to even.
func nearestPow(a, b float64) float64 {
	rough := math.Pow(a, b)
	if rough == 0 || a == 1 || b == 0 || math.IsInf(b, 0) || math.IsInf(rough, 0) || math.IsNaN(rough) {
		return rough
	}
	power, _ := computePow(math.Abs(a), b).Float64()
	return math.Copysign(power, rough)
}

// computePow returns a power of a positive number, exact if it is halfway between two floats. Such a
// power may be that of a root: 247839² to the power of 1.5 is 247839³.
func computePow(a, b float64) *big.Float {
	factor, times := newFloat(a), b
	for 1 < times && times < maxFactors && times != math.Trunc(times) {
		factor.Sqrt(factor)
		times *= 2
	}
	if times != math.Trunc(times) || times < 1 || times >= maxFactors {
		exponent := newFloat(b)
		return expBig(exponent.Mul(exponent, lnBig(a)))
	}
	power := newFloat(1)
	for range int(times) {
		power.Mul(power, factor)
	}
	return power
}

func newFloat(f float64) *big.Float { return new(big.Float).SetPrec(powPrecision).SetFloat64(f) }

// lnBig returns the natural logarithm of a positive number.
func lnBig(f float64) *big.Float {
	fraction, exponent := math.Frexp(f)
	if fraction < math.Sqrt2/2 {
		fraction, exponent = 2*fraction, exponent-1
	}
	m := newFloat(fraction)
	z := new(big.Float).Quo(new(big.Float).Sub(m, newFloat(1)), new(big.Float).Add(m, newFloat(1)))
	scale := newFloat(float64(exponent))
	return scale.Add(scale.Mul(scale, ln2()), twiceArtanh(z))
}

func ln2() *big.Float { return twiceArtanh(new(big.Float).Quo(newFloat(1), newFloat(3))) }

// twiceArtanh returns 2 artanh z = ln((1+z)/(1-z)) for small z, by the series 2(z + z³/3 + z⁵/5 + …).
func twiceArtanh(z *big.Float) *big.Float {
	sum, term := newFloat(0), new(big.Float).Add(z, z)
	square := new(big.Float).Mul(z, z)
	for n := 1.0; term.Sign() != 0 && n < powPrecision; n += 2 {
		sum.Add(sum, new(big.Float).Quo(term, newFloat(n)))
		term.Mul(term, square)
	}
	return sum
}

// expBig returns e to the power of x. The result must be within the range of a float64.
func expBig(x *big.Float) *big.Float {
	quotient, _ := new(big.Float).Quo(x, ln2()).Float64()
	exponent := math.Round(quotient)
	rest := newFloat(exponent)
	rest.Sub(x, rest.Mul(rest, ln2()))
	sum, term := newFloat(1), newFloat(1)
	for n := 1.0; n < 50; n++ { // 0.35 to the power of 50, by 50!, is less than 2 to that of -280
		term.Quo(term.Mul(term, rest), newFloat(n))
		sum.Add(sum, term)
	}
	return sum.SetMantExp(sum, int(exponent))
}

// PowMod is pow(base, exponent, modulus). A negative exponent is one of the inverse of the base.
func PowMod(base, exponent, modulus int) (int, error) {
	if modulus == 0 {
		return 0, Errorf("ValueError", "pow() 3rd argument cannot be 0")
	}
	m := big.NewInt(int64(modulus))
	power := big.NewInt(int64(base))
	power.Mod(power, m)
	if power.Exp(power, big.NewInt(int64(exponent)), m) == nil {
		return 0, Errorf("ValueError", "base is not invertible for the given modulus")
	}
	if modulus < 0 && power.Sign() > 0 {
		power.Add(power, m)
	}
	return int(power.Int64()), nil
}

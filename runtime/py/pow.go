package py

import (
	"math"
	"math/big"
)

// powPrecision is the number of bits with which powers are computed. It is more than twice the number of bits of
// a float64. Therefore powers are rounded correctly, unless they are extremely close to the middle between two
// floats. For powers that are exactly in the middle, all intermediate results are exact, because such a value has
// only 54 bits.
const powPrecision = 160

// maxFactors is greater than the number of factors of any power that is exactly in the middle between two floats.
// Powers of 3 have the most: 34.
const maxFactors = 40

// nearestPow is math.Pow with correct rounding, as in current C libraries. C libraries differ for powers in the middle
// between two floats; nearestPow rounds them to even.
func nearestPow(a, b float64) float64 {
	rough := math.Pow(a, b)
	if rough == 0 || a == 1 || b == 0 || math.IsInf(b, 0) || math.IsInf(rough, 0) || math.IsNaN(rough) {
		return rough
	}
	power, _ := computePow(math.Abs(a), b).Float64()
	return math.Copysign(power, rough)
}

// computePow returns a power of a positive number. If the power is exactly in the middle between two floats, the
// result is exact. The exponent of such a power may be a fraction: 247839² to the power of 1.5 is 247839³.
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
	for n := 1.0; n < 50; n++ { // |rest| < 0.35, so the terms that follow are less than 0.35⁵⁰/50! < 2⁻²⁸⁰
		term.Quo(term.Mul(term, rest), newFloat(n))
		sum.Add(sum, term)
	}
	return sum.SetMantExp(sum, int(exponent))
}

// PowMod is pow(base, exponent, modulus). For a negative exponent, it computes the power of the modular inverse of base.
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

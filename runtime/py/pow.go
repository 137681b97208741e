package py

import (
	"math"
	"math/big"
)

// powPrecision is the number of bits in which a power is computed. Twice those of a
// float64 decide how it is rounded, but for a power that is as good as half-way; what
// is half-way itself has 54, so that all that lead to it are exact.
const powPrecision = 160

// mostFactors is more than the factors of a power that is half-way: those of 3 are 34.
const mostFactors = 40

// nearestPow is math.Pow with the last bit right, as C libraries have it today; of a power
// that is half-way they say what they say, here it is the even one.
func nearestPow(a, b float64) float64 {
	rough := math.Pow(a, b)
	if rough == 0 || a == 1 || b == 0 || math.IsInf(b, 0) || math.IsInf(rough, 0) || math.IsNaN(rough) {
		return rough
	}
	power, _ := powOf(math.Abs(a), b).Float64()
	return math.Copysign(power, rough)
}

// powOf is a power of a positive number, exact if it is half-way. Such a one may be that of
// a root: 247839² to the power of 1.5 is 247839³.
func powOf(a, b float64) *big.Float {
	factor, times := newFloat(a), b
	for 1 < times && times < mostFactors && times != math.Trunc(times) {
		factor.Sqrt(factor)
		times *= 2
	}
	if times != math.Trunc(times) || times < 1 || times >= mostFactors {
		exponent := newFloat(b)
		return exp(exponent.Mul(exponent, ln(a)))
	}
	power := newFloat(1)
	for range int(times) {
		power.Mul(power, factor)
	}
	return power
}

func newFloat(f float64) *big.Float { return new(big.Float).SetPrec(powPrecision).SetFloat64(f) }

// ln is the natural logarithm of a positive number.
func ln(f float64) *big.Float {
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

// twiceArtanh is 2 artanh z for small z, ln((1+z)/(1-z)): 2(z + z³/3 + z⁵/5 + …).
func twiceArtanh(z *big.Float) *big.Float {
	sum, term := newFloat(0), new(big.Float).Add(z, z)
	square := new(big.Float).Mul(z, z)
	for n := 1.0; term.Sign() != 0 && n < powPrecision; n += 2 {
		sum.Add(sum, new(big.Float).Quo(term, newFloat(n)))
		term.Mul(term, square)
	}
	return sum
}

// exp is e to the power of x, which is neither too large nor too small for a float64.
func exp(x *big.Float) *big.Float {
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

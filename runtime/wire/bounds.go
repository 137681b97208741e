package wire

import (
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/wire/internal/tape"
	"github.com/aiongen/aiongen/runtime/wire/internal/write"
)

// Or reads v, or returns the default where v is absent.
func Or[T any](v Value, read func(Value) T, or T) T {
	if !v.Ok() {
		return or
	}
	return read(v)
}

// Min returns v, or records a fault and returns the absent Value if v is an
// integer below the bound. As for all bounds, what is of another kind is left to
// the reader that follows.
func (v Value) Min(least int64) Value {
	if n, ok := v.whole(); ok && n < least {
		return v.outside("an integer of at least", strconv.FormatInt(least, 10))
	}
	return v
}

// Max is as [Value.Min] for an integer above the bound.
func (v Value) Max(most int64) Value {
	if n, ok := v.whole(); ok && n > most {
		return v.outside("an integer of at most", strconv.FormatInt(most, 10))
	}
	return v
}

// MinFloat is as [Value.Min] for a number below the bound.
func (v Value) MinFloat(least float64) Value {
	if x, ok := v.float(); ok && x < least {
		return v.outside("a number of at least", numeral(least))
	}
	return v
}

// MaxFloat is as [Value.Min] for a number above the bound.
func (v Value) MaxFloat(most float64) Value {
	if x, ok := v.float(); ok && x > most {
		return v.outside("a number of at most", numeral(most))
	}
	return v
}

// Above is as [Value.Min] for a number that is not above the bound.
func (v Value) Above(bound float64) Value {
	if x, ok := v.float(); ok && x <= bound {
		return v.outside("a number above", numeral(bound))
	}
	return v
}

// Below is as [Value.Min] for a number that is not below the bound.
func (v Value) Below(bound float64) Value {
	if x, ok := v.float(); ok && x >= bound {
		return v.outside("a number below", numeral(bound))
	}
	return v
}

// MultipleOf is as [Value.Min] for a number that is no multiple of the step, a
// positive JSON number of at most 15 characters. It counts in decimals: 0.3 is a
// multiple of 0.1.
func (v Value) MultipleOf(step string) Value {
	if text := v.number(); text != "" && !jsontext.ParseDecimal(text).IsMultiple(jsontext.ParseDecimal(step)) {
		return v.outside("a multiple of", step)
	}
	return v
}

// Match is as [Value.Min] for a string that the pattern does not match.
func (v Value) Match(p *Pattern) Value {
	if text, ok := v.str(); ok && !p.match(text) {
		return v.outside("a string that matches", words.Cut(p.Text, tape.LongestKey))
	}
	return v
}

// Unique is as [Value.Min] for an array that has an element twice.
func (v Value) Unique() Value {
	e := v.entry(tape.Array)
	if e == nil {
		return v
	}
	seen := map[string]bool{}
	for at := v.at + 1; at < int(e.Next); at = v.d.tape.End(at) {
		text := string(v.d.tape.AppendCanonical(nil, at))
		if seen[text] {
			v.d.fault(at, words.EachElement)
			return Value{}
		}
		seen[text] = true
	}
	return v
}

// MinLen is as [Value.Min] for a string with fewer characters than the bound, or
// an array with fewer elements.
func (v Value) MinLen(least int) Value {
	if n, unit := v.length(); unit != "" && n < least {
		return v.outside("at least", words.Count(least, unit))
	}
	return v
}

// MaxLen is as [Value.MinLen] for more than the bound.
func (v Value) MaxLen(most int) Value {
	if n, unit := v.length(); unit != "" && n > most {
		return v.outside("at most", words.Count(most, unit))
	}
	return v
}

// numeral is a bound as JSON writes it, like that of the schema.
func numeral(bound float64) string {
	b, _ := write.Float(nil, bound, 64) // no bound is NaN or infinite
	return string(b)
}

// outside records that a bound is not kept, and returns the absent Value.
func (p place) outside(bound, value string) Value {
	p.Fail(bound + " " + value)
	return Value{}
}

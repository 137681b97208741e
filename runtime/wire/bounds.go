package wire

import (
	"strconv"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsonschema/text"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/lazyregexp"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/tape"
	"github.com/aiongen/aiongen/runtime/wire/internal/faults"
	"github.com/aiongen/aiongen/runtime/wire/internal/number"
)

// Or reads v, or returns the default where v is absent.
func Or[T any](v Value, read func(Value) T, or T) T {
	if !v.Ok() {
		return or
	}
	return read(v)
}

// Min returns v, and records a fault if v is an integer below the bound. As for all
// bounds, what is of another kind is left to the reader that follows, which says
// nothing more of what is beyond one.
func (p place) Min(least int64) Value {
	if n, ok := p.whole(); ok && n < least {
		return p.outside("an integer of at least " + strconv.FormatInt(least, 10))
	}
	return Value{p}
}

// Max is as [Value.Min] for an integer above the bound.
func (p place) Max(most int64) Value {
	if n, ok := p.whole(); ok && n > most {
		return p.outside("an integer of at most " + strconv.FormatInt(most, 10))
	}
	return Value{p}
}

// MinFloat is as [Value.Min] for a number below the bound.
func (p place) MinFloat(least float64) Value {
	if x, ok := p.float(); ok && x < least {
		return p.outside("a number of at least " + number.Numeral(least))
	}
	return Value{p}
}

// MaxFloat is as [Value.Min] for a number above the bound.
func (p place) MaxFloat(most float64) Value {
	if x, ok := p.float(); ok && x > most {
		return p.outside("a number of at most " + number.Numeral(most))
	}
	return Value{p}
}

// Above is as [Value.Min] for a number that is not above the bound.
func (p place) Above(bound float64) Value {
	if x, ok := p.float(); ok && x <= bound {
		return p.outside("a number above " + number.Numeral(bound))
	}
	return Value{p}
}

// Below is as [Value.Min] for a number that is not below the bound.
func (p place) Below(bound float64) Value {
	if x, ok := p.float(); ok && x >= bound {
		return p.outside("a number below " + number.Numeral(bound))
	}
	return Value{p}
}

// MultipleOf is as [Value.Min] for a number that is no multiple of the step, a
// positive JSON number of at most 15 characters. It counts in decimals: 0.3 is one of 0.1.
func (p place) MultipleOf(step string) Value {
	if text := p.number(); text != "" && !jsontext.ParseDecimal(text).IsMultiple(jsontext.ParseDecimal(step)) {
		p.d.faultOf(faults.Last(p.at), "a multiple of "+step)
	}
	return Value{p}
}

// Pattern is a regular expression that strings are checked with: its Text, in the
// syntax of package regexp. It is compiled when it is used first.
type Pattern lazyregexp.Regexp

// Match is as [Value.Min] for a string that the pattern does not match.
func (p place) Match(pattern *Pattern) Value {
	kind := text.Quoted(pattern.Text)
	if kind == "" && p.entry(tape.String) == nil {
		return Value{p} // what follows says the kind
	}
	return p.reads(kind, func(s string) string { return text.Unmatched((*lazyregexp.Regexp)(pattern), s) })
}

// Unique is as [Value.Min] for an array that has an element twice.
func (p place) Unique() Value {
	e := p.entry(tape.Array)
	if e == nil {
		return Value{p}
	}
	seen := map[string]bool{}
	for at := p.at + 1; at < int(e.Next); at = p.d.tape.End(at) {
		text := string(p.d.tape.AppendCanonical(nil, at))
		if seen[text] {
			p.d.fault(at, words.EachElement)
		}
		seen[text] = true
	}
	return Value{p}
}

// MinChars is as [Value.Min] for a string with fewer characters than the bound.
func (p place) MinChars(least int) Value {
	if s, ok := p.str(); ok && utf8.RuneCountInString(s) < least {
		return p.outside("at least " + words.Count(least, "character"))
	}
	return Value{p}
}

// MaxChars is as [Value.MinChars] for more than the bound.
func (p place) MaxChars(most int) Value {
	if s, ok := p.str(); ok && utf8.RuneCountInString(s) > most {
		return p.outside("at most " + words.Count(most, "character"))
	}
	return Value{p}
}

// MinItems is as [Value.Min] for an array with fewer elements than the bound.
func (p place) MinItems(least int) Value {
	if e := p.entry(tape.Array); e != nil && int(e.Count) < least {
		return p.outside("at least " + words.Count(least, "element"))
	}
	return Value{p}
}

// MaxItems is as [Value.MinItems] for more than the bound.
func (p place) MaxItems(most int) Value {
	if e := p.entry(tape.Array); e != nil && int(e.Count) > most {
		return p.outside("at most " + words.Count(most, "element"))
	}
	return Value{p}
}

// outside records that a bound is not kept.
func (p place) outside(expected string) Value {
	p.d.fault(p.at, expected)
	p.d.faults.Bound(p.at)
	return Value{p}
}

// reads returns the value of a reference or of a string, and records a fault if
// something else is expected in its place.
func (p place) reads(kind string, expected func(string) string) Value {
	if p.refers() {
		return Value{p}
	}
	e := p.expect(tape.String, kind)
	if e == nil {
		return Value{}
	}
	if wrong := expected(p.d.tape.Str(e)); wrong != "" {
		p.outside(wrong)
	}
	return Value{p}
}

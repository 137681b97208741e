package wire

import (
	"strconv"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/lazyregexp"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
)

// ReadOr reads v, or returns defaultValue if v is absent.
func ReadOr[T any](v Value, read func(Value) T, defaultValue T) T {
	if !v.Ok() {
		return defaultValue
	}
	return read(v)
}

// Min records a fault if the value is an integer below the bound, and returns the value. Like all bounds, it
// ignores values of other kinds: the method that reads the value next reports them. That method does not report a
// value again that a bound has rejected.
func (p place) Min(least int64) Value {
	if n, ok := p.comparableInteger(); ok && n < least {
		return p.failBound(anInteger + " of at least " + strconv.FormatInt(least, 10))
	}
	return Value{p}
}

// Max is like [Value.Min] for an integer above the bound.
func (p place) Max(most int64) Value {
	if n, ok := p.comparableInteger(); ok && n > most {
		return p.failBound(anInteger + " of at most " + strconv.FormatInt(most, 10))
	}
	return Value{p}
}

// MinFloat is like [Value.Min] for a number below the bound.
func (p place) MinFloat(least float64) Value {
	if x, ok := p.comparableFloat(); ok && x < least {
		return p.failBound(aNumber + " of at least " + formatBound(least))
	}
	return Value{p}
}

// MaxFloat is like [Value.Min] for a number above the bound.
func (p place) MaxFloat(most float64) Value {
	if x, ok := p.comparableFloat(); ok && x > most {
		return p.failBound(aNumber + " of at most " + formatBound(most))
	}
	return Value{p}
}

// Above is like [Value.Min] for a number that is not above the bound.
func (p place) Above(bound float64) Value {
	if x, ok := p.comparableFloat(); ok && x <= bound {
		return p.failBound(aNumber + " above " + formatBound(bound))
	}
	return Value{p}
}

// Below is like [Value.Min] for a number that is not below the bound.
func (p place) Below(bound float64) Value {
	if x, ok := p.comparableFloat(); ok && x >= bound {
		return p.failBound(aNumber + " below " + formatBound(bound))
	}
	return Value{p}
}

// MultipleOf is like [Value.Min] for a number that is not a multiple of step, which is a positive JSON number of at
// most 15 characters. It computes in decimal, so that 0.3 is a multiple of 0.1.
func (p place) MultipleOf(step string) Value {
	if text := p.numberText(); text != "" && !jsontext.ParseDecimal(text).IsMultiple(jsontext.ParseDecimal(step)) {
		p.d.recordFaultAt(lastPlaceOf(p.at), "a multiple of "+step)
	}
	return Value{p}
}

// Pattern is a regular expression that strings must match. Its Text has the syntax of package regexp. Match compiles
// it on first use.
type Pattern lazyregexp.Regexp

// Match is like [Value.Min] for a string that does not match the pattern.
func (p place) Match(pattern *Pattern) Value {
	kind := jsonschema.DescribeQuoted(pattern.Text)
	if kind == "" && p.entryOfKind(jsontape.String) == nil {
		return Value{p} // the method that reads the value reports its kind
	}
	return p.checkString(kind, func(s string) string { return jsonschema.ExpectedMatch((*lazyregexp.Regexp)(pattern), s) })
}

// Unique is like [Value.Min] for an array in which two elements are equal.
func (p place) Unique() Value {
	e := p.entryOfKind(jsontape.Array)
	if e == nil {
		return Value{p}
	}
	seen := map[string]bool{}
	for at := p.at + 1; at < int(e.Next); at = p.d.tape.EndOf(at) {
		text := string(p.d.tape.AppendCanonical(nil, at))
		if seen[text] {
			p.d.recordFault(at, words.EachElement)
		}
		seen[text] = true
	}
	return Value{p}
}

// MinChars is like [Value.Min] for a string with fewer characters than the bound.
func (p place) MinChars(least int) Value {
	if s, ok := p.stringText(); ok && utf8.RuneCountInString(s) < least {
		return p.failBound("at least " + words.Count(least, "character"))
	}
	return Value{p}
}

// MaxChars is like [Value.MinChars] for more characters than the bound.
func (p place) MaxChars(most int) Value {
	if s, ok := p.stringText(); ok && utf8.RuneCountInString(s) > most {
		return p.failBound("at most " + words.Count(most, "character"))
	}
	return Value{p}
}

// MinItems is like [Value.Min] for an array with fewer elements than the bound.
func (p place) MinItems(least int) Value {
	if e := p.entryOfKind(jsontape.Array); e != nil && int(e.Count) < least {
		return p.failBound("at least " + words.Count(least, "element"))
	}
	return Value{p}
}

// MaxItems is like [Value.MinItems] for more elements than the bound.
func (p place) MaxItems(most int) Value {
	if e := p.entryOfKind(jsontape.Array); e != nil && int(e.Count) > most {
		return p.failBound("at most " + words.Count(most, "element"))
	}
	return Value{p}
}

// failBound records a fault of a value that a bound rejects, and returns the value.
func (p place) failBound(expected string) Value {
	p.d.recordFault(p.at, expected)
	p.d.faults.markBound(p.at)
	return Value{p}
}

// checkString returns the value if it is a reference or a valid string. It calls expected with the string.
// expected returns "" for a valid string, or else what was expected, which checkString records as a fault.
func (p place) checkString(kind string, expected func(string) string) Value {
	if p.isReference() {
		return Value{p}
	}
	e := p.expectKind(jsontape.String, kind)
	if e == nil {
		return Value{}
	}
	if wrong := expected(p.d.tape.Str(e)); wrong != "" {
		p.failBound(wrong)
	}
	return Value{p}
}

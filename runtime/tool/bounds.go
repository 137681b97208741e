package tool

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
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
	if n, ok := v.integer(); ok && n < least {
		return v.outside("an integer of at least", strconv.FormatInt(least, 10))
	}
	return v
}

// Max is as [Value.Min] for an integer above the bound.
func (v Value) Max(most int64) Value {
	if n, ok := v.integer(); ok && n > most {
		return v.outside("an integer of at most", strconv.FormatInt(most, 10))
	}
	return v
}

// MinFloat is as [Value.Min] for a number below the bound.
func (v Value) MinFloat(least float64) Value {
	if x, ok := v.number(); ok && x < least {
		return v.outside("a number of at least", strconv.FormatFloat(least, 'g', -1, 64))
	}
	return v
}

// MaxFloat is as [Value.Min] for a number above the bound.
func (v Value) MaxFloat(most float64) Value {
	if x, ok := v.number(); ok && x > most {
		return v.outside("a number of at most", strconv.FormatFloat(most, 'g', -1, 64))
	}
	return v
}

// MinLen is as [Value.Min] for a string with fewer characters than the bound, or
// an array with fewer elements.
func (v Value) MinLen(least int) Value {
	if n, unit := v.length(); unit != "" && n < least {
		return v.outside("at least", fmt.Sprint(least, " ", unit))
	}
	return v
}

// MaxLen is as [Value.MinLen] for more than the bound.
func (v Value) MaxLen(most int) Value {
	if n, unit := v.length(); unit != "" && n > most {
		return v.outside("at most", fmt.Sprint(most, " ", unit))
	}
	return v
}

func (v Value) outside(bound, value string) Value {
	v.Fail(bound + " " + value)
	return Value{}
}

// integer is the number v, if it is one without a fraction. Beyond 64 bits it is
// the largest or the least integer, which is as far outside of every bound.
func (v Value) integer() (n int64, ok bool) {
	text := v.numberText()
	if text == "" {
		return 0, false
	}
	n, state := parseSigned(text, 64)
	if state == integerOver {
		n = math.MaxInt64
		if text[0] == '-' {
			n = math.MinInt64
		}
	}
	return n, state != integerNot
}

// number is the number v; it is infinite beyond the range of a float64.
func (v Value) number() (x float64, ok bool) {
	text := v.numberText()
	x, _ = strconv.ParseFloat(text, 64)
	return x, text != ""
}

func (v Value) numberText() string {
	if v.d == nil {
		return ""
	}
	e := &v.d.tape[v.at]
	if e.kind != kindNumber {
		return ""
	}
	return v.d.text[e.start:e.end]
}

// length is how long v is, and in what; no unit if v has no length.
func (v Value) length() (n int, unit string) {
	if v.d == nil {
		return 0, ""
	}
	switch e := &v.d.tape[v.at]; e.kind {
	case kindString:
		return utf8.RuneCountInString(v.d.str(e)), "characters"
	case kindArray:
		return int(e.count), "elements"
	}
	return 0, ""
}

package jsonschema

import (
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// IsClear reports whether all JSON parsers agree about a value, because it contains neither repeated names
// nor unwieldy numbers. A value that is not clear is never valid. Callers of Checker.Fits must also call IsClear:
// Fits does not examine parts of a value that the schema does not restrict.
func IsClear(v *jsontext.Node) bool { return !isUnclear(v, nil) }

// isUnclear reports whether a value is not clear. If all is not nil, isUnclear adds the value, if it is not clear,
// and all values in it that are not clear.
func isUnclear(v *jsontext.Node, all map[*jsontext.Node]bool) bool {
	unclear := v.FirstRepeated() != nil || v.Kind == jsontext.Number && jsontext.IsUnwieldy(v.Text)
	for _, item := range v.Items {
		if unclear && all == nil {
			return true
		}
		unclear = isUnclear(item, all) || unclear
	}
	if unclear && all != nil {
		all[v] = true
	}
	return unclear
}

// reportUnclear reports all unclear parts of a value that were not reported before.
func (c *Checker) reportUnclear(v *jsontext.Node) {
	if !c.unclear[v] {
		return
	}
	c.unclear[v] = false
	if v.Kind == jsontext.Number && jsontext.IsUnwieldy(v.Text) {
		c.addFault(words.SmallerExponent, Found(v))
	}
	given := map[string]bool{}
	for i, item := range v.Items {
		if v.Kind == jsontext.Object && given[item.Name()] {
			c.reportRepeated(v, i)
		}
		given[item.Name()] = true
		c.trail.enter(v, i)
		c.reportUnclear(item)
		c.trail.leave()
	}
}

// reportRepeated reports a member whose name is repeated, unless it was reported before.
func (c *Checker) reportRepeated(v *jsontext.Node, i int) {
	m := v.Items[i]
	if p := (pair{value: m}); !c.reported[p] {
		c.reported[p] = true
		c.trail.enter(v, i)
		c.addFault(words.EachKey, describeKey(m)+" again")
		c.trail.leave()
	}
}

// checkNumber checks the keywords for numbers.
func (h *validation) checkNumber() {
	text := h.v.Text
	if jsontext.IsUnwieldy(text) {
		h.reportFault(words.SmallerExponent)
		return
	}
	s := h.s
	if s.Minimum == nil && s.Maximum == nil && s.ExclusiveMinimum == nil && s.ExclusiveMaximum == nil && s.MultipleOf == nil {
		return
	}
	value := jsontext.ParseDecimal(text)
	h.checkLimit(s.Minimum, value, func(order int) bool { return order >= 0 }, s.describeNumber()+" of at least ")
	h.checkLimit(s.Maximum, value, func(order int) bool { return order <= 0 }, s.describeNumber()+" of at most ")
	h.checkLimit(s.ExclusiveMinimum, value, func(order int) bool { return order > 0 }, "a number above ")
	h.checkLimit(s.ExclusiveMaximum, value, func(order int) bool { return order < 0 }, "a number below ")
	if step := s.MultipleOf; step != nil {
		h.checkMultiple(value, *step)
	}
}

// checkMultiple checks multipleOf. The cost of a division grows with the number of digits of both numbers.
func (h *validation) checkMultiple(value jsontext.Decimal, step Limit) {
	n := len(step.Value.Digits)
	perDigit := 1
	if n > 19 { // more than 64 bits
		perDigit = n / 2
	}
	if h.Spend((len(value.Digits) + 4*n) * perDigit); h.err == nil && !value.IsMultiple(step.Value) {
		h.reportFault("a multiple of " + words.Cut(step.Text, jsontext.LongestShown))
	}
}

func (h *validation) checkLimit(limit *Limit, value jsontext.Decimal, fits func(order int) bool, expected string) {
	if limit != nil && !fits(value.Compare(limit.Value)) {
		h.reportFault(expected + limit.words)
	}
}

// checkString checks the keywords for strings.
func (h *validation) checkString() {
	s := h.s
	if s.Length == anySize && s.Pattern == nil && s.Format == "" && s.ContentEncoding == "" {
		return
	}
	value := jsontext.Unquote(h.v.Text)
	h.checkSize(utf8.RuneCountInString(value), s.Length, "character")
	if p := s.Pattern; p != nil {
		if h.Spend(p.cost(len(value))); h.err == nil && !p.Match(value) {
			h.reportFault(describePattern(p.Text, value))
		}
	}
	if s.Format != "" {
		if h.Spend(len(value)); h.err == nil {
			if expected := ExpectedFormat(s.Format, value); expected != "" {
				h.reportFault(expected)
			}
		}
	}
	if s.ContentEncoding == "base64" {
		if _, err := DecodeBase64(value); err != nil {
			h.reportFault(words.InBase64)
		}
	}
}

// checkSize records a fault if a count is out of range.
func (h *validation) checkSize(n int, size Size, unit string) {
	if words := size.expectedCount(n, unit); words != "" {
		h.reportFault(words)
	}
}

// expectedCount describes the expected count if n is out of range, or returns "".
func (s Size) expectedCount(n int, unit string) string {
	switch {
	case n < s.Least:
		return "at least " + words.Count(s.Least, unit)
	case n > s.Most:
		return "at most " + words.Count(s.Most, unit)
	}
	return ""
}

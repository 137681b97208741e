package jsonschema

import (
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsonschema/text"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// IsClear reports whether readers agree on what a value is: nowhere in it is a name
// repeated, or a number unwieldy. No schema makes one valid that is not, and a Checker
// that is asked whether a part fits does not look further than the schema does.
func IsClear(v *jsontext.Node) bool { return !isMurky(v, nil) }

// isMurky is the opposite of IsClear, and notes all in a value that is not clear.
func isMurky(v *jsontext.Node, noted map[*jsontext.Node]bool) bool {
	murky := v.Repeated() != nil || v.Kind == jsontext.Number && jsontext.IsUnwieldy(v.Text)
	for _, item := range v.Items {
		if murky && noted == nil {
			return true
		}
		murky = isMurky(item, noted) || murky
	}
	if murky && noted != nil {
		noted[v] = true
	}
	return murky
}

// unclear tells of all that is not clear in a value, once.
func (c *Checker) unclear(v *jsontext.Node) {
	if !c.murky[v] {
		return
	}
	c.murky[v] = false
	if v.Kind == jsontext.Number && jsontext.IsUnwieldy(v.Text) {
		c.fault(words.SmallerExponent, Found(v))
	}
	given := map[string]bool{}
	for i, item := range v.Items {
		if v.Kind == jsontext.Object && given[item.Name()] {
			c.again(v, i)
		}
		given[item.Name()] = true
		c.trail.enter(v, i)
		c.unclear(item)
		c.trail.leave()
	}
}

// again tells of a member whose name was there before, once.
func (c *Checker) again(v *jsontext.Node, i int) {
	m := v.Items[i]
	if p := (pair{value: m}); !c.told[p] {
		c.told[p] = true
		c.trail.enter(v, i)
		c.fault(words.EachKey, foundKey(m)+" again")
		c.trail.leave()
	}
}

// number checks what is said of numbers.
func (h *holding) number() {
	text := h.v.Text
	if jsontext.IsUnwieldy(text) {
		h.fault(words.SmallerExponent)
		return
	}
	s := h.s
	if s.Minimum == nil && s.Maximum == nil && s.ExclusiveMinimum == nil && s.ExclusiveMaximum == nil && s.MultipleOf == nil {
		return
	}
	value := jsontext.ParseDecimal(text)
	h.limit(s.Minimum, value, func(order int) bool { return order >= 0 }, s.number()+" of at least ")
	h.limit(s.Maximum, value, func(order int) bool { return order <= 0 }, s.number()+" of at most ")
	h.limit(s.ExclusiveMinimum, value, func(order int) bool { return order > 0 }, "a number above ")
	h.limit(s.ExclusiveMaximum, value, func(order int) bool { return order < 0 }, "a number below ")
	if step := s.MultipleOf; step != nil {
		h.multiple(value, *step)
	}
}

// multiple checks that a number is a multiple. To divide takes more the longer the step
// is: digits of a number that ends in zeros, and for each of those of most steps.
func (h *holding) multiple(value jsontext.Decimal, step Limit) {
	n := len(step.Value.Digits)
	each := 1
	if n > 19 { // more than 64 bits
		each = n / 2
	}
	if h.Spend((len(value.Digits) + 4*n) * each); h.err == nil && !value.IsMultiple(step.Value) {
		h.fault("a multiple of " + words.Cut(step.Text, jsontext.LongestShown))
	}
}

func (h *holding) limit(limit *Limit, value jsontext.Decimal, fits func(order int) bool, expected string) {
	if limit != nil && !fits(value.Compare(limit.Value)) {
		h.fault(expected + limit.words)
	}
}

// string checks what is said of strings.
func (h *holding) string() {
	s := h.s
	if s.Length == anySize && s.Pattern == nil && s.Format == "" && s.ContentEncoding == "" {
		return
	}
	value := jsontext.Unquote(h.v.Text)
	h.size(utf8.RuneCountInString(value), s.Length, "character")
	if p := s.Pattern; p != nil {
		if h.Spend(p.Cost(len(value))); h.err == nil && !p.Match(value) {
			h.fault(text.Matching(p.Text, value))
		}
	}
	if s.Format != "" {
		if h.Spend(len(value)); h.err == nil {
			if expected := text.Expected(s.Format, value); expected != "" {
				h.fault(expected)
			}
		}
	}
	if s.ContentEncoding == "base64" {
		if _, err := text.Bytes(value); err != nil {
			h.fault(words.InBase64)
		}
	}
}

// size tells what is wrong with how many there are, if anything is.
func (h *holding) size(n int, size Size, unit string) {
	if words := size.refuses(n, unit); words != "" {
		h.fault(words)
	}
}

// refuses says how many were expected, if it is not so many.
func (s Size) refuses(n int, unit string) string {
	switch {
	case n < s.Least:
		return "at least " + words.Count(s.Least, unit)
	case n > s.Most:
		return "at most " + words.Count(s.Most, unit)
	}
	return ""
}

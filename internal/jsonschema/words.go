package jsonschema

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// A Fault is one thing that is wrong with a value, in the words that generated
// code has for it.
type Fault struct {
	Pointer  string // of the value, also of one that is missing; empty for the whole
	Expected string // what should be there, such as "a string"
	Found    string // what is there, such as "the number 7", or "nothing"; cut where long
}

// String returns the fault as in "expected a string, found the number 7".
func (f Fault) String() string { return "expected " + f.Expected + ", found " + f.Found }

// Texts in faults are cut to these many bytes, lists to these many items, and
// there are no more faults than that.
const (
	longestFound = 64
	longestName  = 256
	longestList  = 16
	mostFaults   = 10_000
)

// trail leads to a value, from the outside in.
type trail []step

type step struct {
	of    *jsontext.Node
	index int
}

func (t *trail) enter(of *jsontext.Node, index int) { *t = append(*t, step{of, index}) }

func (t *trail) leave() { *t = (*t)[:len(*t)-1] }

func (t trail) pointer() string {
	var b []byte
	for _, s := range t {
		b = append(b, '/')
		if s.of.Kind == jsontext.Object {
			b = append(b, jsontext.Token(s.of.Items[s.index].Name())...)
		} else {
			b = strconv.AppendInt(b, int64(s.index), 10)
		}
	}
	return string(b)
}

// fault records that something else was expected at the end of the trail.
func (c *Checker) fault(expected, found string) {
	if len(c.faults) < mostFaults {
		c.faults = append(c.faults, Fault{c.trail.pointer(), expected, found})
	}
}

// fault records that something else was expected in the place of the value.
func (h *holding) fault(expected string) {
	h.failed = true
	if h.tells {
		h.Checker.fault(expected, Found(h.v))
	}
}

// faultIn records the same for an element or a member, or for its name.
func (h *holding) faultIn(i int, expected, found string) {
	h.failed = true
	if h.tells {
		h.trail.enter(h.v, i)
		h.Checker.fault(expected, found)
		h.trail.leave()
	}
}

// missing records that there is no member of a name.
func (h *holding) missing(name string) {
	h.failed = true
	if h.tells && len(h.faults) < mostFaults {
		h.faults = append(h.faults, Fault{jsontext.Join(h.trail.pointer(), name), "a value", "nothing"})
	}
}

// Found describes a value, as what is there instead of what was expected.
func Found(v *jsontext.Node) string {
	switch v.Kind {
	case jsontext.Object:
		return "an object"
	case jsontext.Array:
		return "an array"
	case jsontext.String:
		return "the string " + cutLiteral(v.Text)
	case jsontext.Number:
		return "the number " + cut(v.Text, longestFound)
	}
	return v.Text
}

func foundKey(m *jsontext.Node) string { return "the key " + cutLiteral(m.Key) }

// cutLiteral cuts a string that is written as JSON, between its characters.
func cutLiteral(literal string) string {
	text := literal[1 : len(literal)-1]
	end := 0
	for end < len(text) && end < longestFound {
		_, size := utf8.DecodeRuneInString(text[end:])
		if text[end] == '\\' {
			_, size = jsontext.Unescape(text[end:])
		}
		end += max(size, 1)
	}
	if end == len(text) {
		return literal
	}
	return `"` + text[:end] + `…"`
}

// cut shortens s to at most limit bytes, between characters.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}

// listed joins words as in "a, b, c". Words that would not stand out are quoted,
// many are cut short.
func listed(words []string) string {
	var b strings.Builder
	for i, word := range words {
		if i == longestList {
			return b.String() + " and " + strconv.Itoa(len(words)-i) + " more"
		}
		if i > 0 {
			b.WriteString(", ")
		}
		if word = cut(word, longestFound); word == "" || strings.ContainsAny(word, " \t\r\n\",") {
			word = strconv.Quote(word)
		}
		b.WriteString(word)
	}
	return b.String()
}

// String returns the kinds as in "a string or null".
func (t Types) String() string {
	var words []string
	for k, word := range [...]string{"null", "true or false", "a number", "a string", "an array", "an object", "an integer"} {
		if t.Has(jsontext.Kind(k)) {
			words = append(words, word)
		}
	}
	return strings.Join(words, " or ")
}

// number says what kind of number a schema is for.
func (s *Schema) number() string {
	if s.Types.Has(Integer) && !s.Types.Has(jsontext.Number) {
		return "an integer"
	}
	return "a number"
}

// String returns the values as in "one of a, b".
func (v *Values) String() string {
	if len(v.List) == 0 {
		return "nothing"
	}
	words := make([]string, len(v.List))
	for i, n := range v.List {
		words[i] = n.String()
		if v.kinds == TypesOf(jsontext.String) {
			words[i] = n.Str()
		}
	}
	if v.kinds == TypesOf(jsontext.String) || len(words) > longestList {
		return "one of " + listed(words)
	}
	for i := range words {
		words[i] = cut(words[i], longestFound)
	}
	return "one of " + strings.Join(words, ", ")
}

// alternatives says what a value may be, as far as that can be said in a few
// words.
func alternatives(all []*Schema) string {
	var t Types
	for _, s := range all {
		t |= s.Speaks()
	}
	if t == 0 {
		return "a value of one of " + strconv.Itoa(len(all)) + " kinds"
	}
	return t.String()
}

func oneOfAll(all []*Schema) string {
	return "a value of exactly one of " + strconv.Itoa(len(all)) + " kinds"
}

// suggested says which keys could stand in the place of an unknown one.
func suggested(known []Property) string {
	switch len(known) {
	case 0:
		return "no keys"
	case 1:
		return "only the key " + known[0].Name
	}
	names := make([]string, len(known))
	for i, p := range known {
		names[i] = p.Name
	}
	return "one of the " + strconv.Itoa(len(known)) + " keys " + listed(names)
}

// expected says what a string of the format is, in the place of another.
func (f format) expected(text string) string {
	if f.words == formats["date-time"].words && isDateTime(text+"Z") {
		return "a time zone, Z or one such as +02:00, at the end of the date and time"
	}
	return f.words
}

package jsonschema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema/text"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
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

// Bounds of the values that are told, of faults, and of their pointers in bytes.
const (
	mostValues   = 16
	mostFaults   = 10_000
	mostPointers = 16 << 20
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

// fault records that something else was expected at the end of the trail, or in the
// member of a name there, as long as there are not too many.
func (c *Checker) fault(expected, found string, member ...string) {
	if len(c.faults) >= mostFaults || c.pointers > mostPointers {
		return
	}
	pointer := c.trail.pointer()
	for _, name := range member {
		pointer = jsontext.Join(pointer, name)
	}
	c.faults = append(c.faults, Fault{pointer, expected, found})
	c.pointers += len(pointer)
}

// fault records that something else was expected in the place of the value.
func (h *holding) fault(expected string) {
	h.failed = true
	if h.tells {
		h.Checker.fault(expected, Found(h.v))
	}
}

// faultOf records the same where there is more to say of what is there.
func (h *holding) faultOf(expected, found string) {
	h.failed = true
	if h.tells {
		h.Checker.fault(expected, found)
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
	if h.tells {
		h.Checker.fault(words.Value, words.Nothing, name)
	}
}

// Found describes a value, as what is there instead of what was expected.
func Found(v *jsontext.Node) string {
	switch v.Kind {
	case jsontext.Object:
		return "an object"
	case jsontext.Array:
		return "an array"
	}
	return jsontext.Describe(v.Text)
}

func foundKey(m *jsontext.Node) string {
	return "the key " + jsontext.CutLiteral(m.Key, jsontext.LongestShown)
}

// String returns the kinds as in "a string or null".
func (t Types) String() string {
	var all []string
	for k, word := range [...]string{"null", words.Truth, "a number", "a string", "an array", "an object", "an integer"} {
		if t.Has(jsontext.Kind(k)) {
			all = append(all, word)
		}
	}
	return strings.Join(all, " or ")
}

// kind says what kinds of values a schema is for.
func (s *Schema) kind() string {
	switch {
	case s.Types != TypesOf(jsontext.String):
	case s.ContentEncoding == "base64":
		return words.InBase64
	case s.Pattern != nil && text.Quoted(s.Pattern.Text) != "":
		return text.Quoted(s.Pattern.Text)
	default:
		return text.Kind(s.Format)
	}
	return s.Types.String()
}

// number says what kind of number a schema is for.
func (s *Schema) number() string {
	if s.Types.Has(Integer) && !s.Types.Has(jsontext.Number) {
		return "an integer"
	}
	return "a number"
}

// numeral is a limit as generated code writes it: 1e6 is 1000000.
func numeral(text string) string {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !strings.ContainsAny(text, "eE") {
		return words.Cut(text, jsontext.LongestShown)
	}
	b, _ := jsontext.AppendFloat(nil, x, 64) // what can be read is finite
	return string(b)
}

// String returns the values as in one of "a", "b" (strings), and as JSON if they are not
// all strings or all integers.
func (v *Values) String() string {
	texts := make([]string, len(v.List))
	for i, n := range v.List {
		texts[i] = n.Str()
	}
	switch {
	case len(v.List) == 0:
		return "nothing"
	case v.kinds == TypesOf(jsontext.String):
		return words.OneString(texts)
	case len(v.List) == 1:
		return describe(v.List[0])
	}
	integers := true
	for i, n := range v.List {
		texts[i] = words.Cut(n.String(), jsontext.LongestShown)
		integers = integers && n.Is(jsontext.Number) && jsontext.ParseDecimal(n.Text).IsInteger()
	}
	if integers {
		return words.OneInteger(texts)
	}
	return "one of " + words.Join(texts, ", ", mostValues)
}

// describe returns a value that is expected, as in "the integer 7".
func describe(v *jsontext.Node) string {
	switch {
	case v.Kind >= jsontext.Array:
		return words.Cut(v.String(), jsontext.LongestShown)
	case v.Is(jsontext.Number) && jsontext.ParseDecimal(v.Text).IsInteger():
		return words.OneInteger([]string{words.Cut(v.Text, jsontext.LongestShown)})
	}
	return jsontext.Describe(v.Text)
}

// keys says which keys a schema of names allows, instead of one for which something else
// is expected.
func (s *Schema) keys(expected string) string {
	if p := s.Pattern; p != nil && (p.Text == text.IntegerKey || p.Text == text.NaturalKey) {
		return words.IntegerKey
	}
	if s.Values == nil || len(s.Values.List) == 0 {
		return words.OtherKey(expected)
	}
	texts := make([]string, len(s.Values.List))
	for i, n := range s.Values.List {
		texts[i] = n.Str()
	}
	return words.OneKey(texts)
}

func keyList(names []string) string {
	if len(names) == 1 {
		return "the key " + words.List(names, "")
	}
	return "the keys " + words.List(names, " and ")
}

// kindsOf returns the kinds of values that schemas allow, if this is all that matters:
// none if one of them lists values or allows all kinds.
func kindsOf(all []*Schema) (t Types) {
	for _, s := range all {
		if s.Values != nil || s.Speaks() == 0 || s.Ref != nil && s.Ref.Values != nil {
			return 0
		}
		t |= s.Speaks()
	}
	return t
}

// isOnlyRef reports whether a schema says nothing but what it refers to.
func (s *Schema) isOnlyRef() bool {
	return s.Types == 0 && s.Values == nil && !s.Never && s.AllOf == nil && s.AnyOf == nil && s.OneOf == nil && s.Not == nil && s.If == nil && s.Properties == nil && s.Required == nil
}

// outline says what a schema allows as far as it can be said without a value.
func (s *Schema) outline() string {
	switch {
	case s.Never:
		return "nothing"
	case s.Values != nil:
		return s.Values.String()
	case len(s.Required) > 0:
		return "an object with " + keyList(s.Required)
	case s.Types != 0:
		return s.kind()
	}
	if t := s.Speaks(); t != 0 {
		return t.String()
	}
	return anotherValue
}

// anotherValue is the outline of a schema of which nothing is said in a few words.
const anotherValue = "another value"

// outlines says what several schemas allow.
func outlines(all []*Schema) string {
	var texts []string
	for i, s := range all {
		text := s.outline()
		if text == anotherValue {
			text = "alternative " + strconv.Itoa(i+1)
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return words.Join(texts, " or ", mostReasons)
}

// except says that a value must not be one that a schema allows.
func (s *Schema) except() string {
	if outline := s.outline(); outline != anotherValue {
		return "a value other than " + outline
	}
	return "a value that the schema in not does not allow"
}

// names are those of the properties.
func (s *Schema) names() []string {
	names := make([]string, len(s.Properties))
	for i, p := range s.Properties {
		names[i] = p.Name
	}
	return names
}

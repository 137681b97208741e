package jsonschema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// A Fault is a reason why a value does not match a schema. Generated code uses the same words to describe faults.
type Fault struct {
	Pointer  string // JSON Pointer of the value, even if it is missing; empty for the whole value
	Expected string // such as "a string"
	Found    string // such as "the number 7", or "nothing"; long values are shortened
}

// String returns the fault, such as "expected a string, found the number 7".
func (f Fault) String() string { return "expected " + f.Expected + ", found " + f.Found }

// These are limits of faults and their messages.
const (
	maxValues   = 16       // number of values in a message
	maxFaults   = 10_000   // number of faults
	maxPointers = 16 << 20 // total length of the pointers of all faults, in bytes
)

// A trail is the path to a value, from the root.
type trail []step

// A step leads from a container to the element or member at an index.
type step struct {
	container *jsontext.Node
	index     int
}

func (t *trail) enter(container *jsontext.Node, index int) { *t = append(*t, step{container, index}) }

func (t *trail) leave() { *t = (*t)[:len(*t)-1] }

func (t trail) pointer() string {
	var b []byte
	for _, s := range t {
		b = append(b, '/')
		if s.container.Kind == jsontext.Object {
			b = append(b, jsontext.Token(s.container.Items[s.index].Name())...)
		} else {
			b = strconv.AppendInt(b, int64(s.index), 10)
		}
	}
	return string(b)
}

// addFault records a fault of the value at the end of the trail or, if member is given, of its member with that name.
// It records nothing if there are too many faults.
func (c *Checker) addFault(expected, found string, member ...string) {
	if len(c.faults) >= maxFaults || c.pointers > maxPointers {
		return
	}
	pointer := c.trail.pointer()
	for _, name := range member {
		pointer = jsontext.Join(pointer, name)
	}
	c.faults = append(c.faults, Fault{pointer, expected, found})
	c.pointers += len(pointer)
}

// reportFault records a fault of the value if faults are reported.
func (h *validation) reportFault(expected string) {
	h.failed = true
	if h.reports {
		h.Checker.addFault(expected, Found(h.v))
	}
}

// reportFound is like reportFault, but found describes the value.
func (h *validation) reportFound(expected, found string) {
	h.failed = true
	if h.reports {
		h.Checker.addFault(expected, found)
	}
}

// reportPart records a fault of an element or member, or of its name.
func (h *validation) reportPart(i int, expected, found string) {
	h.failed = true
	if h.reports {
		h.trail.enter(h.v, i)
		h.Checker.addFault(expected, found)
		h.trail.leave()
	}
}

// reportMissing records that a member is missing.
func (h *validation) reportMissing(name string) {
	h.failed = true
	if h.reports {
		h.Checker.addFault(words.Value, words.Nothing, name)
	}
}

// Found describes a value for a message.
func Found(v *jsontext.Node) string {
	switch v.Kind {
	case jsontext.Object:
		return "an object"
	case jsontext.Array:
		return "an array"
	}
	return jsontext.Describe(v.Text)
}

func describeKey(m *jsontext.Node) string {
	return "the key " + jsontext.CutLiteral(m.Key, jsontext.LongestShown)
}

// String returns the kinds, such as "a string or null".
func (t Types) String() string {
	var all []string
	for k, word := range [...]string{"null", words.Truth, "a number", "a string", "an array", "an object", "an integer"} {
		if t.Has(jsontext.Kind(k)) {
			all = append(all, word)
		}
	}
	return strings.Join(all, " or ")
}

// describeKinds describes the kinds of values that a schema allows.
func (s *Schema) describeKinds() string {
	switch {
	case s.Types != TypesOf(jsontext.String):
	case s.ContentEncoding == "base64":
		return words.InBase64
	case s.Pattern != nil && DescribeQuoted(s.Pattern.Text) != "":
		return DescribeQuoted(s.Pattern.Text)
	default:
		return ExpectedKind(s.Format)
	}
	return s.Types.String()
}

// describeNumber describes the kind of number that a schema allows.
func (s *Schema) describeNumber() string {
	if s.Types.Has(Integer) && !s.Types.Has(jsontext.Number) {
		return "an integer"
	}
	return "a number"
}

// formatLimit returns a limit as generated code writes it: 1e6 is 1000000.
func formatLimit(text string) string {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !strings.ContainsAny(text, "eE") {
		return words.Cut(text, jsontext.LongestShown)
	}
	b, _ := jsontext.AppendFloat(nil, x, 64) // a number that was parsed is finite
	return string(b)
}

// String returns the values, such as one of "a", "b" (strings). If they are neither all
// strings nor all integers, it returns them as JSON.
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
		return describeValue(v.List[0])
	}
	integers := true
	for i, n := range v.List {
		texts[i] = words.Cut(n.String(), jsontext.LongestShown)
		integers = integers && n.Is(jsontext.Number) && jsontext.ParseDecimal(n.Text).IsInteger()
	}
	if integers {
		return words.OneInteger(texts)
	}
	return "one of " + words.Join(texts, ", ", maxValues)
}

// describeValue describes an expected value, such as "the integer 7".
func describeValue(v *jsontext.Node) string {
	switch {
	case v.Kind >= jsontext.Array:
		return words.Cut(v.String(), jsontext.LongestShown)
	case v.Is(jsontext.Number) && jsontext.ParseDecimal(v.Text).IsInteger():
		return words.OneInteger([]string{words.Cut(v.Text, jsontext.LongestShown)})
	}
	return jsontext.Describe(v.Text)
}

// describeKeys describes the keys that a schema in propertyNames allows. expected is a general description of the keys.
func (s *Schema) describeKeys(expected string) string {
	if p := s.Pattern; p != nil && (p.Text == IntegerKeyPattern || p.Text == NaturalKeyPattern) {
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

func listKeys(names []string) string {
	if len(names) == 1 {
		return "the key " + words.List(names, "")
	}
	return "the keys " + words.List(names, " and ")
}

// kindsOf returns the kinds of values that schemas allow. It returns 0 if one of them
// enumerates values or allows all kinds.
func kindsOf(all []*Schema) (t Types) {
	for _, s := range all {
		if s.Values != nil || s.Kinds() == 0 || s.Ref != nil && s.Ref.Values != nil {
			return 0
		}
		t |= s.Kinds()
	}
	return t
}

// followRefs returns the target of a schema that is only a reference, or s for other schemas. It ends even if references
// lead in a circle.
func (s *Schema) followRefs() *Schema {
	const longestChain = 100
	for range longestChain {
		if !s.isOnlyRef() {
			break
		}
		s = s.Ref
	}
	return s
}

// isOnlyRef reports whether a schema is only a reference.
func (s *Schema) isOnlyRef() bool {
	return s.Ref != nil && s.Types == 0 && s.Values == nil && !s.Never && s.AllOf == nil && s.AnyOf == nil && s.OneOf == nil && s.Not == nil && s.If == nil && s.Properties == nil && s.Required == nil
}

// outline describes in a few words which values a schema allows.
func (s *Schema) outline() string {
	switch {
	case s.Never:
		return "nothing"
	case s.Values != nil:
		return s.Values.String()
	case len(s.Required) > 0:
		return "an object with " + listKeys(s.Required)
	case s.Types != 0:
		return s.describeKinds()
	}
	if t := s.Kinds(); t != 0 {
		return t.String()
	}
	return anotherValue
}

// anotherValue is the outline of a schema that cannot be described in a few words.
const anotherValue = "another value"

// outlineAll describes which values several alternatives allow.
func outlineAll(all []*Schema) string {
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
	return words.Join(texts, " or ", maxReasons)
}

// describeNot describes that a value must not match the schema.
func (s *Schema) describeNot() string {
	if outline := s.outline(); outline != anotherValue {
		return "a value other than " + outline
	}
	return `a value that does not match the schema in "not"`
}

// propertyNames returns the names of the properties.
func (s *Schema) propertyNames() []string {
	names := make([]string, len(s.Properties))
	for i, p := range s.Properties {
		names[i] = p.Name
	}
	return names
}

package schema

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// SampleArguments returns the arguments of an example call of a tool, as [Describe] shows them. It returns
// nil if it does not understand the schema.
func SampleArguments(d tool.Definition) json.RawMessage {
	return sampleArguments(d, parseInputSchema(d.Input))
}

// sampleArguments returns the Example of the definition, or else valid arguments with all required
// members. It returns nil if it does not understand the schema.
func sampleArguments(d tool.Definition, input schema) json.RawMessage {
	if d.Example != nil {
		var b bytes.Buffer
		if json.Compact(&b, d.Example) != nil {
			return nil
		}
		return b.Bytes()
	}
	if input.Node == nil {
		return nil
	}
	b, ok := input.appendSample(nil, maxSampleDepth)
	if !ok {
		return nil
	}
	return b
}

const (
	maxSampleDepth = 8
	maxSample      = 2000 // bytes; a longer example would not help a model
)

// appendSample appends a valid value. ok is false if it does not find one.
func (s schema) appendSample(b []byte, depth int) (_ []byte, ok bool) {
	if depth == 0 || len(b) > maxSample || !s.Is(jsontext.Object) {
		return b, false
	}
	if alternatives := s.arrayMember("anyOf"); alternatives != nil && s.hasOnlyKeywords("anyOf") {
		return s.appendAlternative(b, alternatives, depth)
	}
	if values := s.arrayMember("enum"); len(values) > 0 && s.hasOnlyKeywords("enum", "type") {
		return values[0].Append(b), s.isOfType(values[0])
	}
	switch s.textMember("type") {
	case "string":
		return s.appendString(b)
	case "integer", "number":
		return s.appendNumber(b)
	case "boolean":
		return append(b, "true"...), s.hasOnlyKeywords("type")
	case "null":
		return append(b, "null"...), s.hasOnlyKeywords("type")
	case "array":
		return s.appendArray(b, depth)
	case "object":
		return s.appendObject(b, depth)
	}
	return append(b, `"text"`...), s.hasOnlyKeywords()
}

// appendAlternative appends a value of the first alternative for which appendSample finds one.
func (s schema) appendAlternative(b []byte, alternatives []*jsontext.Node, depth int) (_ []byte, ok bool) {
	for _, n := range alternatives {
		if longer, ok := s.subschema(n).appendSample(b, depth-1); ok {
			return longer, true
		}
	}
	return b, false
}

// hasOnlyKeywords reports whether the schema consists only of the given keywords and of keywords
// that do not constrain values, each at most once.
func (s schema) hasOnlyKeywords(keywords ...string) bool {
	keywords = append(keywords, "title", "description", "default", "$defs", "$schema", "$id")
	isOther := func(m *jsontext.Node) bool { return !slices.Contains(keywords, m.Name()) }
	return !slices.ContainsFunc(s.Items, isOther) && s.FirstRepeated() == nil
}

// isOfType reports whether a scalar has the type that the schema names, or the schema names none.
func (s schema) isOfType(n *jsontext.Node) bool {
	switch {
	case s.Member("type") == nil:
		return true
	case n.Is(jsontext.String):
		return s.textMember("type") == "string"
	case n.Is(jsontext.Number):
		return s.textMember("type") == "number" || s.textMember("type") == "integer" && jsontext.ParseDecimal(n.Text).IsInteger()
	}
	return false
}

var sampleFormats = map[string]string{
	"": "text", "date-time": "2026-01-31T09:30:00Z", "date": "2026-01-31", "duration": "PT1H30M",
	"uri": "https://example.com/", "uri-reference": "https://example.com/", "email": "ada@example.com", "hostname": "example.com",
	"ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uuid": "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
}

func (s schema) appendString(b []byte) ([]byte, bool) {
	text, ok := sampleFormats[s.textMember("format")]
	low, high := s.lengthBounds("minLength", "maxLength")
	if s.textMember("format") == "" && high < len(text) {
		text = text[:max(high, 0)]
	}
	ok = ok && low <= len(text) && len(text) <= high
	if s.Member("contentEncoding") != nil {
		ok = ok && s.textMember("contentEncoding") == "base64" && text == "text" // "text" is valid base64
	}
	return jsontext.AppendQuoted(b, text), ok && s.hasOnlyKeywords("type", "format", "contentEncoding", "minLength", "maxLength")
}

// lengthBounds returns the values of the keywords least and most, which bound a length or a number
// of elements.
func (s schema) lengthBounds(least, most string) (low, high int) {
	high = math.MaxInt
	if d, ok := s.numberMember(least); ok {
		low, _ = d.Int()
	}
	if d, ok := s.numberMember(most); ok {
		high, _ = d.Int()
	}
	return low, high
}

// numberMember returns a member of the schema that is a number.
func (s schema) numberMember(name string) (d jsontext.Decimal, ok bool) {
	n := s.Member(name)
	if !n.Is(jsontext.Number) {
		return d, false
	}
	return jsontext.ParseDecimal(n.Text), true
}

// appendNumber appends 1, or the bound nearest to 1 in the spelling of the schema.
func (s schema) appendNumber(b []byte) ([]byte, bool) {
	text := "1"
	lower, bounded := s.numberMember("minimum")
	if bounded && jsontext.ParseDecimal(text).Compare(lower) < 0 {
		text = s.Member("minimum").Text
	}
	upper, capped := s.numberMember("maximum")
	if capped && upper.Compare(jsontext.ParseDecimal(text)) < 0 {
		text = s.Member("maximum").Text
	}
	x := jsontext.ParseDecimal(text)
	_, err := strconv.ParseFloat(text, 64)
	ok := err == nil && (!bounded || lower.Compare(x) <= 0)
	if s.textMember("type") == "integer" {
		ok = ok && x.IsInteger() && x.Compare(lowest) >= 0 && x.Compare(highest) <= 0
	}
	return append(b, text...), ok && s.hasOnlyKeywords("type", "format", "minimum", "maximum")
}

// Integers outside of this range fit into no Go type except uint64, so they are bad examples.
var lowest, highest = jsontext.ParseDecimal("-9223372036854775808"), jsontext.ParseDecimal("9223372036854775807")

func (s schema) appendArray(b []byte, depth int) (_ []byte, ok bool) {
	low, high := s.lengthBounds("minItems", "maxItems")
	n := min(max(low, 1), high)
	ok = low <= high && n <= maxSample && s.hasOnlyKeywords("type", "items", "minItems", "maxItems")
	b = append(b, '[')
	for i := range n {
		if !ok {
			break
		}
		if i > 0 {
			b = append(b, ',')
		}
		b, ok = s.subschema(s.Member("items")).appendSample(b, depth-1)
	}
	return append(b, ']'), ok
}

func (s schema) appendObject(b []byte, depth int) (_ []byte, ok bool) {
	ok = s.hasOnlyKeywords("type", "properties", "required", "additionalProperties")
	required := s.requiredNames()
	b = append(b, '{')
	for _, p := range s.listProperties() {
		if !ok || !required[p.name] {
			continue
		}
		delete(required, p.name)
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(jsontext.AppendQuoted(b, p.name), ':')
		b, ok = p.schema.appendSample(b, depth-1)
	}
	return append(b, '}'), ok && len(required) == 0
}

package prompt

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Arguments returns the arguments of an example call of a tool, as [Text] shows them; nil
// if its schema says what is not understood here.
func Arguments(d tool.Definition) json.RawMessage { return sample(d, parseSchema(d.Input)) }

// sample returns the arguments of an example call: those that were given, else
// some that are valid, with all that is required; nil if the schema says what is
// not understood here.
func sample(d tool.Definition, input schema) json.RawMessage {
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
	b, ok := input.sample(nil, maxSampleDepth)
	if !ok {
		return nil
	}
	return b
}

const (
	maxSampleDepth = 8
	maxSample      = 2000 // bytes: a longer one would not help
)

// sample appends a value that is valid, if it finds one.
func (s schema) sample(b []byte, depth int) (_ []byte, ok bool) {
	if depth == 0 || len(b) > maxSample || !s.Is(jsontext.Object) {
		return b, false
	}
	if alternatives := s.elements("anyOf"); alternatives != nil && s.says("anyOf") {
		for _, n := range alternatives {
			if longer, ok := s.at(n).sample(b, depth-1); ok {
				return longer, true
			}
		}
		return b, false
	}
	if values := s.elements("enum"); len(values) > 0 && s.says("enum", "type") {
		return values[0].Append(b), s.isOfType(values[0])
	}
	switch s.text("type") {
	case "string":
		return s.sampleString(b)
	case "integer", "number":
		return s.sampleNumber(b)
	case "boolean":
		return append(b, "true"...), s.says("type")
	case "null":
		return append(b, "null"...), s.says("type")
	case "array":
		return s.sampleArray(b, depth)
	case "object":
		return s.sampleObject(b, depth)
	}
	return append(b, `"text"`...), s.says()
}

// says reports whether the schema consists of nothing but the given keywords and
// those that every value is valid for.
func (s schema) says(keywords ...string) bool {
	known := map[string]bool{
		"title": true, "description": true, "default": true, "$defs": true, "$schema": true, "$id": true,
	}
	for _, k := range keywords {
		known[k] = true
	}
	for _, m := range s.Items {
		if !known[m.Name()] {
			return false
		}
		known[m.Name()] = false // twice is once too often
	}
	return true
}

// isOfType reports whether a scalar is of the type that the schema names, if it
// does.
func (s schema) isOfType(n *jsontext.Node) bool {
	switch {
	case s.Member("type") == nil:
		return true
	case n.Is(jsontext.String):
		return s.text("type") == "string"
	case n.Is(jsontext.Number):
		return s.text("type") == "number" || s.text("type") == "integer" && jsontext.ParseDecimal(n.Text).IsInteger()
	}
	return false
}

var sampleFormats = map[string]string{
	"": "text", "date-time": "2026-01-31T09:30:00Z", "date": "2026-01-31", "duration": "PT1H30M",
	"uri": "https://example.com/", "uri-reference": "https://example.com/", "email": "ada@example.com", "hostname": "example.com",
	"ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uuid": "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
}

func (s schema) sampleString(b []byte) ([]byte, bool) {
	text, ok := sampleFormats[s.text("format")]
	low, high := s.between("minLength", "maxLength")
	if s.text("format") == "" && high < len(text) {
		text = text[:max(high, 0)]
	}
	ok = ok && low <= len(text) && len(text) <= high
	if s.Member("contentEncoding") != nil {
		ok = ok && s.text("contentEncoding") == "base64" && text == "text" // which is base64, too
	}
	return jsontext.AppendQuoted(b, text), ok && s.says("type", "format", "contentEncoding", "minLength", "maxLength")
}

// between returns the integers that bound a length or a number of elements.
func (s schema) between(least, most string) (low, high int) {
	high = math.MaxInt
	if d, ok := s.number(least); ok {
		low, _ = d.Int()
	}
	if d, ok := s.number(most); ok {
		high, _ = d.Int()
	}
	return low, high
}

// number returns a member of the schema that is a number.
func (s schema) number(name string) (d jsontext.Decimal, ok bool) {
	n := s.Member(name)
	if !n.Is(jsontext.Number) {
		return d, false
	}
	return jsontext.ParseDecimal(n.Text), true
}

// sampleNumber appends 1, or the bound that is nearest to it, as it is written.
func (s schema) sampleNumber(b []byte) ([]byte, bool) {
	text := "1"
	least, bounded := s.number("minimum")
	if bounded && jsontext.ParseDecimal(text).Compare(least) < 0 {
		text = s.Member("minimum").Text
	}
	most, capped := s.number("maximum")
	if capped && most.Compare(jsontext.ParseDecimal(text)) < 0 {
		text = s.Member("maximum").Text
	}
	x := jsontext.ParseDecimal(text)
	_, err := strconv.ParseFloat(text, 64)
	ok := err == nil && (!bounded || least.Compare(x) <= 0)
	if s.text("type") == "integer" {
		ok = ok && x.IsInteger() && x.Compare(lowest) >= 0 && x.Compare(highest) <= 0
	}
	return append(b, text...), ok && s.says("type", "format", "minimum", "maximum")
}

// An integer beyond these fits no Go type but uint64, and is no good example.
var lowest, highest = jsontext.ParseDecimal("-9223372036854775808"), jsontext.ParseDecimal("9223372036854775807")

func (s schema) sampleArray(b []byte, depth int) (_ []byte, ok bool) {
	low, high := s.between("minItems", "maxItems")
	n := min(max(low, 1), high)
	ok = low <= high && n <= maxSample && s.says("type", "items", "minItems", "maxItems")
	b = append(b, '[')
	for i := range n {
		if !ok {
			break
		}
		if i > 0 {
			b = append(b, ',')
		}
		b, ok = s.at(s.Member("items")).sample(b, depth-1)
	}
	return append(b, ']'), ok
}

func (s schema) sampleObject(b []byte, depth int) (_ []byte, ok bool) {
	ok = s.says("type", "properties", "required", "additionalProperties")
	required := s.required()
	b = append(b, '{')
	for _, p := range s.properties() {
		if !ok || !required[p.name] {
			continue
		}
		delete(required, p.name)
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(jsontext.AppendQuoted(b, p.name), ':')
		b, ok = p.schema.sample(b, depth-1)
	}
	return append(b, '}'), ok && len(required) == 0
}

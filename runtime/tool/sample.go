package tool

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// sample returns the arguments of an example call: those that were given, else
// some that are valid, with all that is required; nil if the schema says what is
// not understood here.
func (d Definition) sample(input schema) json.RawMessage {
	if d.Example != nil {
		var b bytes.Buffer
		if json.Compact(&b, d.Example) != nil {
			return nil
		}
		return b.Bytes()
	}
	if !input.v.Ok() {
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
	if depth == 0 || len(b) > maxSample || !s.v.is(kindObject) {
		return b, false
	}
	if alternatives := s.elements("anyOf"); alternatives != nil && s.says("anyOf") {
		for _, v := range alternatives {
			if longer, ok := (schema{v}).sample(b, depth-1); ok {
				return longer, true
			}
		}
		return b, false
	}
	if values := s.elements("enum"); len(values) > 0 && s.says("enum", "type") {
		return append(b, values[0].Raw()...), s.isOfType(values[0])
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
	for _, m := range s.v.members() {
		if !known[m.name] {
			return false
		}
		known[m.name] = false // twice is once too often
	}
	return true
}

// isOfType reports whether a scalar is of the type that the schema names, if it
// does.
func (s schema) isOfType(v Value) bool {
	switch t := s.get("type"); {
	case !t.Ok():
		return true
	case v.is(kindString):
		return s.text("type") == "string"
	case v.is(kindNumber):
		_, whole := v.integer()
		return s.text("type") == "number" || s.text("type") == "integer" && whole
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
	low, high := s.bounds("minLength", "maxLength")
	if s.text("format") == "" && high < int64(len(text)) {
		text = text[:max(high, 0)]
	}
	ok = ok && low <= int64(len(text)) && int64(len(text)) <= high
	if encoding := s.get("contentEncoding"); encoding.Ok() {
		ok = ok && s.text("contentEncoding") == "base64" && text == "text" // which is base64, too
	}
	return appendString(b, text), ok && s.says("type", "format", "contentEncoding", "minLength", "maxLength")
}

// bounds returns the integers that bound a length or a number of elements.
func (s schema) bounds(least, most string) (low, high int64) {
	low, high = 0, 1<<62
	if n, ok := s.get(least).integer(); ok {
		low = n
	}
	if n, ok := s.get(most).integer(); ok {
		high = n
	}
	return low, high
}

// sampleNumber appends 1, or the bound that is nearest to it.
func (s schema) sampleNumber(b []byte) ([]byte, bool) {
	text := "1"
	least, bounded := s.get("minimum").number()
	if bounded && least > 1 {
		text = s.get("minimum").numberText()
	}
	most, capped := s.get("maximum").number()
	if capped && most < 1 {
		text = s.get("maximum").numberText()
	}
	x, err := strconv.ParseFloat(text, 64)
	ok := err == nil && (!bounded || least <= x) && (!capped || x <= most)
	if s.text("type") == "integer" {
		_, state := parseSigned(text, 64)
		ok = ok && state == integerFits
	}
	return append(b, text...), ok && s.says("type", "format", "minimum", "maximum")
}

func (s schema) sampleArray(b []byte, depth int) (_ []byte, ok bool) {
	low, high := s.bounds("minItems", "maxItems")
	n := min(max(low, 1), high)
	ok = low <= high && n <= maxSample && s.says("type", "items", "minItems", "maxItems")
	b = append(b, '[')
	for i := int64(0); i < n && ok; i++ {
		if i > 0 {
			b = append(b, ',')
		}
		b, ok = schema{s.get("items")}.sample(b, depth-1)
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
		b = append(appendString(b, p.name), ':')
		b, ok = p.schema.sample(b, depth-1)
	}
	return append(b, '}'), ok && len(required) == 0
}

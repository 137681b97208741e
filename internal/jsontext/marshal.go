package jsontext

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

// Marshal is like json.Marshal but does not escape HTML. If indent is not empty, each level
// is indented by it.
func Marshal(v any, indent string) ([]byte, error) {
	if raw, ok := v.(json.RawMessage); ok && raw != nil && indent == "" { // an Encoder would copy it four times
		b := bytes.NewBuffer(make([]byte, 0, len(raw)))
		if err := json.Compact(b, raw); err != nil {
			return nil, &json.MarshalerError{Type: reflect.TypeFor[json.RawMessage](), Err: err}
		}
		return b.Bytes(), nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Encode is like Marshal but also removes the HTML escapes of values that marshal
// themselves, so that models and tools see the plain characters.
func Encode(v any) (json.RawMessage, error) {
	text, err := Marshal(v, "")
	if err == nil && bytes.Contains(text, []byte(`\u00`)) {
		text = []byte(UnescapeHTML(string(text)))
	}
	return text, err
}

// UnescapeHTML replaces the escapes of <, > and & in JSON with these characters, for callers that cannot configure
// encoding/json to omit the escapes.
func UnescapeHTML(text string) string { return htmlEscapes.Replace(text) }

// htmlEscapes also matches escaped backslashes, so that the second backslash does not start an escape.
var htmlEscapes = strings.NewReplacer(`\\`, `\\`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// PlainText returns the text of a JSON string, or other JSON unchanged.
func PlainText(value json.RawMessage) string {
	var s *string
	if json.Unmarshal(value, &s) == nil && s != nil {
		return *s
	}
	return string(value)
}

package jsontext

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

// Marshal is as json.Marshal, without its escapes for HTML. Each level is indented,
// if there is something to indent it by.
func Marshal(v any, indent string) ([]byte, error) {
	if raw, ok := v.(json.RawMessage); ok && raw != nil && indent == "" { // an encoder copies it four times
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

// Encode is as Marshal, also for what writes itself with those escapes: models and tools
// see the characters as they are.
func Encode(v any) (json.RawMessage, error) {
	text, err := Marshal(v, "")
	if err == nil && bytes.Contains(text, []byte(`\u00`)) {
		text = []byte(UnescapeHTML(string(text)))
	}
	return text, err
}

// UnescapeHTML undoes in JSON what encoding/json does to <, > and &, where those who
// call it do not let one switch that off.
func UnescapeHTML(text string) string { return htmlEscapes.Replace(text) }

// htmlEscapes takes backslashes in pairs, so that none of a pair begins an escape.
var htmlEscapes = strings.NewReplacer(`\\`, `\\`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

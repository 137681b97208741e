package jsontext

import (
	"bytes"
	"encoding/json"
)

// Marshal is as json.Marshal, without its escapes for HTML. Each level is indented,
// if there is something to indent it by.
func Marshal(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

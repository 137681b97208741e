package record

import (
	"bytes"
	"encoding/json"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Encode writes what entries hold, with the characters that encoding/json escapes for
// HTML as they are: models and tools see them.
func Encode(x any) (json.RawMessage, error) {
	text, err := jsontext.Marshal(x, "")
	if err == nil && bytes.Contains(text, []byte(`\u00`)) {
		text = []byte(jsontext.UnescapeHTML(string(text)))
	}
	return text, err
}

package record

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Encode writes what entries hold, with the characters that encoding/json escapes for
// HTML as they are: models and tools see them.
func Encode(x any) (json.RawMessage, error) {
	text, err := jsontext.Marshal(x, "")
	if err == nil && bytes.Contains(text, []byte(`\u00`)) {
		text = []byte(unescape.Replace(string(text)))
	}
	return text, err
}

// unescape works on JSON, where a backslash is only in strings.
var unescape = strings.NewReplacer(`\\`, `\\`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

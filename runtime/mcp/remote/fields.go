package remote

import (
	"bytes"
	"encoding/json"

	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/sanitize"
)

// isNull reports whether JSON text is absent or null.
func isNull(text json.RawMessage) bool {
	text = bytes.TrimSpace(text)
	return len(text) == 0 || string(text) == "null"
}

// stringOf returns a JSON string; "" if it is something else.
func stringOf(text json.RawMessage) (s string) {
	_ = json.Unmarshal(text, &s)
	return s
}

// clean returns a text of a server without characters that cannot be seen.
func clean(text string) string { return sanitize.Text(text) }

package remote

import (
	"bytes"
	"encoding/json"
)

// isNull reports whether JSON text is absent or null.
func isNull(text json.RawMessage) bool {
	text = bytes.TrimSpace(text)
	return len(text) == 0 || string(text) == "null"
}

// decodeString returns the value of a JSON string, or "" for any other JSON.
func decodeString(text json.RawMessage) (s string) {
	_ = json.Unmarshal(text, &s)
	return s
}

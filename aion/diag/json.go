package diag

import (
	"encoding/json"
	"io"
)

// JSON writes the list as an array of its diagnostics, all of what they say but
// the cause. Places are as in [Pos]: what is unknown or empty is left out.
func (p Printer) JSON(w io.Writer, list List) error {
	return writeJSON(w, append(List{}, list...)) // nil is an empty array, too
}

// writeJSON writes a value for programs, and for people who compare line by line.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

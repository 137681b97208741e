package diag

import (
	"encoding/json"
	"io"
)

// JSON writes the list as an array of its diagnostics without their causes and groups. Positions
// have the fields of [Pos]; unknown and empty fields are omitted.
func (p Printer) JSON(w io.Writer, list List) error {
	all := make([]Diagnostic, len(list)) // so that nil becomes an empty array
	for i, d := range list {
		all[i] = *d
		all[i].Group = nil
	}
	return writeJSON(w, all)
}

// writeJSON writes an indented value, so that people can compare outputs line by line.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

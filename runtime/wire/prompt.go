package wire

import "github.com/aiongen/aiongen/runtime/wire/internal/stdjson"

// PromptData is a value as a prompt shows it: maps, slices, arrays and structs
// as JSON, indented by two spaces, everything else as text, nil as nothing. It is
// an error if the JSON cannot be written, or if there is no text but an address.
// Generated code calls it.
func PromptData(value any) (string, error) { return stdjson.Prompt(value) }

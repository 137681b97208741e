package supervisor

import (
	"embed"
	"encoding/json"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/brief"
	"github.com/aiongen/aiongen/runtime/internal/quote"
)

//go:embed prompts/*.txt
var files embed.FS

var texts = brief.Texts{Files: &files, Folder: "prompts"}

// question is what the prompts show.
type question struct {
	Wrong, Original, Schema, Tool, Goal string
}

// quoted returns what a model wrote as JSON: as it is if it is that, else as a string.
// It is not cut: what is longer than a model writes again is not shown.
func quoted(text string) string { return quote.Value(json.RawMessage(text), 8*mostBytes) }

// compact returns JSON without white space, with <, > and & as they are: as a
// model reads it.
func compact(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	text, err := jsontext.Marshal(raw, "")
	if err != nil {
		return string(raw)
	}
	return string(text)
}

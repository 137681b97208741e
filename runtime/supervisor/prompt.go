package supervisor

import (
	"embed"
	"encoding/json"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/instructions"
)

//go:embed prompts/*.txt
var files embed.FS

var texts = instructions.Texts{Files: &files, Folder: "prompts"}

// question is the data for the templates of prompts.
type question struct {
	Wrong, Original, Schema, Tool, Goal string
}

// quoteText returns a text of a model unchanged if it is JSON, and as a JSON string otherwise. The
// limit never cuts a text, because longer texts are not sent to a model.
func quoteText(text string) string {
	return jsontext.CompactLine(json.RawMessage(text), 8*maxPromptBytes)
}

// compactJSON returns JSON for a model: without white space, and with <, > and & not escaped.
func compactJSON(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	text, err := jsontext.Marshal(raw, "")
	if err != nil {
		return string(raw)
	}
	return string(text)
}

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

// question is the data of the prompts.
type question struct {
	Wrong, Original, Schema, Tool, Goal string
}

// quoteText returns a model's text as JSON: unchanged if it is JSON, otherwise as a string. It is
// never cut, because longer texts are not shown to models.
func quoteText(text string) string {
	return jsontext.CompactLine(json.RawMessage(text), 8*maxPromptBytes)
}

// compactJSON returns JSON without white space and with <, > and & unescaped, as models read it.
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

package supervisor

import (
	"embed"
	"encoding/json"
	"strings"
	"text/template"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/quote"
	"github.com/aiongen/aiongen/runtime/prompt"
	"github.com/aiongen/aiongen/runtime/tool"
)

//go:embed prompts/*.txt
var files embed.FS

var prompts = template.Must(template.ParseFS(files, "prompts/*.txt"))

// question is what the prompts show.
type question struct {
	Wrong, Original, Schema, Tool, Tools, Goal string
}

func render(name string, data any) string {
	var b strings.Builder
	if err := prompts.ExecuteTemplate(&b, name, data); err != nil {
		panic(err) // it is embedded, and fed with strings alone
	}
	return strings.TrimSpace(b.String())
}

// describe tells all of tools: their calls with an example, and their schemas.
func describe(definitions []tool.Definition) string {
	var b strings.Builder
	for _, d := range definitions {
		b.WriteString(prompt.Text([]tool.Definition{d}))
		if len(d.Input) > 0 {
			b.WriteString("  schema of the arguments: " + compact(d.Input) + "\n")
		}
	}
	if len(definitions) == 0 {
		return "(none)\n"
	}
	return b.String()
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

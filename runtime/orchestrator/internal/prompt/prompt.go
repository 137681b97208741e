// Package prompt has the texts that the orchestrator asks models with. They are in
// the folder texts, each with a comment that says what it is for.
package prompt

import (
	"embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/prompt"
	"github.com/aiongen/aiongen/runtime/tool"
)

//go:embed texts/*.txt
var files embed.FS

var texts = template.Must(template.New("").Funcs(template.FuncMap{"describe": describe, "cut": cut}).ParseFS(files, "texts/*.txt"))

// Data is what prompts show.
type Data struct {
	Request string
	Goal    string
	Step    plan.Step
	Tool    tool.Definition
	Tools   []tool.Definition
	Results []Result
}

// Result is what a prompt shows of a step that was executed.
type Result struct{ ID, Description, Result, Error string }

// Render returns the prompt of a file.
func Render(file string, d Data) string {
	var b strings.Builder
	if err := texts.ExecuteTemplate(&b, file, d); err != nil {
		panic(err) // it is embedded, and data has all that it names
	}
	return strings.TrimSpace(b.String())
}

// describe tells all of a tool: how it is called, with an example, and both
// schemas.
func describe(d tool.Definition) string {
	text := prompt.Text([]tool.Definition{d})
	if len(d.Input) > 0 {
		text += "  schema of the arguments: " + string(d.Input) + "\n"
	}
	if len(d.Output) > 0 {
		text += "  schema of the result: " + string(d.Output) + "\n"
	}
	return text
}

// longest bounds, in bytes, each text that a prompt shows of an earlier step: a
// model has to have room for others, and for its answer.
const longest = 16 << 10

// cut shortens a text between characters, and says so.
func cut(text string) string {
	if len(text) <= longest {
		return text
	}
	return fmt.Sprintf("%s (cut here, it has %d bytes)", words.Cut(text, longest), len(text))
}

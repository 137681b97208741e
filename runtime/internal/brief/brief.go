// Package brief tells a model what it has to work with: the texts of planner and
// supervisor, filled in, and the tools that a plan may call.
package brief

import (
	"cmp"
	"io/fs"
	"strings"
	"sync"
	"text/template"

	"github.com/aiongen/aiongen/runtime/internal/quote"
	"github.com/aiongen/aiongen/runtime/prompt"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Texts are the templates in a folder that comes with a program. They are read when one
// is filled in first: a program that fills in none links no package template.
type Texts struct {
	Files  fs.FS
	Folder string
	once   sync.Once
	read   *template.Template
}

// Fill fills in a file. It panics where a file is none, or names what the data have not.
func (t *Texts) Fill(file string, data any) string {
	t.once.Do(func() { t.read = template.Must(template.ParseFS(t.Files, t.Folder+"/*.txt")) })
	var b strings.Builder
	if err := t.read.ExecuteTemplate(&b, file, data); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

// longestSchema is how much of a schema is shown, in bytes.
const longestSchema = 1 << 20

// Tools tells all of tools: how they are called, with an example, and their schemas.
func Tools(definitions ...tool.Definition) string {
	var b strings.Builder
	for _, d := range definitions {
		b.WriteString(prompt.Text([]tool.Definition{d}))
		if len(d.Input) > 0 {
			b.WriteString("  schema of the arguments: " + quote.Value(d.Input, longestSchema) + "\n")
		}
		if len(d.Output) > 0 {
			b.WriteString("  schema of the result: " + quote.Value(d.Output, longestSchema) + "\n")
		}
	}
	return cmp.Or(b.String(), "(none)\n")
}

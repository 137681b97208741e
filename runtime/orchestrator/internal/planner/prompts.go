package planner

import (
	"cmp"
	"embed"
	"encoding/json"
	"slices"
	"strings"
	"text/template"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/prompt"
	"github.com/aiongen/aiongen/runtime/tool"
)

//go:embed texts/*.txt
var files embed.FS

var texts = template.Must(template.ParseFS(files, "texts/*.txt"))

// shown is what prompts show. All but the request and the texts of this program are
// JSON, on one line: what models and tools said cannot look like anything else.
type shown struct {
	Request    string
	Remembered string
	Goal       string
	Steps      []string
	Step       string
	Tools      string // descriptions, which come from the program
	Most       int    // steps
	Taken      string // IDs
	Maybe      bool   // what failed may have happened
	Denied     []string
	Known      string // of the arguments
	Missing    string
	Fallback   bool
	Last       bool
	Schema     string // of the answer
	Before     string // the answer that was wrong
	Wrong      string
}

// render returns the prompt of a file.
func render(file string, data shown) string {
	var b strings.Builder
	if err := texts.ExecuteTemplate(&b, file, data); err != nil {
		panic(err) // it is embedded, and there is all that it names
	}
	return strings.TrimSpace(b.String())
}

// quote writes anything as JSON on one line.
func quote(x any) string {
	text, err := jsontext.Marshal(x, "")
	if err != nil {
		return jsontext.Quote(err.Error())
	}
	return string(text)
}

// describe tells all of tools: how they are called, with an example, and their schemas.
func describe(definitions ...tool.Definition) string {
	var b strings.Builder
	for _, d := range definitions {
		b.WriteString(prompt.Text([]tool.Definition{d}))
		if len(d.Input) > 0 {
			b.WriteString("  schema of the arguments: " + quote(d.Input) + "\n")
		}
		if len(d.Output) > 0 {
			b.WriteString("  schema of the result: " + quote(d.Output) + "\n")
		}
	}
	return cmp.Or(b.String(), "(none)\n")
}

// What prompts show of each step beside its result, in bytes.
const (
	longestDescription = 1 << 10
	longestArguments   = 2 << 10
	longestFailure     = 4 << 10
)

// line is what a prompt shows of a step, or of a call.
type line struct {
	ID          string          `json:"step_id,omitempty"`
	Description string          `json:"description,omitempty"`
	Tool        string          `json:"tool,omitempty"`
	Arguments   json.RawMessage `json:"arguments,omitempty"`
	Status      plan.Status     `json:"status,omitempty"`
	Result      json.RawMessage `json:"result,omitempty"`
	Error       string          `json:"error,omitempty"`

	// In place of a result that is too long.
	Begins string `json:"result_begins_with,omitempty"`
	Bytes  int    `json:"result_bytes,omitempty"`
}

// lines returns the steps of the plan and what came of them, in so many bytes of
// results.
func (p *planning) lines(most int) []string {
	share := p.share(most)
	all := make([]string, len(p.plan.Steps))
	for i, s := range p.plan.Steps {
		l := line{ID: s.ID, Description: words.Cut(s.Description, longestDescription), Tool: s.Tool, Status: s.Status}
		r := p.results[s.ID]
		if l.Arguments = s.Arguments; r != nil && r.call != nil {
			l.Arguments = r.call.Request.Arguments // which a person may have changed
		}
		if len(l.Arguments) > longestArguments {
			l.Arguments = nil
		}
		switch {
		case r == nil:
		case !r.Success:
			l.Error = words.Cut(r.told, longestFailure)
		case len(r.Result) > share:
			text := string(r.Result)
			if r.Result[0] == '"' {
				text = jsontext.Unquote(text)
			}
			l.Begins, l.Bytes = words.Cut(text, share), len(r.Result)
		default:
			l.Result = r.Result
		}
		all[i] = quote(l)
	}
	return all
}

// share returns how much of each result there is room for, if those that are shorter
// leave what they do not need to the others.
func (p *planning) share(most int) int {
	var sizes []int
	for _, r := range p.results {
		sizes = append(sizes, len(r.Result))
	}
	slices.Sort(sizes)
	for i, size := range sizes {
		if each := most / (len(sizes) - i); size > each {
			return each
		}
		most -= size
	}
	return most
}

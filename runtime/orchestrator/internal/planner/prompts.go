package planner

import (
	"cmp"
	"embed"
	"encoding/json"
	"slices"

	"github.com/aiongen/aiongen/runtime/internal/brief"
	"github.com/aiongen/aiongen/runtime/internal/planform"
	"github.com/aiongen/aiongen/runtime/internal/quote"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/prompt"
)

//go:embed texts/*.txt
var files embed.FS

var texts = brief.Texts{Files: &files, Folder: "texts"}

// manual is what system prompts show, which is the same for all requests.
type manual struct {
	Listed  string // the role, and the tools in a line each
	Tools   string // how they are called
	Example string // a plan
}

// system returns the system prompt: of calls that are about plans it begins with that of
// repairs, and is the same for all of them.
func (p *planning) system(ofPlan bool) string {
	switch {
	case !ofPlan:
		return brief.Role
	case p.manual == "":
		p.manual = texts.Fill("system.txt", manual{brief.Tools(p.tools), prompt.Signatures(p.tools), brief.Example(p.tools)})
	}
	return p.manual
}

// shown is what prompts show. All but the texts of this program is quoted.
type shown struct {
	Request   string
	Said      []string // by the user since
	Goal      string
	Steps     []string
	Step      string
	Continued string // description of the step that continues planning
	Tool      string // its name, of the step whose turn it is
	Most      int    // steps
	Taken     string // IDs
	Maybe     bool   // what failed may have happened
	Denied    []string
	Known     string // of the arguments
	Missing   string
	Suspect   string // arguments that look like placeholders
	Fallback  bool
	Last      bool
	Schema    string // of the answer
	Before    string // the answer that was wrong
	Wrong     string
}

// inJSON writes a list of names on one line.
func inJSON(names []string) string { return quote.Value(encode(names), longestFailure) }

// What prompts show of each step beside its result, in bytes.
const (
	longestDescription = 1 << 10
	longestArguments   = 2 << 10
	longestFailure     = 4 << 10
	longestSchema      = 1 << 20
)

// lines returns the steps of the plan and what came of them, in so many bytes of
// results.
func (p *planning) lines(most int) []string {
	share := p.share(most)
	all := make([]string, len(p.plan.Steps))
	for i, s := range p.plan.Steps {
		r, arguments := p.results[s.ID], s.Arguments
		if r != nil && r.call != nil {
			arguments = r.call.Request.Arguments // which a person may have changed
		}
		line := "step " + quote.Text(s.ID, planform.MaxID) + ": " + quote.Text(s.Description, longestDescription)
		if s.Tool != "" {
			line += ", a call: " + callOf(s.Tool, arguments)
		}
		all[i] = line + "; " + p.state(s, r, share)
	}
	return all
}

// callOf tells of a call.
func callOf(name string, arguments json.RawMessage) string {
	return quote.Text(name, longestDescription) + " " + quote.Value(json.RawMessage(cmp.Or(string(arguments), "{}")), longestArguments)
}

// state says where a step stands, with so many bytes of its result.
func (p *planning) state(s plan.Step, r *result, most int) string {
	switch {
	case s.Status == plan.Running:
		return "it is being done"
	case r == nil:
		return "it is to come"
	case r.call != nil && r.Success:
		return "its result: " + quote.Call(r.call, most)
	case r.call != nil:
		return "it failed: " + quote.Call(r.call, longestFailure)
	case !r.Success:
		return "it failed: " + quote.Text(r.Error.Text, longestFailure)
	}
	return "its result: " + quote.Value(r.Result, most)
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

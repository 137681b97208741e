package planner

import (
	"cmp"
	"embed"
	"encoding/json"
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/instructions"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/schema"
)

//go:embed texts/*.txt
var files embed.FS

var texts = instructions.Texts{Files: &files, Folder: "texts"}

// manualData is the data of the system prompt, which is the same for all requests.
type manualData struct {
	Listed  string // the role, and a line for each tool
	Tools   string // signatures of the tools
	Example string // an example plan
}

// systemPrompt returns the system prompt. If ofPlan is true, it is the same for all questions and
// begins like the system prompt of repairs, so that providers can cache it.
func (p *planning) systemPrompt(ofPlan bool) string {
	switch {
	case !ofPlan:
		return instructions.Role
	case p.manual == "":
		p.manual = texts.Fill("system.txt", manualData{instructions.Tools(p.tools), schema.Signatures(p.tools), examplePlan(p.tools)})
	}
	return p.manual
}

// promptData is the data of prompts. Everything that is not the program's own text is quoted.
type promptData struct {
	Request   string
	Said      []string // messages of the user since the run began
	Goal      string
	Steps     []string
	Step      string
	Continued string // description of the step that continues planning
	Tool      string // name of the current step's tool
	Most      int    // maximum number of steps
	Taken     string // IDs that are already used
	Maybe     bool   // the failed call may have had an effect
	Denied    []string
	Known     string // the known arguments
	Missing   string
	Suspect   string // arguments that look like placeholders
	Fallback  bool   // there is no tool for the step
	Last      bool   // the step is the last one, and its result is the answer
	Schema    string // of the answer
	Before    string // the answer that was not usable
	Wrong     string
}

// quoteList returns names as a JSON array on one line.
func quoteList(names []string) string { return jsontext.CompactLine(mustEncode(names), maxFailure) }

// Maximum lengths in prompts, apart from results, in bytes.
const (
	maxDescription = 1 << 10
	maxArguments   = 2 << 10
	maxFailure     = 4 << 10
	maxSchema      = 1 << 20
)

// describeSteps returns a line for each step with its result. The results have at most maxBytes
// bytes in all.
func (p *planning) describeSteps(maxBytes int) []string {
	share := p.bytesPerResult(maxBytes)
	all := make([]string, len(p.plan.Steps))
	for i, s := range p.plan.Steps {
		r, arguments := p.results[s.ID], s.Arguments
		if r != nil && r.call != nil {
			arguments = r.call.Request.Arguments // a person may have changed them
		}
		line := "step " + jsontext.QuoteLine(s.ID, plan.MaxID) + ": " + jsontext.QuoteLine(s.Description, maxDescription)
		if s.Tool != "" {
			line += ", a call: " + describeCall(s.Tool, arguments)
		}
		all[i] = line + "; " + p.describeState(s, r, share)
	}
	return all
}

// describeCall describes a call.
func describeCall(name string, arguments json.RawMessage) string {
	return jsontext.QuoteLine(name, maxDescription) + " " + jsontext.CompactLine(json.RawMessage(cmp.Or(string(arguments), "{}")), maxArguments)
}

// describeState describes the state of a step. It shows at most maxBytes bytes of the result.
func (p *planning) describeState(s plan.Step, r *stepResult, maxBytes int) string {
	switch {
	case s.Status == plan.Running:
		return "it is being done"
	case r == nil:
		return "it is to come"
	case r.call != nil && r.Success:
		return "its result: " + r.call.Quote(maxBytes)
	case r.call != nil:
		return "it failed: " + r.call.Quote(maxFailure)
	case !r.Success:
		return "it failed: " + jsontext.QuoteLine(r.Error.Text, maxFailure)
	}
	return "its result: " + jsontext.CompactLine(r.Result, maxBytes)
}

// bytesPerResult returns the maximum length of each result, so that all results together have at most
// maxBytes bytes. The longer results share what the shorter ones do not need.
func (p *planning) bytesPerResult(maxBytes int) int {
	var sizes []int
	for _, r := range p.results {
		sizes = append(sizes, len(r.Result))
	}
	slices.Sort(sizes)
	for i, size := range sizes {
		if share := maxBytes / (len(sizes) - i); size > share {
			return share
		}
		maxBytes -= size
	}
	return maxBytes
}

package inspect

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/runtime/inspect/internal/history"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
)

// badge is a short text in a color.
type badge struct {
	Text  string
	Class string // good, warn, bad, or empty
}

// statusBadge shows the status of a run.
func statusBadge(status, waitsFor string) badge {
	switch status {
	case run.Completed:
		return badge{"completed", "good"}
	case run.Failed:
		return badge{"failed", "bad"}
	case run.Cancelled:
		return badge{"canceled", "bad"}
	case run.Waiting:
		what := map[string]string{run.ForApproval: "an approval", run.ForAnswer: "an answer", run.ForDecision: "a decision", run.ForMessage: "a message"}[waitsFor]
		return badge{"waits for " + cmp.Or(what, waitsFor), "warn"}
	case run.Interrupted:
		return badge{"interrupted", "warn"}
	case run.Expired:
		return badge{"step limit reached", "warn"}
	case run.OverBudget:
		return badge{"over budget", "warn"}
	}
	return badge{Text: status}
}

// callBadge shows the status of a call.
func callBadge(status string) badge {
	class := map[string]string{"done": "good", "failed": "bad", "waiting": "warn", "unknown": "warn"}[status]
	text := map[string]string{"waiting": "waits", "unknown": "outcome unknown"}[status]
	return badge{cmp.Or(text, status), class}
}

// argumentView is a row of the arguments of a call.
type argumentView struct {
	Name    string
	Value   string
	Sources []sourceView
}

// sourceView says where a value came from, with a link to the entry.
type sourceView struct {
	Text  string
	Quote string // the rest of the text, which comes from outside the program
	URL   string // of the entry, or ""
}

// newArguments describes the arguments of a call of a run.
func newArguments(run string, all []history.Argument) (views []argumentView) {
	for _, a := range all {
		v := argumentView{Name: strings.TrimPrefix(a.Pointer, "/"), Value: cutText(prettyJSON(json.RawMessage(a.Value)))}
		for i, s := range a.Sources {
			shown := newSource(s, i > 0)
			if s.Kind != history.FromProgram && s.Kind != history.FromUnknown {
				shown.URL = entryURL(run, s.Entry)
			}
			v.Sources = append(v.Sources, shown)
		}
		views = append(views, v)
	}
	return views
}

// newSource describes a source. If further is true, the value came from another source and passed through this one.
func newSource(s history.Source, further bool) sourceView {
	var v sourceView
	switch s.Kind {
	case history.FromRequest:
		v.Text = "in the request"
	case history.FromMessage:
		v.Text = "in a message"
	case history.FromReply:
		v.Text = "in a person's reply"
	case history.FromPerson:
		v.Text, v.Quote = "edited by", s.By
	case history.FromStep:
		v.Text, v.Quote = "result of step", strings.TrimSpace(s.Step+" "+s.Pointer)
	case history.FromResult:
		v.Text, v.Quote = "the same value is in the result of", strings.TrimSpace(s.Tool+" "+s.Pointer)
	case history.FromRepair:
		v.Text, v.Quote = "repaired", shortText(s.Before)
		if v.Quote != "" {
			v.Text = "repaired from"
		}
	case history.FromModel:
		v.Text = "written by the model"
		if further {
			v.Text = "through the model"
		}
		v.Text += modelPlace(s)
	case history.FromProgram:
		v.Text = "given by the program"
	default:
		v.Text = "unknown: the entry with the source cannot be read"
	}
	return v
}

// modelPlace describes the answer in which the model wrote a value.
func modelPlace(s history.Source) string {
	switch {
	case s.Turn > 0:
		return fmt.Sprintf(" in turn %d", s.Turn)
	case s.Purpose == run.PurposePlan:
		return " in the plan"
	case s.Purpose == run.PurposeArguments:
		return ", asked for this argument"
	}
	return ""
}

// graphView is a plan as a drawing and as a table.
type graphView struct {
	history.Graph
	Goal    string
	Entry   int
	Given   bool
	Earlier int        // plans that this one replaced
	Steps   []stepView // the first ones
	More    int        // steps that Steps does not have

	ModelSteps bool // the model carries out some steps, which use all earlier results, not only those that they refer to
}

// stepView is a step in the table of a plan.
type stepView struct {
	ID, Description, Does, Uses string
	Status                      badge
}

// newGraph returns the view of the latest plan with at most maxSteps rows in its table, or nil.
func newGraph(plans []history.Plan, maxSteps int) *graphView {
	if len(plans) == 0 {
		return nil
	}
	p := plans[len(plans)-1]
	g := &graphView{Graph: history.DrawPlan(p.Plan), Goal: p.Goal, Entry: p.Entry, Given: p.Given, Earlier: len(plans) - 1}
	shown := min(len(p.Steps), maxSteps)
	g.More = len(p.Steps) - shown
	for _, s := range p.Steps[:shown] {
		n := history.Node{Step: s}
		does := n.Tool
		switch {
		case does != "":
		case n.Agent == plan.AgentReplan:
			does = "the model plans the rest"
		default:
			does = "the model"
		}
		g.ModelSteps = g.ModelSteps || n.Tool == ""
		g.Steps = append(g.Steps, stepView{ID: n.ID, Description: n.Description, Does: does, Uses: n.Uses(), Status: stepBadge(n.Status)})
	}
	return g
}

func stepBadge(s plan.Status) badge {
	switch s {
	case plan.Complete:
		return badge{"done", "good"}
	case plan.Failed:
		return badge{"failed", "bad"}
	case plan.Running:
		return badge{"in progress", "warn"}
	}
	return badge{Text: "not run"}
}

// costView is a row of the table of costs.
type costView struct {
	history.Cost
	TimeShare float64 // the time divided by the longest time in the table
	Share     float64 // the tokens divided by the largest number of tokens in the table
}

func newCosts(all []history.Cost) (views []costView) {
	var time, tokens float64
	for _, c := range all {
		time, tokens = max(time, float64(c.Time)), max(tokens, float64(c.Tokens))
	}
	for _, c := range all {
		views = append(views, costView{c, shareOf(float64(c.Time), time), shareOf(float64(c.Tokens), tokens)})
	}
	return views
}

func shareOf(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return math.Round(part/whole*1000) / 1000
}

// costText returns a cost in the unit of the program, or "" if the program does not count it.
func costText(cost float64) string {
	if cost == 0 {
		return ""
	}
	return strconv.FormatFloat(cost, 'g', 4, 64)
}

func runURL(id string) string { return "run?" + url.Values{"id": {id}}.Encode() }

func entryURL(run string, entry int) string {
	return "entry?" + url.Values{"id": {run}, "n": {strconv.Itoa(entry)}}.Encode()
}

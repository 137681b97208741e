package inspect

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/inspect/internal/history"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

var runPage = parsePage("run.html", "runparts.html")

// itemsPerPage limits the items of a timeline on a page.
const itemsPerPage = 100

// runView is what the page of a run shows.
type runView struct {
	ID          string
	Request     string
	Kind        string
	Status      badge
	Began       moment
	Last        moment
	Took        string
	Entries     int
	Behind      int // entries that the page does not show yet
	Fork        *run.Origin
	Usage       run.Usage
	Cost        string
	Limits      []string
	Answer      string
	Error       string
	Fault       string     // of the journal
	Problem     string     // what is wrong with the form that the person sent, or why the run could not be continued
	Typed       url.Values // the form that the person sent, if there was a problem with it
	Waits       []waitView
	Message     bool // the run waits for a message
	Ended       bool
	Extends     bool // the run has reached a limit
	CanSend     bool
	CanContinue bool // the run can be continued without a signal
	CanExecute  bool // this program can continue the run
	Executing   bool // this program continues the run
	Plan        *graphView
	Rows        []itemRow
	Before      string // URL of the earlier part of the timeline
	After       string // URL of the later part
	Shown       string // which part of the timeline is shown
	Costs       []costView
	Events      string // URL of the stream of changes, if there may be any
}

// waitView is a call that the run waits for.
type waitView struct {
	For       string
	Call      string
	Tool      string
	Entry     int
	Arguments []argumentView
	JSON      json.RawMessage // arguments
	CanEdit   bool            // the page can show all of JSON, so that a person can edit it
	Questions []tool.Question
	Typed     url.Values
}

// itemRow is a row of a timeline.
type itemRow struct {
	URL    string // of the page of the entry
	Entry  int
	Indent int // number of agents around the item
	Kind   string
	Title  string
	Text   string
	Status badge
	Offset string // since the run began
	Took   string
	X, W   string // of the bar, in percent
}

// sendButtons are the buttons of a form that sends a signal.
type sendButtons struct {
	Label    string
	Continue bool // offer to continue the run in this program, too
}

// Send returns the buttons of a form.
func (v runView) Send(label string) sendButtons { return sendButtons{label, v.CanExecute} }

// Values returns the answers to the questions as they were typed, or forms to fill in.
func (w waitView) Values() []string {
	values := make([]string, len(w.Questions))
	for i, q := range w.Questions {
		if values[i] = w.Typed.Get("value" + strconv.Itoa(i)); values[i] == "" {
			values[i] = emptyAnswer(q)
		}
	}
	return values
}

// emptyAnswer returns a JSON object with the fields that a question asks for, to be filled in.
func emptyAnswer(q tool.Question) string {
	fields, err := q.Fields()
	if err != nil {
		return "{}"
	}
	object := map[string]any{}
	for _, f := range fields {
		object[f.Name] = ""
	}
	text, err := json.MarshalIndent(object, "", "  ")
	if err != nil {
		return "{}"
	}
	return string(text)
}

// showRun shows a run.
func (h *Handler) showRun(w http.ResponseWriter, r *http.Request) {
	h.showRunWith(w, r, r.FormValue("id"), "", nil)
}

// showRunWith shows a run, and what is wrong with the form that a person has sent.
func (h *Handler) showRunWith(w http.ResponseWriter, r *http.Request, id, problem string, typed url.Values) {
	runHistory := h.openRun(w, r, id)
	if runHistory == nil {
		return
	}
	from, err := strconv.Atoi(r.URL.Query().Get("from"))
	if err != nil {
		from = -1
	}
	v := h.newRunView(runHistory, from, plan.MaxSteps)
	v.Typed = typed
	if problem != "" {
		v.Problem = h.redactText(id, problem)
	}
	for i := range v.Waits {
		if r.FormValue("call") == v.Waits[i].Call {
			v.Waits[i].Typed = typed
		}
	}
	p := page{template: runPage, title: "Run " + id, section: "runs", body: v}
	if problem != "" {
		p.status = http.StatusUnprocessableEntity
	}
	h.showPage(w, r, p)
}

// newRunView returns the view of a run, with its timeline from an index on, or its last part, and with at most
// maxSteps rows in the table of the plan.
func (h *Handler) newRunView(runHistory *history.Run, from, maxSteps int) runView {
	v := runView{
		ID: runHistory.ID, Request: cutText(runHistory.ShowRequest()), Status: statusBadge(runHistory.Status, runHistory.WaitsFor), Began: newMoment(runHistory.Began), Last: newMoment(runHistory.Last),
		Took: durationText(runHistory.Last.Sub(runHistory.Began)), Entries: runHistory.Entries, Behind: runHistory.Behind(), Usage: runHistory.Usage, Cost: costText(runHistory.Usage.Cost), Costs: newCosts(runHistory.Costs()), Plan: newGraph(runHistory.Plans(), maxSteps),
		Message: runHistory.WaitsFor == run.ForMessage, Ended: history.GroupOf(runHistory.Status) == "ended", Extends: runHistory.Status == run.Expired || runHistory.Status == run.OverBudget,
		CanSend: h.canSend(), Limits: limitTexts(runHistory.Limits),
	}
	if runHistory.Input != nil {
		v.Kind, v.Fork = runHistory.Input.Kind, runHistory.Input.Origin
	}
	answer, failure := runHistory.ShowResult()
	if v.Answer = cutText(prettyJSON(answer)); failure != nil {
		v.Error = failure.Text
	}
	if runHistory.Fault != nil {
		v.Fault = runHistory.Fault.Error()
	}
	v.Executing, v.Problem = h.executions.state(runHistory.ID)
	v.Problem = h.redactText(runHistory.ID, v.Problem)
	v.CanExecute = h.canExecute()
	v.CanContinue = v.CanExecute && !v.Ended && !v.Executing && runHistory.Status != run.Waiting || h.config.Wake != nil && runHistory.Status == run.Interrupted
	if !v.Ended && from < 0 {
		v.Events = "events?" + url.Values{"id": {runHistory.ID}, "seen": {strconv.Itoa(runHistory.Entries)}}.Encode()
	}
	for _, item := range runHistory.ShowWaits() {
		v.Waits = append(v.Waits, newWait(runHistory.ID, item))
	}
	v.addRows(runHistory, from)
	return v
}

func newWait(run string, item history.Item) waitView {
	c := item.Call
	arguments := c.Request.Arguments
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	return waitView{For: c.WaitsFor, Call: c.ID, Tool: c.Tool, Entry: item.Entry, Arguments: newArguments(run, c.Sources), JSON: arguments, CanEdit: len(indentJSON(arguments)) <= maxShown, Questions: c.Questions()}
}

// limitTexts returns the limits of a run in words.
func limitTexts(l run.Limits) (all []string) {
	if l.Steps > 0 {
		all = append(all, fmt.Sprintf("%d steps", l.Steps))
	}
	if l.Tokens > 0 {
		all = append(all, fmt.Sprintf("%d tokens", l.Tokens))
	}
	if l.Cost > 0 {
		all = append(all, "cost "+costText(l.Cost))
	}
	if !l.Deadline.IsZero() {
		all = append(all, "until "+newMoment(l.Deadline).Text)
	}
	return all
}

// addRows adds a part of the timeline.
func (v *runView) addRows(runHistory *history.Run, from int) {
	n := len(runHistory.Items)
	if from < 0 || from >= n {
		from = max(n-itemsPerPage, 0)
	}
	to := min(from+itemsPerPage, n)
	link := func(at int) string {
		return "run?" + url.Values{"id": {runHistory.ID}, "from": {strconv.Itoa(at)}}.Encode() + "#timeline"
	}
	if from > 0 {
		v.Before = link(max(from-itemsPerPage, 0))
	}
	if to < n {
		v.After = link(to)
	}
	if to-from < n {
		v.Shown = fmt.Sprintf("%d to %d of %d", from+1, to, n)
	}
	for _, item := range runHistory.Show(from, to) {
		v.Rows = append(v.Rows, newRow(runHistory, item))
	}
}

// newRow returns the row of an item, with a bar that shows when it happened.
func newRow(runHistory *history.Run, item history.Item) itemRow {
	began, took := item.Began.Sub(runHistory.Began), item.Ended.Sub(item.Began)
	row := itemRow{
		URL: entryURL(runHistory.ID, item.Entry), Entry: item.Entry, Indent: item.Depth, Kind: item.Kind, Title: item.Kind,
		Offset: "+" + durationText(began),
	}
	percent := func(d time.Duration) float64 {
		return 100 * shareOf(float64(d), float64(runHistory.Last.Sub(runHistory.Began)))
	}
	x := min(max(percent(began), 0), 99)
	row.X, row.W = percentText(x), percentText(min(max(percent(took), 1), 100-x))
	if took > 0 {
		row.Took = durationText(took)
	}
	row.describeItem(item)
	return row
}

func percentText(p float64) string { return strconv.FormatFloat(p, 'f', 1, 64) }

// describeItem sets the title, the text and the status of the row.
func (row *itemRow) describeItem(item history.Item) {
	switch {
	case item.Answer != nil:
		row.Title = "model: " + item.Purpose
		if item.Turn > 0 {
			row.Title = fmt.Sprintf("model: turn %d", item.Turn)
		} else if item.Step != "" {
			row.Title += " for step " + item.Step
		}
		row.Text = shortText(answerText(item.Answer))
		if item.Answer.Error != nil {
			row.Status, row.Text = badge{"unusable", "bad"}, shortText(item.Answer.Error.Text)
		}
	case item.Call != nil:
		row.fillCall(item)
	case item.Signal != nil:
		row.Title, row.Text = signalTexts(item.Signal)
	case item.Kind == history.KindFault:
		row.Title, row.Text, row.Status = "unreadable entry", item.Error.Text, badge{"damaged", "bad"}
	case item.Kind == history.KindBegin:
		row.Title = "the run begins"
	case item.Kind == "claim":
		row.Title, row.Text = "another execution begins", "worker "+item.By
	case item.Kind == "stop", item.Kind == "end":
		row.Title, row.Status = "the run "+item.Kind+"s", statusBadge(item.Status, item.WaitsFor)
		if item.Error != nil {
			row.Text = shortText(item.Error.Text)
		}
	}
}

// fillCall fills in the row of a call.
func (row *itemRow) fillCall(item history.Item) {
	c := item.Call
	row.Title, row.Status = "call: "+c.Tool, callBadge(c.Status())
	if c.Agent != "" {
		row.Title = "agent: " + c.Tool
	}
	row.Text = shortText(string(c.Request.Arguments))
	if c.Outcome == nil {
		return
	}
	if c.Outcome.Err != nil {
		row.Text += " ⟶ " + shortText(c.Outcome.Err.Error())
	} else {
		row.Text += " ⟶ " + shortText(string(c.Outcome.Output))
	}
}

// answerText returns the text of an answer, and the calls that the model requested.
func answerText(a *run.Answer) string {
	parts := []string{a.Response.Text}
	for _, c := range a.Response.Calls {
		parts = append(parts, c.Name+" "+string(c.Arguments))
	}
	return strings.Join(parts, " ")
}

// signalTexts returns what a person did, and what they wrote.
func signalTexts(s *run.Signal) (title, text string) {
	switch s.Kind {
	case "say":
		return "message", shortText(s.Message.Text)
	case "extend":
		return "new limits", strings.Join(limitTexts(*s.Limits), ", ")
	case "cancel":
		return "canceled by a person", shortText(s.Reason)
	}
	return "decision: " + s.Kind, shortText(s.Reason)
}

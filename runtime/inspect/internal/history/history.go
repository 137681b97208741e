// Package history reads what runs did from their journals, for pages that show it. [Reader.List]
// returns a page of runs, [Reader.Open] one run with its timeline, its plan, and where each argument
// came from, and [Compare] two runs side by side.
//
// If a journal is damaged, the package returns what can be read.
package history

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/redact"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Reader reads the runs of a journal.
type Reader struct {
	Journal  journal.Journal
	Redactor *redact.Redactor // hides parts of what is shown; may be nil
}

// Run is what a run did so far. Create one with [Reader.Open]. It is not safe for concurrent use.
type Run struct {
	ID       string
	Input    *run.Input // nil if the first entry cannot be read
	Task     Task
	Status   string
	WaitsFor string
	Began    time.Time
	Last     time.Time // of the last entry
	Entries  int       // number of entries that were added
	Usage    run.Usage
	Limits   run.Limits // in force
	Answer   json.RawMessage
	Error    *run.Error // why the run stopped or failed
	Items    []*Item    // the timeline, not redacted: see [Run.Show]
	Waits    []*Item    // calls that the run waits for
	Fault    error      // error of the journal; later entries cannot be read

	redactor    *redact.Redactor
	journal     journal.Journal
	unread      []journal.Entry // not added yet
	frames      []*frame        // of the run, and of the agents that carry out calls
	calls       map[string]*Item
	steps       map[string]bool
	waits       []run.Wait
	personTexts []personText
	results     []*Item               // calls that succeeded, in the order of their results
	indexed     int                   // number of results whose values are in locations
	locations   map[string][]location // of values in results, by their JSON
	values      int                   // number of values in locations
}

// Task is what a run has to do.
type Task struct {
	Request  string            `json:"request"`
	Messages []llm.Message     `json:"messages"` // before the request
	Plan     *plan.Plan        `json:"plan"`     // given by the program
	Answer   json.RawMessage   `json:"answer"`   // JSON Schema of the answer
	Meta     map[string]string `json:"meta"`
}

// personText is a text that a person wrote.
type personText struct {
	entry int
	kind  SourceKind
	text  string
	by    string // ID of the call that asked, if the text is a reply
}

// Open reads a run. The error is a [*journal.NotFoundError] if there is no such run, or another
// error of the journal if nothing can be read.
func (d Reader) Open(ctx context.Context, id string) (*Run, error) {
	r := &Run{ID: id, redactor: d.Redactor, journal: d.Journal, calls: map[string]*Item{}, steps: map[string]bool{}}
	r.frames = []*frame{{id: id, steps: map[string]*planStep{}}}
	if err := r.Update(ctx, math.MaxInt); err != nil && r.Entries == 0 {
		return nil, err
	}
	return r, nil
}

// Update reads the entries that were appended since the last call. While the run executes, Update adds at most
// limit of them, because decoding entries is slow; [Run.Behind] returns how many are left for the next call.
// Update returns the error of the journal and stores it in Fault.
func (r *Run) Update(ctx context.Context, limit int) error {
	r.Fault = nil
	err := r.readEntries(ctx)
	n := len(r.unread)
	if n > limit && err == nil && r.unread[n-1].Status == run.Running {
		n = limit
	}
	for _, e := range r.unread[:n] {
		r.addEntry(e)
	}
	r.unread = r.unread[n:]
	if _, missing := errors.AsType[*journal.NotFoundError](err); err != nil && (!missing || r.Entries == 0) {
		r.Fault = err
	}
	return err
}

// Behind returns the number of entries that were read, but not added to the run yet.
func (r *Run) Behind() int { return len(r.unread) }

// readEntries reads the entries that were appended since the last call.
func (r *Run) readEntries(ctx context.Context) error {
	for e, err := range r.journal.Read(ctx, r.ID, r.Entries+len(r.unread)) {
		if err != nil {
			return err
		}
		r.unread = append(r.unread, e)
	}
	return nil
}

// addEntry adds an entry, or a fault if the entry cannot be read.
func (r *Run) addEntry(e journal.Entry) {
	rec, err := run.DecodeRecord(e)
	if r.Entries == 0 {
		r.Began = e.Time
	}
	r.Entries, r.Status, r.WaitsFor, r.Last = e.N+1, e.Status, e.WaitsFor, e.Time
	if err != nil {
		r.addItem(&Item{Kind: KindFault, Entry: e.N, Began: e.Time, Ended: e.Time, Error: run.NewError(err)})
		return
	}
	r.updateWaits(rec)
	switch {
	case rec.Input != nil:
		r.addBeginning(rec)
	case rec.Answer != nil:
		r.addAnswer(rec)
	case rec.Request != nil, rec.Call != nil:
		r.addCall(rec)
	case rec.Agent != nil:
		r.beginAgent(rec)
	case rec.Signal != nil:
		r.addSignal(rec)
	case rec.Kind == "do":
		r.readRecordedPlan(rec)
	default:
		r.addStatus(rec)
	}
}

// addItem adds an item to the timeline.
func (r *Run) addItem(item *Item) *Item {
	item.Depth, item.frame = len(r.frames)-1, r.frame()
	r.Items = append(r.Items, item)
	return item
}

// addBeginning adds the first entry.
func (r *Run) addBeginning(rec run.Record) {
	r.Input, r.Limits = rec.Input, rec.Input.Limits
	_ = json.Unmarshal(rec.Input.Data, &r.Task) // if the data is not a task, r.Task stays empty
	f := r.frame()
	f.tools, f.request = rec.Input.Tools, r.Task.Request
	r.personTexts = append(r.personTexts, personText{entry: rec.N, kind: FromRequest, text: r.Task.Request})
	for _, m := range r.Task.Messages {
		if m.Role == llm.RoleUser {
			r.personTexts = append(r.personTexts, personText{entry: rec.N, kind: FromMessage, text: m.Text})
		}
	}
	r.learn(run.MessageRead{Message: llm.Message{Text: r.Task.Request}})
	for _, m := range r.Task.Messages {
		r.learn(run.MessageRead{Message: m})
	}
	if r.Task.Plan != nil {
		r.learn(run.PlanMade{Plan: *r.Task.Plan})
	}
	r.addItem(&Item{Kind: KindBegin, Entry: rec.N, Began: rec.Time, Ended: rec.Time})
}

// addAnswer adds an answer of the model.
func (r *Run) addAnswer(rec run.Record) {
	f := r.frame()
	step := strings.TrimPrefix(rec.Step, f.prefix())
	r.countStep(f, step)
	r.Usage.Add(rec.Answer.Usage())
	item := r.addItem(&Item{Kind: KindModel, Entry: rec.N, Step: step, Purpose: rec.Purpose, Answer: rec.Answer, Began: rec.Time.Add(-rec.Answer.Duration), Ended: rec.Time})
	if rec.Purpose == run.PurposeTurn {
		f.turns++
		item.Turn = f.turns
	}
	r.learn(item.modelEnd())
	f.readAnswer(item, step)
}

// countStep counts a step when it first has an effect.
func (r *Run) countStep(f *frame, step string) {
	key := f.id + "/" + step
	if step != "" && !r.steps[key] {
		r.steps[key] = true
		r.Usage.Steps++
	}
}

// addCall adds the start or the outcome of a call.
func (r *Run) addCall(rec run.Record) {
	id := callIDOf(rec)
	if f := r.frame(); len(r.frames) > 1 && f.id == id && rec.Call != nil {
		r.frames = r.frames[:len(r.frames)-1] // the outcome ends the agent
	}
	item := r.callItem(id, rec)
	c := item.Call
	moment := Moment{Entry: rec.N, Time: rec.Time, Kind: "starts", Attempt: max(rec.Attempt, 1), Request: rec.Request}
	if rec.Call != nil {
		moment.Kind, moment.Call = outcomeKind(rec.Call), rec.Call
		c.Outcome, c.Tool = rec.Call, rec.Call.Request.Name
		if rec.Ran {
			r.Usage.ToolCalls++
		}
		if rec.Call.Err == nil {
			r.results = append(r.results, item)
		}
		r.learn(run.CallEnd{Call: rec.Call})
		r.frame().endStep(item)
	} else {
		c.Outcome, c.Request = nil, *rec.Request
		r.learn(run.CallStart{Request: *rec.Request})
	}
	item.Ended = rec.Time
	c.Moments = append(c.Moments, moment)
}

// outcomeKind returns the kind of a [Moment] with an outcome.
func outcomeKind(c *tool.Call) string {
	switch {
	case c.Err == nil:
		return "returns"
	case tool.Code(c.Err) == tool.Code(new(tool.ApprovalError)):
		return "waits"
	}
	if asks, ok := errors.AsType[*tool.AskError](c.Err); ok && !asks.Nobody {
		return "asks"
	}
	return "fails"
}

// callItem returns the item of a call, which it adds if necessary.
func (r *Run) callItem(id string, rec run.Record) *Item {
	if item := r.calls[id]; item != nil {
		item.Last = rec.N
		return item
	}
	f := r.frame()
	_, step := run.ParseCallID(id)
	began := rec.Time
	c := &Call{ID: id}
	switch {
	case rec.Request != nil:
		c.Request = *rec.Request
	case rec.Call != nil:
		c.Request = rec.Call.Request
		if s := rec.Call.Started; !s.IsZero() && s.Before(began) {
			began = s
		}
	}
	c.Tool = c.Request.Name
	item := r.addItem(&Item{Kind: KindCall, Entry: rec.N, Last: rec.N, Step: step, Began: began, Ended: rec.Time, Call: c})
	f.connectCall(item)
	r.calls[id] = item
	r.countStep(f, step)
	return item
}

// beginAgent begins the frame of an agent.
func (r *Run) beginAgent(rec run.Record) {
	callRecord := rec
	callRecord.Call = rec.Agent.Call
	item := r.callItem(rec.Agent.Call.ID, callRecord)
	item.Call.Moments = append(item.Call.Moments, Moment{Entry: rec.N, Time: rec.Time, Kind: "agent"})
	item.Call.Agent = rec.Agent.Input.Kind
	var t Task
	_ = json.Unmarshal(rec.Agent.Input.Data, &t)
	r.frames = append(r.frames, &frame{run: r.ID, id: rec.Agent.Call.ID, depth: len(r.frames), tools: rec.Agent.Input.Tools, request: t.Request, steps: map[string]*planStep{}})
}

// addSignal adds a signal to the call that it is about, or to the timeline if it is not about a call.
func (r *Run) addSignal(rec run.Record) {
	s := rec.Signal
	if item := r.calls[s.Call]; item != nil {
		item.Last, item.Ended = rec.N, rec.Time
		r.learnSignal(*s, item.Call.Request)
		item.Call.Moments = append(item.Call.Moments, Moment{Entry: rec.N, Time: rec.Time, Kind: rec.Kind, Signal: s})
		for _, a := range s.Answers {
			if a.Accepted() {
				r.personTexts = append(r.personTexts, personText{entry: rec.N, kind: FromReply, text: string(a.Value), by: s.Call})
			}
		}
		if s.Arguments != nil {
			item.Call.edits = append(item.Call.edits, personEdit{entry: rec.N, by: s.Approval, before: item.Call.arguments(), arguments: s.Arguments})
		}
		return
	}
	switch rec.Kind {
	case "say":
		r.personTexts = append(r.personTexts, personText{entry: rec.N, kind: FromMessage, text: s.Message.Text})
		r.learn(run.MessageRead{Message: *s.Message})
	case "cancel":
		r.learn(run.MessageRead{Message: llm.Message{Text: s.Reason}})
	case "extend":
		r.Limits = *s.Limits
	}
	r.addItem(&Item{Kind: KindSignal, Entry: rec.N, Began: rec.Time, Ended: rec.Time, Signal: s})
}

// addStatus adds a claim, a stop or the end.
func (r *Run) addStatus(rec run.Record) {
	switch rec.Kind {
	case "claim":
		r.Error = nil
		if rec.N == 1 {
			return // the claim of the first worker is of no interest
		}
	case "end":
		r.Answer, r.Error = rec.Value, rec.Error
	default:
		r.Error = rec.Error
	}
	r.addItem(&Item{Kind: rec.Kind, Entry: rec.N, Began: rec.Time, Ended: rec.Time, Status: rec.Status, WaitsFor: rec.WaitsFor, Error: rec.Error, By: rec.By})
}

// updateWaits updates the calls that the run waits for.
func (r *Run) updateWaits(rec run.Record) {
	id := callIDOf(rec)
	if rec.Kind == "stop" {
		r.waits = rec.Waits
	}
	var remaining []run.Wait
	r.Waits = nil
	for _, w := range r.waits {
		if w.Call == id && id != "" {
			continue
		}
		remaining = append(remaining, w)
		if item := r.calls[w.Call]; item != nil {
			item.Call.WaitsFor = w.For
			r.Waits = append(r.Waits, item)
		}
	}
	if item := r.calls[id]; item != nil {
		item.Call.WaitsFor = ""
	}
	r.waits = remaining
}

// AgentTools returns the names of the tools whose calls agents carry out.
func (r *Run) AgentTools() (names []string) {
	for _, item := range r.Items {
		if item.Call != nil && item.Call.Agent != "" && !slices.Contains(names, item.Call.Tool) {
			names = append(names, item.Call.Tool)
		}
	}
	return names
}

// Definitions returns the tools with which the run and its agents began.
func (r *Run) Definitions() (all []tool.Definition) {
	seen := map[string]bool{}
	for _, item := range r.Items {
		for _, d := range item.frame.tools {
			if !seen[d.Name] {
				seen[d.Name] = true
				all = append(all, d)
			}
		}
	}
	return all
}

// callIDOf returns the ID of the call that a record is about, or "".
func callIDOf(rec run.Record) string {
	switch {
	case rec.Request != nil:
		return rec.Request.ID
	case rec.Call != nil:
		return rec.Call.ID
	case rec.Signal != nil:
		return rec.Signal.Call
	}
	return ""
}

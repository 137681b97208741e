package history

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
)

// Groups returns the names of the groups by which a person can select runs.
func Groups() []string { return []string{"running", "waiting", "interrupted", "ended"} }

// statusesOf returns the statuses of the runs in a group, or nil for all.
func statusesOf(group string) []string {
	switch group {
	case "running":
		return []string{run.Running}
	case "waiting":
		return []string{run.Waiting}
	case "interrupted":
		return []string{run.Interrupted, run.Expired, run.OverBudget}
	case "ended":
		return []string{run.Completed, run.Failed, run.Cancelled}
	}
	return nil
}

// GroupOf returns the group of a status, or "" for an unknown status.
func GroupOf(status string) string {
	for _, group := range Groups() {
		if slices.Contains(statusesOf(group), status) {
			return group
		}
	}
	return ""
}

// Query selects runs.
type Query struct {
	Group  string       // see [Groups]; empty selects all
	Search string       // words of the ID or the request
	After  journal.Info // the last run of the previous page; only Run and Time matter
	Limit  int          // of runs on the page
}

// Summary describes a run in a list.
type Summary struct {
	journal.Info
	Title string // the request, or else the last message of a user or the goal of the given plan, redacted; "" if it cannot be redacted
	Kind  string // plan or conversation
	Began time.Time
	Fork  *run.Origin // of a fork
	Fault error       // why the run cannot be described
}

// Page is a page of a list of runs, those with the latest entries first.
type Page struct {
	Runs   []Summary
	Next   journal.Info // [Query.After] of the next page; zero if there is none
	Search int          // number of runs that the search has examined
	Fault  error        // of the journal: some runs cannot be listed
}

// Limits of the runs that a search examines for one page. The next page continues after them.
const (
	maxSearch         = 2000
	maxRedactedSearch = 200 // with a redactor, which must read all entries to find the hidden values of a run
)

// List returns a page of runs.
func (d Reader) List(ctx context.Context, q Query) Page {
	var p Page
	words := strings.Fields(strings.ToLower(q.Search))
	maxExamined := q.Limit
	switch {
	case len(words) > 0 && d.Redactor != nil:
		maxExamined = maxRedactedSearch
	case len(words) > 0:
		maxExamined = maxSearch
	}
	for info, err := range d.Journal.Runs(ctx, journal.Filter{Status: statusesOf(q.Group), Limit: maxExamined + 1, After: q.After}) {
		if err != nil {
			p.Fault = err
			break
		}
		if p.Search == maxExamined || len(p.Runs) == q.Limit {
			p.Next = q.After
			break
		}
		p.Search++
		q.After = info
		if s := d.summarize(ctx, info); s.matches(words) {
			p.Runs = append(p.Runs, s)
		}
	}
	return p
}

// summarize reads the first entry of a run, and all entries if the title must be redacted.
func (d Reader) summarize(ctx context.Context, info journal.Info) Summary {
	if d.Redactor != nil {
		return d.summarizeWhole(ctx, info)
	}
	s := Summary{Info: info}
	for e, err := range d.Journal.Read(ctx, info.Run, 0) {
		if err != nil {
			s.Fault = err
			break
		}
		s.Began = e.Time
		rec, err := run.DecodeRecord(e)
		if s.Fault = err; rec.Input == nil {
			break
		}
		var t Task
		_ = json.Unmarshal(rec.Input.Data, &t) // if the data is not a task, the run has no title
		s.Kind, s.Fork, s.Title = rec.Input.Kind, rec.Input.Origin, t.title()
		break
	}
	return s
}

// summarizeWhole reads all entries of a run, and redacts its title as the page of the run does.
func (d Reader) summarizeWhole(ctx context.Context, info journal.Info) Summary {
	s := Summary{Info: info}
	r, err := d.Open(ctx, info.Run)
	if err != nil {
		s.Fault = err
		return s
	}
	s.Began, s.Fault = r.Began, r.Fault
	switch {
	case r.Input != nil:
		s.Kind, s.Fork = r.Input.Kind, r.Input.Origin
	case len(r.Items) > 0 && r.Items[0].Kind == KindFault:
		s.Fault = r.Items[0].Error
	}
	if s.Fault == nil { // otherwise, entries that cannot be read may contain a value to be hidden in the title
		s.Title = r.redactText(r.Task.title())
	}
	return s
}

// title returns the text by which a person recognizes the task.
func (t Task) title() string {
	title := t.Request
	for i := len(t.Messages) - 1; i >= 0 && title == ""; i-- {
		if t.Messages[i].Role == llm.RoleUser {
			title = t.Messages[i].Text
		}
	}
	if t.Plan != nil {
		title = cmp.Or(title, t.Plan.Goal)
	}
	return title
}

func (s Summary) matches(words []string) bool {
	text := strings.ToLower(s.Run + "\n" + s.Title)
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

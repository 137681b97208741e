package inspect

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/inspect/internal/history"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

var entryPage = parsePage("entry.html", "runparts.html")

// entryView is what the page of an entry shows: an answer of the model, or a call with all its entries.
type entryView struct {
	Run        string
	Row        itemRow
	At         moment
	Model      *modelView
	Call       *runCallView
	Details    string // of other entries, as JSON
	CanFork    bool
	CanExecute bool // this program can continue the fork
}

// modelView is a request to the model and its answer.
type modelView struct {
	history.Item
	Messages []messageView
	Tools    []string
	Schema   string
	Whole    string // the whole request as JSON
	Note     string // about the request, or why it is not shown
}

// messageView is a message to or from the model.
type messageView struct{ Role, Text string }

// runCallView is a call with everything that happened to it.
type runCallView struct {
	*history.Call
	Arguments []argumentView
	Moments   []momentView
}

// momentView is an entry about a call.
type momentView struct {
	Entry       int
	At          moment
	Title, Text string
}

// showEntry shows an answer of the model, a call, or another entry of a run.
func (h *Handler) showEntry(w http.ResponseWriter, r *http.Request) {
	runHistory := h.openRun(w, r, r.FormValue("id"))
	if runHistory == nil {
		return
	}
	n, err := strconv.Atoi(r.FormValue("n"))
	item, ok := runHistory.ShowItem(n)
	if err != nil || !ok {
		h.showError(w, r, http.StatusNotFound, "The run has no such entry.")
		return
	}
	v := entryView{Run: runHistory.ID, Row: newRow(runHistory, item), At: newMoment(item.Began), CanFork: h.canFork() && n > 0, CanExecute: h.canExecute()}
	switch {
	case item.Answer != nil:
		v.Model = &modelView{Item: item}
		h.addPrompt(r.Context(), v.Model, runHistory, item)
	case item.Call != nil:
		v.Call = newRunCallView(runHistory.ID, item)
	case item.Signal != nil:
		v.Details = encodeShown(item.Signal)
	case item.Kind == history.KindBegin && h.config.Redact == nil:
		v.Details = encodeShown(runHistory.Input)
	}
	h.showPage(w, r, page{template: entryPage, title: v.Row.Title, section: "runs", body: v})
}

// encodeShown returns a value as indented JSON.
func encodeShown(v any) string {
	text, err := jsontext.Encode(v)
	if err != nil {
		return err.Error()
	}
	return cutText(prettyJSON(text))
}

// addPrompt adds the request to the model. The journal does not contain it, so addPrompt gets it from a replay.
func (h *Handler) addPrompt(ctx context.Context, v *modelView, runHistory *history.Run, item history.Item) {
	var request llm.Request
	var notes []string
	agent, err := h.config.Agent, error(nil)
	if agent != nil {
		request, err = agent.Prompt(ctx, runHistory.ID, item.Entry)
	}
	if agent == nil || err != nil {
		notes = append(notes, "The request was reconstructed from the journal. The system prompt of the program and the entries that it recalls from memory are missing.")
		if agent, err = newRecordedAgent(h.config.Journal, runHistory); err == nil {
			request, err = agent.Prompt(ctx, runHistory.ID, item.Entry)
		}
	}
	if err != nil {
		v.Note = h.redactText(runHistory.ID, "The request cannot be reconstructed: "+err.Error())
		return
	}
	if h.config.Redact != nil {
		request = runHistory.ShowPrompt(item, request)
		notes = append(notes, "Hidden values are replaced. So are lines that may contain one, and the beginnings of long values.")
	}
	v.Note = strings.Join(notes, " ")
	for _, m := range request.Dialogue() {
		v.Messages = append(v.Messages, newMessage(m))
	}
	for _, d := range request.Tools {
		v.Tools = append(v.Tools, d.Name)
	}
	v.Schema, v.Whole = cutText(prettyJSON(request.Schema)), encodeShown(request)
}

func newMessage(m llm.Message) messageView {
	text := m.Content()
	for _, c := range m.Calls {
		text = strings.TrimPrefix(text+"\ncalls "+c.Name+" "+string(c.Arguments), "\n")
	}
	for _, p := range m.Parts {
		text += "\n" + p.String()
	}
	return messageView{string(cmp.Or(m.Role, llm.RoleUser)), cutText(text)}
}

func newRunCallView(run string, item history.Item) *runCallView {
	c := item.Call
	v := &runCallView{Call: c, Arguments: newArguments(run, c.Sources)}
	for _, m := range c.Moments {
		v.Moments = append(v.Moments, newMomentView(m))
	}
	return v
}

// newMomentView describes an entry about a call.
func newMomentView(m history.Moment) momentView {
	v := momentView{Entry: m.Entry, At: newMoment(m.Time)}
	switch m.Kind {
	case "starts":
		if v.Title = "The call starts"; m.Attempt > 1 {
			v.Title += ", attempt " + strconv.Itoa(m.Attempt)
		}
	case "returns":
		v.Title, v.Text = "The call returns", shortText(string(m.Call.Output))
	case "fails":
		v.Title, v.Text = "The call fails", shortText(m.Call.Err.Error())
	case "waits":
		v.Title = "The call needs an approval"
	case "asks":
		v.Title, v.Text = "The function asks", shortText(m.Call.Err.Error())
	case "agent":
		v.Title = "An agent begins to carry out the call"
	case "approve":
		if v.Title, v.Text = "Approved", "by "+m.Signal.Approval; m.Signal.Arguments != nil {
			v.Text += ", with other arguments: " + shortText(string(m.Signal.Arguments))
		}
	case "deny":
		v.Title, v.Text = "Denied", shortText(m.Signal.Reason)
	case "reply":
		v.Title = "A person replies"
		for _, a := range m.Signal.Answers {
			v.Text += string(a.Action) + " " + shortText(string(a.Value)) + " "
		}
	case "redo":
		v.Title = "A person lets the call be repeated"
	case "supply":
		v.Title, v.Text = "A person supplies the output", shortText(string(m.Signal.Output))
	}
	return v
}

// newRecordedAgent returns an agent that can only replay a run: its tools are those that the journal
// contains.
func newRecordedAgent(j journal.Journal, runHistory *history.Run) (*orchestrator.Orchestrator, error) {
	tools := &recordedTools{definitions: runHistory.Definitions()}
	agent, err := orchestrator.New(noModel, tools, orchestrator.Journal(j))
	if err != nil {
		return nil, err
	}
	for i, d := range tools.definitions {
		if slices.Contains(runHistory.AgentTools(), d.Name) {
			tools.definitions[i].Agent = agent
		}
	}
	return agent, nil
}

// errReplayOnly is the error of the model and the tools of an agent that only replays.
var errReplayOnly = &run.Error{Kind: "replay_only", Text: "the run is only shown"}

var noModel = llm.Func(func(context.Context, llm.Request) (llm.Response, error) { return llm.Response{}, errReplayOnly })

// recordedTools are the tools with which a run began.
type recordedTools struct{ definitions []tool.Definition }

// All implements [orchestrator.Caller], like the other methods.
func (t *recordedTools) All() []tool.Definition { return slices.Clone(t.definitions) }

func (t *recordedTools) Available(*tool.Scope) []tool.Definition { return t.All() }

func (t *recordedTools) Call(_ context.Context, r tool.Request) *tool.Call {
	return &tool.Call{ID: r.ID, Request: r, Status: tool.StatusFailed, Err: errReplayOnly}
}

package desk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// A command tells a run something, also one that another process executes. Its words are
// those behind the run.
type command struct {
	name, usage, does string
	waits             []string // for which of these the run has to wait; none is anything
	signal            func(wait record.Wait, words string) (record.Signal, error)
}

var commands = []command{
	{"approve", "[run] [arguments]", "let the call run that a run waits for, with other arguments if there are any",
		[]string{record.ForApproval}, func(w record.Wait, words string) (record.Signal, error) {
			if words == "" {
				return record.Approve(w.Call, "by the command approve", nil), nil
			}
			if !json.Valid([]byte(words)) {
				return record.Signal{}, fmt.Errorf("the arguments are no JSON: %s", line(words))
			}
			return record.Approve(w.Call, "by the command approve", json.RawMessage(words)), nil
		}},
	{"answer", "[run] answer", "answer what a call asks: yes or no, what is asked for, or JSON of it",
		[]string{record.ForAnswer}, func(w record.Wait, words string) (record.Signal, error) {
			answers, err := answersOf(w.Questions, words)
			return record.Reply(w.Call, answers...), err
		}},
	{"deny", "[run] [why]", "let a call fail that a run waits for; the model is told why",
		[]string{record.ForApproval, record.ForAnswer, record.ForDecision}, func(w record.Wait, words string) (record.Signal, error) {
			return record.Deny(w.Call, words), nil
		}},
	{"redo", "[run]", "make a call again of which nobody knows whether it was made",
		[]string{record.ForDecision}, func(w record.Wait, _ string) (record.Signal, error) { return record.Redo(w.Call), nil }},
	{"say", "[run] message", "say something in a conversation",
		nil, func(_ record.Wait, words string) (record.Signal, error) {
			return record.Say(llm.Message{Role: llm.RoleUser, Text: words}), nil
		}},
	{"cancel", "[run] [why]", "end a run",
		nil, func(_ record.Wait, words string) (record.Signal, error) { return record.Cancel(words), nil }},
}

// usageOfCommands describes the commands.
func usageOfCommands(w io.Writer, program string) {
	fmt.Fprint(w, "\nOf runs that are kept, by -memory or a flag of a place, also while another process executes them:\n\n")
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "  %s runs\tlist them\n", program)
	fmt.Fprintf(table, "  %s work\tdrive those of others, until it is interrupted\n", program)
	for _, c := range commands {
		fmt.Fprintf(table, "  %s %s %s\t%s\n", program, c.name, c.usage, c.does)
	}
	table.Flush()
	fmt.Fprint(w, "\nNo run is the only one that it can be. What a run was told it sees when it goes on.\n")
}

// find returns a command by its name.
func find(name string) (c command, ok bool) {
	i := slices.IndexFunc(commands, func(c command) bool { return c.name == name })
	if i < 0 {
		return c, false
	}
	return commands[i], true
}

// wait returns the call that the command is about, if it is about one.
func (c command) wait(s orchestrator.State) (wait record.Wait) {
	if i := slices.IndexFunc(s.Calls, func(w record.Wait) bool { return slices.Contains(c.waits, w.For) }); i >= 0 {
		wait = s.Calls[i]
	}
	return wait
}

// known is a run and what is known of it.
type known struct {
	driven
	state orchestrator.State
}

// errUnlisted says that nobody can tell which runs there are.
var errUnlisted = errors.New("this engine does not list its runs; name one, as it was named when it began")

// named returns the run of an engine that does not list them, as far as a command has to
// know it.
func (a *agent) named(ctx context.Context, c command, words []string) (runs []known, err error) {
	if len(words) == 0 {
		return nil, errUnlisted
	}
	r := known{remote{a.engine, words[0]}, orchestrator.State{ID: words[0], Kind: "conversation"}}
	if len(c.waits) == 0 {
		return []known{r}, nil
	}
	result, err := r.Execute(ctx)
	if err == nil {
		r.state.Result = *result
	}
	return []known{r}, err
}

// all returns the runs, the newest first.
func (a *agent) all(ctx context.Context) (runs []known, err error) {
	if a.journal == nil {
		return nil, errUnlisted
	}
	for info, err := range a.journal.Runs(ctx, journal.Filter{}) {
		if err != nil {
			return nil, err
		}
		run, err := a.Open(ctx, info.Run)
		if err != nil {
			return nil, err
		}
		runs = append(runs, known{a.drives(run), run.State()})
	}
	return runs, nil
}

// list lists the runs.
func (a *agent) list(ctx context.Context, w io.Writer) error {
	runs, err := a.all(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "RUN\tSTATUS\tDONE\tREQUEST")
	for _, r := range runs {
		status := r.state.Status
		if r.state.WaitsFor != "" {
			status += " for " + r.state.WaitsFor
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", r.ID(), status, progressOf(r.state), line(r.state.Request))
		for _, call := range r.state.Calls {
			fmt.Fprintf(table, "\t\t\t%s %s\n", line(call.Request.Name), whole(string(call.Request.Arguments)))
			for _, q := range call.Questions {
				fmt.Fprintf(table, "\t\t\t  asks: %s\n", whole(q.String()))
			}
		}
	}
	return table.Flush()
}

// tell has a command tell a run something.
func (a *agent) tell(ctx context.Context, c command, words []string, stdout io.Writer) error {
	which := a.all
	if a.journal == nil {
		which = func(ctx context.Context) ([]known, error) { return a.named(ctx, c, words) }
	}
	runs, err := which(ctx)
	if err != nil {
		return err
	}
	runs = slices.DeleteFunc(runs, func(r known) bool {
		ended := slices.Contains([]string{record.Completed, record.Failed, record.Cancelled}, r.state.Status)
		talks := c.name != "say" || r.state.Kind == "conversation"
		return ended || !talks || len(c.waits) > 0 && c.wait(r.state).Call == ""
	})
	if len(words) > 0 && slices.ContainsFunc(runs, func(r known) bool { return r.ID() == words[0] }) {
		runs = slices.DeleteFunc(runs, func(r known) bool { return r.ID() != words[0] })
		words = words[1:]
	}
	if len(runs) != 1 {
		return fmt.Errorf("there are %d runs to %s; name one that %s runs %s shows", len(runs), c.name, a.program, a.where)
	}
	wait := c.wait(runs[0].state)
	signal, err := c.signal(wait, strings.Join(words, " "))
	if err != nil {
		return err
	}
	if err := runs[0].Send(ctx, signal); err != nil {
		return err
	}
	about := line(runs[0].state.Request)
	if wait.Request != nil {
		about = line(wait.Request.Name)
	}
	fmt.Fprintf(stdout, "%s: %s %s\n", runs[0].ID(), c.name, cmp.Or(about, "a run"))
	return nil
}

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
	"github.com/aiongen/aiongen/runtime/run"
)

// A command sends a signal to a run, even if another process executes it. Its words follow the ID of the run.
type command struct {
	name, usage, does string
	waits             []string // the values of WaitsFor with which the command is allowed; nil allows all
	signal            func(wait run.Wait, words string) (run.Signal, error)
}

var commands = []command{
	{"approve", "[run] [arguments]", "approve the waiting call, optionally with other arguments",
		[]string{run.ForApproval}, func(w run.Wait, words string) (run.Signal, error) {
			if words == "" {
				return run.Approve(w.Call, "by the command approve", nil), nil
			}
			if !json.Valid([]byte(words)) {
				return run.Signal{}, fmt.Errorf("the arguments are not valid JSON: %s", safeLine(words))
			}
			return run.Approve(w.Call, "by the command approve", json.RawMessage(words)), nil
		}},
	{"answer", "[run] answer", "answer a call's question: yes or no, a value, or JSON",
		[]string{run.ForAnswer}, func(w run.Wait, words string) (run.Signal, error) {
			answers, err := parseAnswers(w.Questions, words)
			return run.Reply(w.Call, answers...), err
		}},
	{"deny", "[run] [why]", "deny the waiting call; the model learns why",
		[]string{run.ForApproval, run.ForAnswer, run.ForDecision}, func(w run.Wait, words string) (run.Signal, error) {
			return run.Deny(w.Call, words), nil
		}},
	{"redo", "[run]", "repeat a call whose outcome is unknown",
		[]string{run.ForDecision}, func(w run.Wait, _ string) (run.Signal, error) { return run.Redo(w.Call), nil }},
	{"say", "[run] message", "send a message in a conversation",
		nil, func(_ run.Wait, words string) (run.Signal, error) {
			return run.Say(llm.Message{Role: llm.RoleUser, Text: words}), nil
		}},
	{"cancel", "[run] [why]", "end a run",
		nil, func(_ run.Wait, words string) (run.Signal, error) { return run.Cancel(words), nil }},
}

// printCommands prints the usage of the commands.
func printCommands(w io.Writer, program string) {
	fmt.Fprint(w, "\nCommands for stored runs (with -memory or the flag of a place), even while another process executes them:\n\n")
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "  %s runs\tlist them\n", program)
	fmt.Fprintf(table, "  %s work\texecute runs as a worker, until interrupted\n", program)
	for _, c := range commands {
		fmt.Fprintf(table, "  %s %s %s\t%s\n", program, c.name, c.usage, c.does)
	}
	table.Flush()
	fmt.Fprint(w, "\nThe run may be left out if only one is possible. A run processes a command when it continues.\n")
}

// findCommand returns the command with a name.
func findCommand(name string) (c command, ok bool) {
	i := slices.IndexFunc(commands, func(c command) bool { return c.name == name })
	if i < 0 {
		return c, false
	}
	return commands[i], true
}

// findWait returns the waiting call to which the command applies, if there is one.
func (c command) findWait(s orchestrator.State) (wait run.Wait) {
	if i := slices.IndexFunc(s.Calls, func(w run.Wait) bool { return slices.Contains(c.waits, w.For) }); i >= 0 {
		wait = s.Calls[i]
	}
	return wait
}

// runEntry is a run with its state. The state of a run from namedRun is incomplete.
type runEntry struct {
	executableRun
	state orchestrator.State
}

// errUnlisted reports that the runs of an engine cannot be listed.
var errUnlisted = errors.New("this engine does not list its runs; name one by the ID shown when it started")

// namedRun returns the run whose ID is the first word, for an engine that does not list its runs. It reads only the state
// that the command needs.
func (a *agent) namedRun(ctx context.Context, c command, words []string) (runs []runEntry, err error) {
	if len(words) == 0 {
		return nil, errUnlisted
	}
	r := runEntry{remoteRun{a.engine, words[0]}, orchestrator.State{ID: words[0], Kind: "conversation"}}
	if len(c.waits) == 0 {
		return []runEntry{r}, nil
	}
	result, err := r.Execute(ctx)
	if err == nil {
		r.state.Result = *result
	}
	return []runEntry{r}, err
}

// allRuns returns the runs, the newest first.
func (a *agent) allRuns(ctx context.Context) (runs []runEntry, err error) {
	if a.journal == nil {
		return nil, errUnlisted
	}
	for info, err := range a.journal.Runs(ctx, journal.Filter{}) {
		if err != nil {
			return nil, err
		}
		r, err := a.Open(ctx, info.Run)
		if err != nil {
			return nil, err
		}
		runs = append(runs, runEntry{a.wrapRun(r), r.State()})
	}
	return runs, nil
}

// listRuns lists the runs.
func (a *agent) listRuns(ctx context.Context, w io.Writer) error {
	runs, err := a.allRuns(ctx)
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
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", r.ID(), status, progressOf(r.state), safeLine(r.state.Request))
		for _, call := range r.state.Calls {
			fmt.Fprintf(table, "\t\t\t%s %s\n", safeLine(call.Request.Name), safeWhole(string(call.Request.Arguments)))
			for _, q := range call.Questions {
				fmt.Fprintf(table, "\t\t\t  asks: %s\n", safeWhole(q.String()))
			}
		}
	}
	return table.Flush()
}

// sendCommand sends a command's signal to a run.
func (a *agent) sendCommand(ctx context.Context, c command, words []string, stdout io.Writer) error {
	findRuns := a.allRuns
	if a.journal == nil {
		findRuns = func(ctx context.Context) ([]runEntry, error) { return a.namedRun(ctx, c, words) }
	}
	runs, err := findRuns(ctx)
	if err != nil {
		return err
	}
	runs = slices.DeleteFunc(runs, func(r runEntry) bool {
		ended := slices.Contains([]string{run.Completed, run.Failed, run.Cancelled}, r.state.Status)
		accepts := c.name != "say" || r.state.Kind == "conversation"
		return ended || !accepts || len(c.waits) > 0 && c.findWait(r.state).Call == ""
	})
	if len(words) > 0 && slices.ContainsFunc(runs, func(r runEntry) bool { return r.ID() == words[0] }) {
		runs = slices.DeleteFunc(runs, func(r runEntry) bool { return r.ID() != words[0] })
		words = words[1:]
	}
	if len(runs) != 1 {
		return fmt.Errorf("there are %d runs to %s; name one that %s runs %s shows", len(runs), c.name, a.program, a.runsFlag)
	}
	wait := c.findWait(runs[0].state)
	signal, err := c.signal(wait, strings.Join(words, " "))
	if err != nil {
		return err
	}
	if err := runs[0].Send(ctx, signal); err != nil {
		return err
	}
	subject := safeLine(runs[0].state.Request)
	if wait.Request != nil {
		subject = safeLine(wait.Request.Name)
	}
	fmt.Fprintf(stdout, "%s: %s %s\n", runs[0].ID(), c.name, cmp.Or(subject, "a run"))
	return nil
}

package run

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Origin describes the beginning of a forked run: a copy of the first Entries entries of Run.
type Origin struct {
	Run     string `json:"run"`
	Entries int    `json:"entries"`
}

// Fork creates a run whose journal begins with the first entries of another run. The new run
// replays them, so that their effects are not repeated, and then continues on its own with the
// given tools. The usage in the copied entries counts against the limits of the new run. Its calls
// get new IDs.
//
// The error is a [*journal.ConflictError] if a run with this ID exists, another error of the
// journal, or an [*Error] with the code "invalid_input" if
//   - the other run has fewer entries,
//   - one of the copied entries ends or cancels the run, or
//   - the copied entries contain the beginning of a call, or a person's approval, answers or [Redo]
//     for it, but not its outcome: the new run would make that call again.
func (env *Env) Fork(ctx context.Context, id string, from Origin, tools []tool.Definition) error {
	if err := checkID(id); err != nil {
		return err
	}
	f := fork{id: id, from: from, tools: tools, open: map[string]string{}}
	for e, err := range env.Journal.Read(ctx, from.Run, 0) {
		if err == nil && len(f.entries) < from.Entries {
			err = f.addEntry(e)
		} else if err == nil {
			break
		}
		if err != nil {
			return err
		}
	}
	if err := f.check(); err != nil {
		return err
	}
	return f.write(ctx, env.Journal)
}

// fork converts entries of one run to entries of another one.
type fork struct {
	id      string
	from    Origin
	tools   []tool.Definition
	entries []journal.Entry
	open    map[string]string // calls without an outcome so far: what happened to them, by ID
}

// addEntry converts and adds an entry.
func (f *fork) addEntry(e journal.Entry) error {
	n, err := parseEntry(e)
	if err != nil {
		return &journal.Error{Kind: journal.Corrupt, Run: f.from.Run, Err: err}
	}
	switch n.Kind {
	case kindEnd, kindCancel:
		return f.refuse(e.N, "it ends the run")
	case kindRequest:
		f.open[n.Effect] = "began"
	case kindApprove, kindRedo, kindReply:
		f.open[n.Effect] = "was released by a person"
	case kindOutcome, kindAgent, kindDeny, kindSupply: // an agent's call needs no outcome, because a replay continues the agent
		delete(f.open, n.Effect)
	}
	data, err := f.convertData(n)
	if err != nil {
		return err
	}
	if data != nil {
		if e.Data, err = jsontext.Encode(data); err != nil {
			return err
		}
	}
	switch call := n.callID(); {
	case n.Answer != nil && call != "":
		e.Effect = callPrefix + f.callID(call)
	case n.Signal != nil || call != "":
		e.Effect = f.callID(e.Effect)
	}
	f.entries = append(f.entries, e)
	return nil
}

// convertData changes and returns the data of an entry, or nil if it stays the same.
func (f *fork) convertData(n *runEntry) (any, error) {
	switch {
	case n.Begin != nil:
		n.Begin.Origin, n.Begin.Tools = &f.from, f.tools
		return n.Begin, nil
	case n.Request != nil:
		n.Request.Request.ID = f.callID(n.Request.Request.ID)
		return n.Request, nil
	case n.Outcome != nil:
		f.renameCall(n.Outcome.Call)
		return encodeOutcome(n.Outcome.Attempt, n.Outcome.Call)
	case n.Agent != nil:
		f.renameCall(n.Agent.Call)
		return n.Agent, nil
	case n.Stop != nil:
		for i := range n.Stop.Calls {
			n.Stop.Calls[i].Call = f.callID(n.Stop.Calls[i].Call)
		}
		return n.Stop, nil
	case n.Signal != nil:
		n.Signal.Call = f.callID(n.Signal.Call)
		return n.Signal, nil
	}
	return nil, nil
}

func (f *fork) renameCall(c *tool.Call) { c.ID, c.Request.ID = f.callID(c.ID), f.callID(c.Request.ID) }

// callID converts the ID of a call from the other run to the new one.
func (f *fork) callID(id string) string {
	if rest, ok := strings.CutPrefix(id, f.from.Run+"/"); ok {
		return f.id + "/" + rest
	}
	return id
}

// check returns an error if the new run cannot begin with the entries.
func (f *fork) check() error {
	switch {
	case f.from.Entries < 1:
		return &Error{Kind: "invalid_input", Text: fmt.Sprintf("a fork of run %q takes over at least 1 of its entries, not %d", f.from.Run, f.from.Entries)}
	case len(f.entries) < f.from.Entries:
		return &Error{Kind: "invalid_input", Text: fmt.Sprintf("run %q has only %d entries, not %d", f.from.Run, len(f.entries), f.from.Entries)}
	}
	open := slices.Sorted(maps.Keys(f.open))
	if len(open) == 0 {
		return nil
	}
	return f.refuse(f.from.Entries, fmt.Sprintf("call %q %s and has no outcome before it", open[0], f.open[open[0]]))
}

// refuse returns the error for a run that cannot be forked at entry n.
func (f *fork) refuse(n int, why string) error {
	return &Error{Kind: "invalid_input", Text: fmt.Sprintf("run %q cannot be forked at entry %d: %s", f.from.Run, n, why)}
}

// write appends the entries. If it fails halfway, the run has fewer entries than its [Origin] says,
// and openDriver refuses to execute it.
func (f *fork) write(ctx context.Context, j journal.Journal) error {
	n := 0
	for batch := range slices.Chunk(f.entries, journal.MaxBatch) {
		if err := j.Append(ctx, f.id, n, batch...); err != nil {
			return err
		}
		n += len(batch)
	}
	return nil
}

package agenttest

import (
	"context"
	"fmt"
	"slices"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Case returns the source of a Go test that repeats a run: the model gives the same answers, the
// tools have the same outcomes, and the run receives the same approvals, answers and messages. The
// test checks the calls, their order, and the answer. It is a file of the package that the option
// [Package] names, and meant to be edited.
//
// The run must have ended, or wait for somebody. The error is one of the journal, or says why a test
// cannot repeat the run:
//   - the agent has options that change what runs do
//   - another agent carried out a call; see [orchestrator.AsTool]
//   - a message arrived while the run was working
//   - a process died in the middle of a call
func Case(ctx context.Context, j journal.Journal, id string, options ...CaseOption) ([]byte, error) {
	s := source{pkg: "agent_test"}
	for _, option := range options {
		option(&s)
	}
	c, err := readCase(ctx, j, id)
	if err != nil {
		return nil, err
	}
	all := c.definitions
	c.definitions = slices.DeleteFunc(slices.Clone(all), func(d tool.Definition) bool { return !c.mentions(d.Name) })
	if _, err = c.repeat(ctx); err != nil { // the run depends on tools that it does not mention
		c.definitions = all
	}
	if c.final.Answer, err = c.repeat(ctx); err != nil {
		return nil, fmt.Errorf("a test with the answers and outcomes of run %q does something else: %w", id, err)
	}
	return s.write(c)
}

// CaseOption is an option of [Case].
type CaseOption func(*source)

// Package sets the name of the package of the test. Without it, the name is agent_test.
func Package(name string) CaseOption { return func(s *source) { s.pkg = name } }

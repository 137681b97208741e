package note

import (
	"errors"
	"fmt"
	"slices"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Asks returns what the function of a call asks, which is made again with the answers;
// nil if that is nothing, or if there is nobody to ask.
func Asks(c *tool.Call) *tool.AskError {
	if asks, ok := errors.AsType[*tool.AskError](c.Err); ok && !asks.Nobody && len(asks.Questions) > 0 {
		return asks
	}
	return nil
}

// Questions returns which of the questions of a function a person answers.
func Questions(asks *tool.AskError) []ask.Question {
	if asks == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(asks.Questions), func(q ask.Question) bool { return q.Kind == ask.KindModel })
}

// misses says why answers are not those to questions; nothing if they are.
func misses(questions []ask.Question, answers []ask.Answer) string {
	if len(questions) != len(answers) {
		return fmt.Sprintf("the call asks %s, and %s came", words.Count(len(questions), "question"), words.Count(len(answers), "answer"))
	}
	for i, q := range questions {
		if err := q.Check(answers[i]); err != nil {
			return fmt.Sprintf("the answer to %q: %v", words.Cut(q.String(), 1000), err)
		}
	}
	return ""
}

// Stands returns status and what is waited for after an entry of somebody who does not
// drive the run, given its last entry and the calls that it waits for: as before, unless
// that is what the run stopped for.
func Stands(last journal.Entry, calls []record.Wait, e journal.Entry) (status, waitsFor string) {
	rest := Waiting(calls, &Note{Entry: e})
	switch {
	case e.Kind == KindCancel:
		return record.Cancelled, ""
	case e.Kind == KindExtend && (last.Status == record.Expired || last.Status == record.OverBudget),
		e.Kind == KindSay && last.WaitsFor == record.ForMessage,
		last.Status == record.Waiting && len(rest) == 0 && len(calls) > 0:
		return record.Running, ""
	case last.Status == record.Waiting && len(rest) < len(calls):
		return record.Waiting, rest[0].For
	}
	return last.Status, last.WaitsFor
}

// Waiting returns the calls that a run waits for after an entry, given those before. Of
// the entry it needs kind and effect, and of a stop what it holds.
func Waiting(calls []record.Wait, n *Note) []record.Wait {
	switch n.Kind {
	case KindStop:
		return n.Stop.Calls
	case KindRequest, KindOutcome, KindApprove, KindReply, KindDeny, KindRedo, KindSupply:
		return slices.DeleteFunc(slices.Clone(calls), func(w record.Wait) bool { return w.Call == n.Effect })
	}
	return calls
}

// answers tells whether a signal about a call is what a run waits for.
func answers(s record.Signal, w record.Wait) bool {
	switch {
	case w.Call != s.Call:
		return false
	case s.Kind == KindApprove:
		return w.For == record.ForApproval
	case s.Kind == KindReply:
		return w.For == record.ForAnswer
	case s.Kind == KindRedo, s.Kind == KindSupply:
		return w.For == record.ForDecision
	}
	return true
}

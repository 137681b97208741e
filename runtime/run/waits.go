package run

import (
	"errors"
	"fmt"
	"slices"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/tool"
)

// askErrorOf returns the error with which the function of a call asks questions, or nil. The call is
// made again with the answers.
func askErrorOf(c *tool.Call) *tool.AskError {
	if asks, ok := errors.AsType[*tool.AskError](c.Err); ok && !asks.Nobody && len(asks.Questions) > 0 {
		return asks
	}
	return nil
}

// openQuestions returns the questions that a person has to answer.
func openQuestions(asks *tool.AskError) []tool.Question {
	if asks == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(asks.Questions), func(q tool.Question) bool { return q.Kind == tool.QuestionModel })
}

// missingAnswers returns why the answers do not fit the questions, or "".
func missingAnswers(questions []tool.Question, answers []tool.Answer) string {
	if len(questions) != len(answers) {
		return fmt.Sprintf("the call has %s, got %s", words.Count(len(questions), "question"), words.Count(len(answers), "answer"))
	}
	for i, q := range questions {
		if err := q.Check(answers[i]); err != nil {
			return fmt.Sprintf("the answer to %q: %v", words.Cut(q.String(), 1000), err)
		}
	}
	return ""
}

// statusAfter returns the status of the run, and what it waits for, after an entry e whose writer
// does not drive the run. The argument last is the entry before e, and calls are those that the run
// waits for. The status changes only if e cancels the run or is what the run waits for.
func statusAfter(last journal.Entry, calls []Wait, e journal.Entry) (status, waitsFor string) {
	rest := updateWaits(calls, &runEntry{Entry: e})
	switch {
	case e.Kind == kindCancel:
		return Cancelled, ""
	case e.Kind == kindExtend && (last.Status == Expired || last.Status == OverBudget),
		e.Kind == kindSay && last.WaitsFor == ForMessage,
		last.Status == Waiting && len(rest) == 0 && len(calls) > 0:
		return Running, ""
	case last.Status == Waiting && len(rest) < len(calls):
		return Waiting, rest[0].For
	}
	return last.Status, last.WaitsFor
}

// updateWaits returns the calls that a run waits for after entry n. Of the entry, only Kind and
// Effect need to be decoded, and Stop if it is a stop.
func updateWaits(calls []Wait, n *runEntry) []Wait {
	switch n.Kind {
	case kindStop:
		return n.Stop.Calls
	case kindRequest, kindOutcome, kindApprove, kindReply, kindDeny, kindRedo, kindSupply:
		return slices.DeleteFunc(slices.Clone(calls), func(w Wait) bool { return w.Call == n.Effect })
	}
	return calls
}

// answersWait reports whether the run waits for this signal about a call.
func answersWait(s Signal, w Wait) bool {
	switch {
	case w.Call != s.Call:
		return false
	case s.Kind == kindApprove:
		return w.For == ForApproval
	case s.Kind == kindReply:
		return w.For == ForAnswer
	case s.Kind == kindRedo, s.Kind == kindSupply:
		return w.For == ForDecision
	}
	return true
}

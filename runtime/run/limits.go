package run

import (
	"fmt"
	"time"
)

// checkLimits returns the status and error of a limit that forbids the next effect, or "" and
// nil.
func checkLimits(l Limits, used Usage, newStep bool, now time.Time) (status string, why *Error) {
	tokens := used.Tokens.Total()
	switch {
	case l.Steps > 0 && newStep && used.Steps >= l.Steps:
		return Expired, &Error{Kind: Expired, Text: fmt.Sprintf("%d steps are allowed, and the run needs more", l.Steps)}
	case l.Tokens > 0 && tokens >= l.Tokens:
		return OverBudget, &Error{Kind: "token_budget", Text: fmt.Sprintf("%d tokens of %d are used", tokens, l.Tokens)}
	case l.Cost > 0 && used.Cost >= l.Cost:
		return OverBudget, &Error{Kind: "cost_budget", Text: fmt.Sprintf("%g of %g are spent", used.Cost, l.Cost)}
	case !l.Deadline.IsZero() && now.After(l.Deadline):
		return OverBudget, &Error{Kind: "deadline", Text: "the deadline " + l.Deadline.Format(time.RFC3339) + " has passed"}
	}
	return "", nil
}

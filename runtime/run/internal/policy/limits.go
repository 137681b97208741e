package policy

import (
	"fmt"
	"time"

	"github.com/aiongen/aiongen/runtime/run/record"
)

// Over returns which limit the next effect is beyond, if it is one.
func Over(l record.Limits, used record.Usage, newStep bool, now time.Time) (status string, why *record.Error) {
	tokens := used.Tokens.Total()
	switch {
	case l.Steps > 0 && newStep && used.Steps >= l.Steps:
		return record.Expired, &record.Error{Kind: record.Expired, Text: fmt.Sprintf("%d steps are allowed, and there are more to do", l.Steps)}
	case l.Tokens > 0 && tokens >= l.Tokens:
		return record.OverBudget, &record.Error{Kind: "token_budget", Text: fmt.Sprintf("%d tokens of %d are used", tokens, l.Tokens)}
	case l.Cost > 0 && used.Cost >= l.Cost:
		return record.OverBudget, &record.Error{Kind: "cost_budget", Text: fmt.Sprintf("%g of %g are spent", used.Cost, l.Cost)}
	case !l.Deadline.IsZero() && now.After(l.Deadline):
		return record.OverBudget, &record.Error{Kind: "deadline", Text: "the time until " + l.Deadline.Format(time.RFC3339) + " is over"}
	}
	return "", nil
}

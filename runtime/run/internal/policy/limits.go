package policy

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
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

// Answer returns the record of what a model answered. Where its endpoint tells no
// usage, bytes are counted.
func Answer(request llm.Request, response llm.Response) record.Answer {
	a := record.Answer{Response: response, Error: noAnswer(response)}
	if response.Usage.Total() == 0 {
		a.Response.Usage = llm.Usage{Input: tokens(request), Output: tokens(response)}
		a.Estimated = true
	}
	return a
}

// bytesOfToken is what a token has, more or less, where nobody counts them.
const bytesOfToken = 4

func tokens(x any) int {
	text, _ := json.Marshal(x) // what cannot be written is not sent either
	return len(text) / bytesOfToken
}

// noAnswer returns why a response is no answer; nil if it is one.
func noAnswer(r llm.Response) *record.Error {
	switch {
	case r.Finish == llm.FinishRefused:
		return &record.Error{Kind: "refused", Text: "the model refused to answer"}
	case r.Finish == llm.FinishLength:
		return &record.Error{Kind: "cut_off", Text: "the answer of the model was cut off at its limit on tokens"}
	case strings.TrimSpace(r.Text) == "" && len(r.Calls) == 0:
		return &record.Error{Kind: "empty_answer", Text: "the model gave no answer"}
	}
	return nil
}

package history

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Pair is a row of a comparison: what two runs did at the same place. One of them is nil if the other
// run did nothing like it.
type Pair struct {
	Left, Right *Item
	Same        bool
}

// maxCompared limits the items of each run that [Compare] aligns.
const maxCompared = 1000

// Compare aligns the items of two runs. First is the index of the first pair that differs, or -1. Compare returns false
// if a run has further items, which were not compared or cannot be read.
func Compare(left, right *Run) (pairs []Pair, first int, complete bool) {
	a, b := comparedItems(left), comparedItems(right)
	complete = len(a) <= maxCompared && len(b) <= maxCompared && left.Fault == nil && right.Fault == nil
	a, b = a[:min(len(a), maxCompared)], b[:min(len(b), maxCompared)]
	score := alignmentScores(a, b)
	for i, k := 0, 0; i < len(a) || k < len(b); {
		switch {
		case i < len(a) && k < len(b) && a[i].key == b[k].key && score[i][k] == score[i+1][k+1]+a[i].similarity(b[k]):
			pairs = append(pairs, Pair{a[i].item, b[k].item, a[i].content == b[k].content})
			i, k = i+1, k+1
		case k == len(b) || i < len(a) && score[i+1][k] >= score[i][k+1]:
			pairs = append(pairs, Pair{Left: a[i].item})
			i++
		default:
			pairs = append(pairs, Pair{Right: b[k].item})
			k++
		}
	}
	return pairs, slices.IndexFunc(pairs, func(p Pair) bool { return !p.Same }), complete
}

// comparedItem is an item with what identifies it among those of a run, and what it says.
type comparedItem struct {
	item         *Item
	key, content string
}

func (c comparedItem) similarity(other comparedItem) int {
	if c.content == other.content {
		return 2
	}
	return 1
}

// comparedItems returns the items of a run that another run may have, too, and at most one more than maxCompared.
func comparedItems(r *Run) (all []comparedItem) {
	for _, item := range r.Items {
		if item.Kind == "claim" || len(all) > maxCompared {
			continue
		}
		c := comparedItem{item: item, key: item.Kind}
		var said any
		switch {
		case item.Answer != nil:
			c.key += " " + item.Purpose + " " + item.Step
			said = []any{item.Answer.Response.Text, item.Answer.Response.Calls, item.Answer.Error}
		case item.Call != nil:
			c.key += " " + item.Call.Tool
			said = []any{item.Call.Request.Arguments, item.Call.Status(), outcomeText(item.Call)}
		case item.Signal != nil:
			c.key += " " + item.Signal.Kind
			said = item.Signal
		case item.Kind == KindBegin:
			said = r.Task
		default:
			said = []any{item.Status, item.WaitsFor, item.Error}
		}
		text, err := jsontext.Encode(said)
		if err != nil {
			text = []byte(err.Error())
		}
		c.content = string(text)
		all = append(all, c)
	}
	return all
}

// outcomeText returns the output or the error of a call.
func outcomeText(c *Call) string {
	switch {
	case c.Outcome == nil:
		return ""
	case c.Outcome.Err != nil:
		return c.Outcome.Err.Error()
	}
	return string(c.Outcome.Output)
}

// alignmentScores returns, for each pair of ends of the two lists, how much of them can be aligned.
func alignmentScores(a, b []comparedItem) [][]int {
	score := make([][]int, len(a)+1)
	for i := range score {
		score[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for k := len(b) - 1; k >= 0; k-- {
			score[i][k] = max(score[i+1][k], score[i][k+1])
			if a[i].key == b[k].key {
				score[i][k] = max(score[i][k], score[i+1][k+1]+a[i].similarity(b[k]))
			}
		}
	}
	return score
}

package history

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Pair is a row of a comparison: an item of one run and the matching item of the other one, such as
// calls of the same tool. One of them is nil if only one run has such an item.
type Pair struct {
	Left, Right *Item
	Same        bool // both items have the same content
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

// comparedItem is an item with texts to compare. Items match if they have the same key, and are the same if they also
// have the same content.
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

// comparedItems returns the items of a run without its claims, at most one more than maxCompared.
func comparedItems(r *Run) (all []comparedItem) {
	for _, item := range r.Items {
		if item.Kind == "claim" || len(all) > maxCompared {
			continue
		}
		c := comparedItem{item: item, key: item.Kind}
		var content any
		switch {
		case item.Answer != nil:
			c.key += " " + item.Purpose + " " + item.Step
			content = []any{item.Answer.Response.Text, item.Answer.Response.Calls, item.Answer.Error}
		case item.Call != nil:
			c.key += " " + item.Call.Tool
			content = []any{item.Call.Request.Arguments, item.Call.Status(), outcomeText(item.Call)}
		case item.Signal != nil:
			c.key += " " + item.Signal.Kind
			content = item.Signal
		case item.Kind == KindBegin:
			content = r.Task
		default:
			content = []any{item.Status, item.WaitsFor, item.Error}
		}
		text, err := jsontext.Encode(content)
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

// alignmentScores returns the scores of the best alignments: element [i][k] is the score of a[i:] with b[k:].
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

package history

import (
	"cmp"
	"slices"
	"time"
)

// Cost is what the answers for one purpose, or the calls of one tool, consumed.
type Cost struct {
	Name   string
	IsTool bool
	Count  int
	Tokens int
	Cost   float64
	Time   time.Duration
}

// Costs returns what the run consumed, the purposes before the tools, each by time. The time of an
// agent that carries out a call is that of its answers and calls.
func (r *Run) Costs() (all []Cost) {
	index := map[Cost]int{}
	add := func(c Cost) {
		key := Cost{Name: c.Name, IsTool: c.IsTool}
		i, ok := index[key]
		if !ok {
			i = len(all)
			index[key], all = i, append(all, key)
		}
		at := &all[i]
		at.Count, at.Tokens, at.Cost, at.Time = at.Count+1, at.Tokens+c.Tokens, at.Cost+c.Cost, at.Time+c.Time
	}
	for _, item := range r.Items {
		switch {
		case item.Answer != nil:
			add(Cost{Name: item.Purpose, Tokens: item.Answer.Response.Usage.Total(), Cost: item.Answer.Cost, Time: item.Answer.Duration})
		case item.Call != nil && item.Call.Agent == "":
			c := Cost{Name: item.Call.Tool, IsTool: true}
			if item.Call.Outcome != nil {
				c.Time = item.Call.Outcome.Duration
			}
			add(c)
		}
	}
	slices.SortStableFunc(all, func(a, b Cost) int {
		switch {
		case a.IsTool && !b.IsTool:
			return 1
		case b.IsTool && !a.IsTool:
			return -1
		}
		return cmp.Compare(b.Time, a.Time)
	})
	return all
}

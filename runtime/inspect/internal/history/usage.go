package history

import (
	"cmp"
	"slices"
	"time"
)

// Cost is the total consumption of the answers for one purpose, or of the calls of one tool.
type Cost struct {
	Name   string // the purpose or the tool
	IsTool bool
	Count  int // number of answers or calls
	Tokens int
	Cost   float64
	Time   time.Duration
}

// Costs returns the consumption of the run: first by purpose, then by tool, the longest time first. It
// leaves out calls that an agent carries out, because it counts the answers and calls of that agent
// instead.
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

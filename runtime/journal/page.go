package journal

import (
	"slices"
	"strings"
)

// Info returns what the entry, the last one, says of its run. It is for those who
// make a journal, as are [Entry.Same] and [Filter.Page].
func (e Entry) Info(run string) Info {
	return Info{Run: run, Entries: e.N + 1, Kind: e.Kind, Status: e.Status, WaitsFor: e.WaitsFor, Time: e.Time}
}

// Page returns the runs that [Journal.Runs] returns, out of all. It changes their
// order.
func (f Filter) Page(all []Info) []Info {
	all = slices.DeleteFunc(all, func(i Info) bool { return !f.holds(i) })
	slices.SortFunc(all, compare)
	if f.Limit > 0 {
		all = all[:min(f.Limit, len(all))]
	}
	return all
}

// holds tells whether a filter lets a run pass, its limit aside.
func (f Filter) holds(i Info) bool {
	after := f.After.Run == "" || compare(f.After, i) < 0
	return after && (len(f.Status) == 0 || slices.Contains(f.Status, i.Status))
}

// compare orders runs as [Journal.Runs] does.
func compare(a, b Info) int {
	if c := b.Time.Compare(a.Time); c != 0 {
		return c
	}
	return strings.Compare(a.Run, b.Run)
}

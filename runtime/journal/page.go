package journal

import (
	"slices"
	"strings"
)

// About returns what an entry, the last one, says of its run. It is for those who
// make a journal, as is [Page].
func About(run string, last Entry) Info {
	return Info{Run: run, Entries: last.N + 1, Kind: last.Kind, Status: last.Status, WaitsFor: last.WaitsFor, Time: last.Time}
}

// Page returns the runs that [Journal.Runs] returns, out of all. It changes their
// order.
func Page(all []Info, filter Filter) []Info {
	all = slices.DeleteFunc(all, func(i Info) bool { return !filter.holds(i) })
	slices.SortFunc(all, compare)
	if filter.Limit > 0 {
		all = all[:min(filter.Limit, len(all))]
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

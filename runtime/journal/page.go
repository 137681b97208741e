package journal

import (
	"cmp"
	"slices"
	"strings"
)

// Info returns the Info of a run with the last entry e. Like [Entry.Same] and [Filter.Page], it
// is for implementations of [Journal].
func (e Entry) Info(run string) Info {
	return Info{Run: run, Entries: e.N + 1, Kind: e.Kind, Status: e.Status, WaitsFor: e.WaitsFor, Time: e.Time}
}

// Page returns the selected runs in the order of [Journal.Runs]. It reorders all.
func (f Filter) Page(all []Info) []Info {
	all = slices.DeleteFunc(all, func(i Info) bool { return !f.matches(i) })
	slices.SortFunc(all, compareInfos)
	if f.Limit > 0 {
		all = all[:min(f.Limit, len(all))]
	}
	return all
}

// matches reports whether the filter selects a run, without regard to its limit.
func (f Filter) matches(i Info) bool {
	after := f.After.Run == "" || compareInfos(f.After, i) < 0
	return after && (len(f.Status) == 0 || slices.Contains(f.Status, i.Status))
}

// compareInfos orders runs as [Journal.Runs] does.
func compareInfos(a, b Info) int {
	return cmp.Or(b.Time.Compare(a.Time), strings.Compare(a.Run, b.Run))
}

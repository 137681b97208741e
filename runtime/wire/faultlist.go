package wire

import (
	"cmp"
	"slices"
)

// maxFaults is the maximum number of faults that are described; further faults are only counted. Describing one can
// cost as much as reading all arguments.
const maxFaults = 64

// faultPlace is the position by which faults are sorted: the index of a value or a key on the tape. A fault for a
// missing member is sorted directly before the first value after its object.
type faultPlace struct {
	index  int
	object int // index of the object that lacks a member; -1 for a fault after all other faults of a value; otherwise 0
}

// placeOf returns the place of a value or a key.
func placeOf(at int) faultPlace { return faultPlace{index: at} }

// lastPlaceOf returns the place for a fault that is sorted after all other faults of the value at an index.
func lastPlaceOf(at int) faultPlace { return faultPlace{at, -1} }

// missingPlace returns the place of a missing member of the object at the index object, which ends before the
// index end.
func missingPlace(object, end int) faultPlace { return faultPlace{end, object} }

// belongsTo reports whether the fault is one of the value at an index, and not of a missing member.
func (s faultPlace) belongsTo(at int) bool { return s.index == at && s.object <= 0 }

type faultEntry struct {
	Fault
	faultPlace
}

// faultList contains the first faults that were found, and the number of all faults.
type faultList struct {
	entries    []faultEntry
	count      int
	afterBound int // one more than the index of the value that a bound rejected last; 0 if there is none
}

// countAll returns the number of faults, including those that are not described.
func (l *faultList) countAll() int { return l.count }

// isFull reports whether further faults are only counted.
func (l *faultList) isFull() bool { return l.count >= maxFaults }

// countFault counts a fault and reports whether the caller must describe it with addFault.
func (l *faultList) countFault() bool {
	l.count++
	return l.count <= maxFaults
}

// addFault adds a fault that was counted.
func (l *faultList) addFault(s faultPlace, f Fault) { l.entries = append(l.entries, faultEntry{f, s}) }

// hasFaultAt reports whether there is a fault at a place.
func (l *faultList) hasFaultAt(s faultPlace) bool {
	return slices.ContainsFunc(l.entries, func(e faultEntry) bool { return e.faultPlace == s })
}

// markBound records that a bound rejects a value, so that the method that reads the value does not report it again.
func (l *faultList) markBound(at int) { l.afterBound = at + 1 }

// isBound reports whether the last value that a bound rejected is the one at the index.
func (l *faultList) isBound(at int) bool { return l.afterBound == at+1 }

// dropLast removes the faults at the end of the list that belong to the value at an index. The fault that the
// caller records next replaces them.
func (l *faultList) dropLast(at int) {
	l.afterBound = 0
	for n := len(l.entries); n > 0 && l.entries[n-1].belongsTo(at); n-- {
		l.entries, l.count = l.entries[:n-1], l.count-1
	}
}

// rewordLast changes Expected of the last fault if the fault belongs to the value at an index.
func (l *faultList) rewordLast(at int, reword func(expected string) string) {
	if n := len(l.entries); n > 0 && l.entries[n-1].belongsTo(at) {
		l.entries[n-1].Expected = reword(l.entries[n-1].Expected)
	}
}

// sortedFaults returns the described faults in the order of the text.
func (l *faultList) sortedFaults() []Fault {
	var all []*faultEntry
	for i := range l.entries {
		all = append(all, &l.entries[i])
	}
	slices.SortStableFunc(all, func(a, b *faultEntry) int {
		return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(b.object, a.object))
	})
	var faults []Fault
	for _, e := range all {
		faults = append(faults, e.Fault)
	}
	return faults
}

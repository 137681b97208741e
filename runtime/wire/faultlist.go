package wire

import (
	"cmp"
	"slices"
)

// maxFaults limits how many faults are described. Describing one can cost as much as reading
// all arguments.
const maxFaults = 64

// faultPlace is the position of a fault, by which faults are sorted: the index of a value or a key on the
// tape. A missing member is at the end of its object, before the index that follows.
type faultPlace struct {
	index  int
	object int // index of the object with a missing member; -1 for a fault that follows all others of a value
}

// placeOf returns the place of a value or a key.
func placeOf(at int) faultPlace { return faultPlace{index: at} }

// lastPlaceOf returns the place of a value for a fault that follows all its other faults.
func lastPlaceOf(at int) faultPlace { return faultPlace{at, -1} }

// missingPlace returns the place of a missing member of an object that ends before an index.
func missingPlace(object, end int) faultPlace { return faultPlace{end, object} }

func (s faultPlace) belongsTo(at int) bool { return s.index == at && s.object <= 0 }

type faultEntry struct {
	Fault
	faultPlace
}

// faultList has the first faults that were found, and the total number.
type faultList struct {
	entries    []faultEntry
	count      int
	afterBound int // index after the value that a bound rejected last
}

// countAll returns the number of faults, including those that are not described.
func (l *faultList) countAll() int { return l.count }

// isFull reports whether further faults are only counted.
func (l *faultList) isFull() bool { return l.count >= maxFaults }

// countFault counts a fault and reports whether to describe it with addFault.
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

// markBound notes that a bound rejects a value, so that the reader does not report it again.
func (l *faultList) markBound(at int) { l.afterBound = at + 1 }

// isBound reports whether a bound rejected the value, and no other value since.
func (l *faultList) isBound(at int) bool { return l.afterBound == at+1 }

// dropLast removes the last faults if they belong to a value, because they follow from the fault that is
// recorded next.
func (l *faultList) dropLast(at int) {
	l.afterBound = 0
	for n := len(l.entries); n > 0 && l.entries[n-1].belongsTo(at); n-- {
		l.entries, l.count = l.entries[:n-1], l.count-1
	}
}

// rewordLast changes what was expected of a value if the last fault belongs to it.
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

// Package faults is the list of what is wrong with arguments, while they are read in the
// order of Go types, and to be told in the order of their text.
package faults

import (
	"cmp"
	"slices"
)

// most bounds how many faults are described. Describing one can cost as much as reading
// all arguments.
const most = 64

// Fault is one thing that is wrong, in words.
type Fault struct{ Pointer, Expected, Found string }

// Spot is what a fault is of, by which faults are sorted: a value or a key, by its index
// on the tape. What is missing is at the end of an object, which is before that index.
type Spot struct {
	At     int
	object int // Last for what is said last of a value
}

// Of is the spot of a value or a key.
func Of(at int) Spot { return Spot{At: at} }

// Last is the spot of a value for what is said of it after all else.
func Last(at int) Spot { return Spot{at, -1} }

// Missing is the spot of what an object has not that ends before an index.
func Missing(object, end int) Spot { return Spot{end, object} }

func (s Spot) isOf(at int) bool { return s.At == at && s.object <= 0 }

type entry struct {
	Fault
	Spot
}

// List has the first faults that were found, and the count of all.
type List struct {
	all    []entry
	count  int
	beyond int // index behind that of a value that a bound refuses
}

// Count returns how many there are, also of those that are not described.
func (l *List) Count() int { return l.count }

// IsFull reports whether no more are described.
func (l *List) IsFull() bool { return l.count >= most }

// Counts counts a fault and tells whether it is to be described, with Add.
func (l *List) Counts() bool {
	l.count++
	return l.count <= most
}

// Add adds a fault that was counted.
func (l *List) Add(s Spot, f Fault) { l.all = append(l.all, entry{f, s}) }

// Has reports whether there is one at a spot.
func (l *List) Has(s Spot) bool {
	return slices.ContainsFunc(l.all, func(e entry) bool { return e.Spot == s })
}

// Bound notes that a bound refuses a value: who reads it then says no more of it.
func (l *List) Bound(at int) { l.beyond = at + 1 }

// IsBound reports whether that was noted last of a value.
func (l *List) IsBound(at int) bool { return l.beyond == at+1 }

// Drop takes back the last faults if they are of a value: all of them follow from what is
// said of it then.
func (l *List) Drop(at int) {
	l.beyond = 0
	for n := len(l.all); n > 0 && l.all[n-1].isOf(at); n-- {
		l.all, l.count = l.all[:n-1], l.count-1
	}
}

// Reword changes what is expected of a value, if the last fault is of it.
func (l *List) Reword(at int, reword func(expected string) string) {
	if n := len(l.all); n > 0 && l.all[n-1].isOf(at) {
		l.all[n-1].Expected = reword(l.all[n-1].Expected)
	}
}

// Sorted returns the faults that are described, in the order of the text.
func (l *List) Sorted() []Fault {
	var all []*entry
	for i := range l.all {
		all = append(all, &l.all[i])
	}
	slices.SortStableFunc(all, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(b.object, a.object))
	})
	var faults []Fault
	for _, e := range all {
		faults = append(faults, e.Fault)
	}
	return faults
}

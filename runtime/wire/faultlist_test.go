package wire

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestSortedFaults checks that the faults of {"a":1,"b":{}} are in the order of the text, and that
// missing members are reported at the end of their object.
func TestSortedFaults(t *testing.T) {
	var l faultList
	add := func(s faultPlace, pointer, expected, found string) {
		if l.countFault() {
			l.addFault(s, Fault{Pointer: pointer, Expected: expected, Found: found})
		}
	}
	const root, a, b, end = 0, 2, 4, 5
	add(missingPlace(root, end), "/c", "a value", "nothing")
	add(missingPlace(b, end), "/b/c", "a value", "nothing")
	add(lastPlaceOf(a), "/a", "a multiple of 2", "the number 1")
	add(placeOf(a), "/a", "an integer of at least 2", "the number 1")
	var got []string
	for _, f := range l.sortedFaults() {
		got = append(got, f.Pointer+" "+f.Expected)
	}
	if want := []string{"/a an integer of at least 2", "/a a multiple of 2", "/b/c a value", "/c a value"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestList(t *testing.T) {
	var l faultList
	for _, at := range []int{1, 2, 2} {
		l.countFault()
		l.addFault(placeOf(at), Fault{Expected: fmt.Sprint(at)})
	}
	l.markBound(2)
	if !l.isBound(2) || l.isBound(1) || !l.hasFaultAt(placeOf(1)) || l.hasFaultAt(lastPlaceOf(1)) {
		t.Error("a spot is not known")
	}
	l.dropLast(2)
	l.rewordLast(2, strings.ToUpper)
	l.rewordLast(1, func(expected string) string { return expected + " again" })
	if all := l.sortedFaults(); l.countAll() != 1 || len(all) != 1 || all[0].Expected != "1 again" || l.isBound(2) {
		t.Errorf("%v of %d", all, l.countAll())
	}
	for range 100 {
		if l.countFault() {
			l.addFault(placeOf(0), Fault{})
		}
	}
	if all := l.sortedFaults(); !l.isFull() || len(all) != 64 || l.countAll() != 101 {
		t.Errorf("%d of %d", len(all), l.countAll())
	}
}

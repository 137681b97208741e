package faults_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/wire/internal/faults"
)

// What generated code finds wrong in {"a":1,"b":{}} is told in the order of the text,
// and what is missing at the end of the object that it is missing in.
func Example() {
	var l faults.List
	add := func(s faults.Spot, pointer, expected, found string) {
		if l.Counts() {
			l.Add(s, faults.Fault{Pointer: pointer, Expected: expected, Found: found})
		}
	}
	const root, a, b, end = 0, 2, 4, 5
	add(faults.Missing(root, end), "/c", "a value", "nothing")
	add(faults.Missing(b, end), "/b/c", "a value", "nothing")
	add(faults.Last(a), "/a", "a multiple of 2", "the number 1")
	add(faults.Of(a), "/a", "an integer of at least 2", "the number 1")
	for _, f := range l.Sorted() {
		fmt.Println(f.Pointer, f.Expected)
	}
	// Output:
	// /a an integer of at least 2
	// /a a multiple of 2
	// /b/c a value
	// /c a value
}

func TestList(t *testing.T) {
	var l faults.List
	for _, at := range []int{1, 2, 2} {
		l.Counts()
		l.Add(faults.Of(at), faults.Fault{Expected: fmt.Sprint(at)})
	}
	l.Bound(2)
	if !l.IsBound(2) || l.IsBound(1) || !l.Has(faults.Of(1)) || l.Has(faults.Last(1)) {
		t.Error("a spot is not known")
	}
	l.Drop(2)
	l.Reword(2, strings.ToUpper)
	l.Reword(1, func(expected string) string { return expected + " again" })
	if all := l.Sorted(); l.Count() != 1 || len(all) != 1 || all[0].Expected != "1 again" || l.IsBound(2) {
		t.Errorf("%v of %d", all, l.Count())
	}
	for range 100 {
		if l.Counts() {
			l.Add(faults.Of(0), faults.Fault{})
		}
	}
	if all := l.Sorted(); !l.IsFull() || len(all) != 64 || l.Count() != 101 {
		t.Errorf("%d of %d", len(all), l.Count())
	}
}

package redact_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/redact"
)

func ExampleSet() {
	var s redact.Set
	for _, text := range redact.Texts("+44 7700 900123") {
		s.Add(text, 1000)
	}
	for _, text := range []string{"call 447700900123", "%2B44-7700-900123", "KzQ0IDc3MDAgOTAwMTIz", "call 447700900124"} {
		fmt.Println(text, s.OccursIn(text))
	}
	// Output:
	// call 447700900123 true
	// %2B44-7700-900123 true
	// KzQ0IDc3MDAgOTAwMTIz true
	// call 447700900124 false
}

// TestSet checks that a Set adds only values that are long enough, up to its limit.
func TestSet(t *testing.T) {
	var s redact.Set
	if !s.Add("short", 2) || s.Len() != 0 || s.OccursIn("short") {
		t.Error("a short text was added")
	}
	if !s.Add("Value 1", 2) || !s.Add("value-1", 2) || s.Len() != 1 {
		t.Errorf("one value is %d", s.Len())
	}
	if s.Add(strings.Repeat("abcdefgh ", 12), 2) || s.Len() != 2 || !s.OccursIn("abcdefghabcdefghabcdefgh") {
		t.Errorf("a long text made %d of at most 2", s.Len())
	}
	for text, want := range map[string]bool{"": false, "\xff\xfe": false, "VALUE(1)": true, "valu e1": true, "alue 1": false, "%": false, `\`: false, `\u`: false, `%7`: false, `\u{110000}`: false, "&#x110000;": false} {
		if s.OccursIn(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// FuzzSet checks that a value is found in every text that contains it.
func FuzzSet(f *testing.F) {
	f.Add("hunter2-7f", "a ", "b")
	f.Add("+44 555 0100", "%", `\u`)
	f.Add("\\&amp;%41-xyz", "=", "==")
	f.Fuzz(func(t *testing.T, value, before, after string) {
		var s redact.Set
		for _, text := range redact.Texts(value) {
			s.Add(text, 1<<16)
		}
		s.OccursIn(after + before)
		if s.Len() > 0 && !s.OccursIn(before+value+after) && strings.ToValidUTF8(before+value+after, "") == before+value+after {
			t.Errorf("%q is not found between %q and %q", value, before, after)
		}
	})
}

package lambda_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestGrowth compiles lambdas whose results would grow exponentially with their length, one for each
// way to combine values.
func TestGrowth(t *testing.T) {
	for _, double := range []string{
		"[y + y for y in #]", "[y + y for y in [y + y for y in #]]", "[[y, y][0] + [y, y][1] for y in #]", "['{0}{0}'.format(y) for y in #]",
		"[f'{y}{y}' for y in #]", "[''.join([y, y]) for y in #]", "[str([y, y]) for y in #]", "[y.replace('a', 'aaaa') for y in #]",
		"[(y or 'a') + y.upper() for y in #]", "sorted([y + y for y in #], key=lambda y: y)", "[{'a': y, 'b': y}['a'] + y for y in #]",
		"[[y, y, 1][0] for y in #]", "[y + y for z in [s] for y in #]", "[y + z for y in [#] for z in y]", "(# + #)",
	} {
		text := "[s]"
		for range 30 {
			next := strings.ReplaceAll(double, "#", text)
			if len(next) > 6000 {
				break
			}
			text = next
		}
		_, faults := translate(t, text)
		if err := faults.Err(); err == nil || !strings.Contains(err.Error(), "too-large") && !strings.Contains(err.Error(), "too-deep") {
			t.Errorf("%s: %v", double, err)
		}
	}
}

// TestLong compiles lambdas of the maximum length.
func TestLong(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	const long = 7000
	for _, part := range []string{
		"a - ", "p and ", "p or ", "a < ", "o or ", "a if p else ", "u.boss and ", "s and a or ",
		"half(x, 1, k) * ", "half(x, 1, k) < ", "xs[0] * ", "d['a'] - ", "v - ", "a // ", "x / ",
	} {
		text := strings.Repeat(part, long/len(part)) + "a"
		code, faults := translate(t, text)
		if err := faults.Err(); err != nil {
			if !strings.Contains(err.Error(), "too-deep") {
				t.Errorf("%s…: %v", part, err)
			}
			continue
		}
		if len(code) > 100*long {
			t.Errorf("%s…: %d bytes of Go", part, len(code))
		}
	}
	for _, e := range []string{"a " + strings.Repeat("for y in xs ", 90), "y " + strings.Repeat("for y in xs if y ", 90)} {
		if code, faults := translate(t, "sum("+e+")"); faults.Err() != nil || len(code) > 200*len(e) {
			t.Errorf("%s: %d bytes of Go, %v", e, len(code), faults.Err())
		}
	}
	if _, faults := translate(t, "sum(a "+strings.Repeat("for y in xs ", 101)+")"); !strings.Contains(fmt.Sprint(faults.Err()), "too-deep") {
		t.Errorf("101 loops: %v", faults.Err())
	}
	for _, list := range []string{"[%]", "max(%)", "log(s, %)", "[y for y in [%]]", "{'a': [%]}"} {
		text := strings.Replace(list, "%", strings.Repeat("a, ", 80)+"v", 1)
		if _, faults := translate(t, text); faults.Err() != nil {
			t.Errorf("%s: %v", list, faults.Err())
		}
	}
}

package python_test

import (
	"strings"
	"testing"
)

// TestGrowth translates lambdas whose result would be two to the power of their
// length, by each way in which a value can be put together from others.
func TestGrowth(t *testing.T) {
	for _, double := range []string{
		"[y + y for y in #]", "[y + y for y in [y + y for y in #]]", "[[y, y][0] + [y, y][1] for y in #]", "['{0}{0}'.format(y) for y in #]",
		"[f'{y}{y}' for y in #]", "[''.join([y, y]) for y in #]", "[str([y, y]) for y in #]", "[y.replace('a', 'aaaa') for y in #]",
		"[(y or 'a') + y.upper() for y in #]", "sorted([y + y for y in #], key=lambda y: y)", "[{'a': y, 'b': y}['a'] + y for y in #]",
		"[[y, y, 1][0] for y in #]", "(# + #)",
	} {
		text := "[s]"
		for range 30 {
			next := strings.ReplaceAll(double, "#", text)
			if len(next) > 6000 {
				break
			}
			text = next
		}
		_, faults := translated(t, text)
		if err := faults.Err(); err == nil || !strings.Contains(err.Error(), "too-large") && !strings.Contains(err.Error(), "too-deep") {
			t.Errorf("%s: %v", double, err)
		}
	}
}

// TestLong translates lambdas that are as long as they may be.
func TestLong(t *testing.T) {
	const long = 7000
	for _, part := range []string{
		"a - ", "p and ", "p or ", "a < ", "o or ", "a if p else ", "u.boss and ", "s and a or ",
		"half(x, 1, k) * ", "half(x, 1, k) < ", "xs[0] * ", "d['a'] - ", "v - ", "a // ", "x / ",
	} {
		text := strings.Repeat(part, long/len(part)) + "a"
		code, faults := translated(t, text)
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
	for _, list := range []string{"[%]", "max(%)", "log(s, %)", "[y for y in [%]]", "{'a': [%]}"} {
		text := strings.Replace(list, "%", strings.Repeat("a, ", 80)+"v", 1)
		if _, faults := translated(t, text); faults.Err() != nil {
			t.Errorf("%s: %v", list, faults.Err())
		}
	}
}

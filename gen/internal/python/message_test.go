package python_test

import (
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/python/instead"
)

// TestInstead translates what messages say to write.
func TestInstead(t *testing.T) {
	for _, text := range instead.Expressions() {
		if _, faults := translated(t, strings.ReplaceAll(text, "ys", "xs")); faults.Err() != nil {
			t.Errorf("%s: %v", text, faults)
		}
	}
}

// TestHelp reads what is said of expressions that newcomers write.
func TestHelp(t *testing.T) {
	for text, want := range map[string]string{
		"repr(a)":                "write str(x), which is the same unless x is a str",
		"range(a)":               "write [y for y in xs], which needs no index; for numbers, call a Go function that returns them",
		"[s for i in range(a)]":  "write [y for y in xs], which needs no index; for numbers, call a Go function that returns them",
		"enumerate(xs)":          "call a Go function that returns each element with its index",
		"zip(xs, ws)":            "call a Go function that pairs the elements",
		"d.count('a')":           "",
		"xs.count(a)":            "write len([y for y in xs if y == x])",
		"d.get('a')":             "write d['a'] if 'a' in d else None",
		"v.get('a', 1)":          "write d['a'] if 'a' in d else None",
		"d['a'].items()":         "write [[k, d[k]] for k in d]",
		"v.append(1)":            "write xs + [x]",
		"s.index(t)":             "write s.find(t), which is -1 where there is none",
		"s.toUpperCase()":        "write s.upper()",
		"s.length":               "write len(s)",
		"xs.length":              "write len(xs)",
		"s.wrap()":               "the methods are those of strings: count endswith find format join lower lstrip replace rstrip split startswith strip title upper",
		"sum(d)":                 "write sum([d[k] for k in d]) for its values",
		"sum(ws)":                "write ''.join(…) to join strings",
		"sum(s)":                 "",
		"s[:len2]":               `list its type, as in arg-18 --> "int"`,
		"xs[len2]":               `list its type, as in arg-18 --> "int"`,
		"len2 + a":               `list its type, as in arg-18 --> "int"; write str(…) around the right side, or a formatted string`,
		"round(x, len2)":         `list its type, as in arg-18 --> "int"; write int(…) around it`,
		"[y for y in xs] * len2": `list its type, as in arg-18 --> "int"`,
		"'a' < a":                "write int(…) or float(…) around the str",
	} {
		_, faults := translated(t, text)
		if faults.Err() == nil {
			t.Errorf("%s is no fault", text)
			continue
		}
		if got := strings.Join(faults[0].Help, "; "); got != want {
			t.Errorf("%s: %v\n\thelp: %s\n\twant: %s", text, faults[0], got, want)
		}
	}
}

// TestSums: numbers do not grow by being added, and one message is enough for what does.
func TestSums(t *testing.T) {
	for _, text := range []string{"a", "x", "p", "(a * 2 - b)", "len(ws)", "-a"} {
		if _, faults := translated(t, strings.Repeat(text+" + ", 300)+"1"); faults.Err() != nil {
			t.Errorf("a sum of %s: %v", text, faults)
		}
	}
	_, faults := translated(t, strings.Repeat("s + ", 2000)+"t")
	if len(faults) != 1 || faults[0].Code != "too-large" {
		t.Errorf("a long text has %d faults: %v", len(faults), faults[:min(2, len(faults))])
	}
}

package lambda_test

import (
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/lambda"
)

// TestReplacements compiles the expressions that messages suggest.
func TestReplacements(t *testing.T) {
	for _, text := range lambda.ReplacementExpressions() {
		if _, faults := translate(t, strings.NewReplacer("ys", "xs", "**x", "**d").Replace(text)); faults.Err() != nil {
			t.Errorf("%s: %v", text, faults)
		}
	}
}

// TestHelp checks the help for common mistakes.
func TestHelp(t *testing.T) {
	for text, want := range map[string]string{
		"with_key(key=lambda: 1)": "write a Go function and call it here",
		"range(a)":                "write list(range(a))",
		"enumerate(xs)":           "call a Go function that returns each element with its index",
		"zip(xs, ws)":             "call a Go function that pairs the elements",
		"d.count('a')":            "",
		"xs.count(a)":             "write len([y for y in xs if y == a])",
		"d['a'].items()":          "write [[y, d['a'][y]] for y in d['a']]",
		"v.append(1)":             "write v + [1], which is a new list",
		"len(s.partition(t))":     "index it: s.partition(t)[0]",
		"xs.sort(key=abs)":        "write sorted(xs, key=abs), which is a new list",
		"ws.sort(key=lambda w: (len(w), w), reverse=p)": "write sorted(ws, key=lambda w: (len(w), w), reverse=p), which is a new list",
		"v.sort(reverse=True)":                          "write sorted(v, reverse=True), which is a new list",
		"xs.index(a)":                                   "write next((z for z, y in enumerate(xs) if y == a), None), which is None if no element is equal",
		"(lambda q: q + 1)(a)":                          "write a + 1",
		"(lambda q, r: q * r)(a + 1, 2)":                "write (a + 1) * 2",
		"(lambda q: q)()":                               "only the argument key and the functions map and filter accept a lambda",
		"dict(u)":                                       "write u, which becomes an object in JSON",
		"dict(v)":                                       "write {**v}, which fails for anything but a dict",
		"str(a, 'utf-8')":                               "write str(a): a str is text already and has no encoding",
		"len(d.items())":                                "write len(d)",
		"divmod(x, 2)":                                  "write [x // 2, x % 2]",
		"s.partition(t)[3]":                             "index it: s.partition(t)[0]",
		"v.index(t)":                                    "write str.index(…), or give the argument the type str in its note",
		"s.startswith((s, a))":                          "join calls with or: s.startswith(a) or s.startswith(b)",
		"next(xs, 1)":                                   "write next((… for x in xs if …), None)",
		"str((a, b))":                                   "a list would change the value here: write this part in Go",
		"() == xs":                                      "a list would change the value here: write this part in Go",
		"{a, b}":                                        "write sorted({a, b})",
		"{y for y in xs}":                               "write sorted({y for y in xs})",
		"[(y for y in xs)]":                             "write [y for y in xs]",
		"len(y for y in xs)":                            "write [y for y in xs]",
		"log(s, lambda: 1)":                             "only the argument key and the functions map and filter accept a lambda",
		"len(list(zip(xs, ws)))":                        "write [[y, y2] for y, y2 in zip(xs, ws)]",
		"len(list(enumerate(xs)))":                      "write [[y, y2] for y, y2 in enumerate(xs)]",
		"[k for k, x in d.items()]":                     "write sorted(d.items()), which is in the order of the keys",
		"list(u.dict.values())":                         "write [u.dict[y] for y in sorted(u.dict)], which is in the order of the keys",
		"list(set(xs))":                                 "write sorted(set(xs))",
		"[y for y, z in xs]":                            "loop over one name and index its elements: [x[0] for x in xs]",
		"xs in {s}":                                     "search in a list: in [a, b]",
		"len(set([xs]))":                                "write a list: [a, b]",
		"set(xs)":                                       "write sorted(set(xs))",
		"frozenset(ws)":                                 "write sorted(set(ws))",
		"tuple(xs)[:1] == xs[:1]":                       "a list would change the value here: write this part in Go",
		"str(list(zip(xs, ws)))":                        "a list would change the value here: write this part in Go",
		"str(d.items())":                                "a list would change the value here: write this part in Go",
		"list(enumerate(ws)) == [[0, s]]":               "a list would change the value here: write this part in Go",
		"next(iter(d))":                                 "write next((y for y in sorted(d)), None), which is the first key in the order of the keys, which is None if there is no element",
		"next(iter(v), 1)":                              "write next((… for x in xs if …), None)",
		"dict.fromkeys(ws, s)":                          "write {y: s for y in ws}",
		"dict.fromkeys(ws, log(s))":                     "write a dict comprehension, whose keys are strings: {k: … for k in …}",
		"d.get(a)":                                      "write str(a)",
		"isinstance(xs, (str, tuple))":                  "write False: xs is always list",
		"set(xs) == [1]":                                "a list would change the value here: write this part in Go",
		"str(set(xs))":                                  "a list would change the value here: write this part in Go",
		"f'{(a, s)}'":                                   "a list would change the value here: write this part in Go",
		"(a, s) in [[a, s]]":                            "a list would change the value here: write this part in Go",
		"with_key(key={a})":                             "call a Go function that removes duplicates",
		"'%s' % ((a, s),)":                              "a list would change the value here: write this part in Go",
		"(a, 2)[0] < 1 < (a, 3)[1] if (a, s) == (1, t) else 0": "write [a, s]",
		"{log(s)} & {t}":         "write a Go function for the two lists, and call it",
		"a, b":                   "write (a, b)",
		"s.translate({})":        "call a Go function that uses strings.NewReplacer: a translation table maps code points, and dicts here have strings as keys",
		"s.isascii()":            "write all(ord(y) < 128 for y in s)",
		"s.toUpperCase()":        "write s.upper()",
		"s.length":               "write len(s)",
		"xs.length":              "write len(xs)",
		"s.wrap()":               "the supported methods are those of strings: capitalize casefold center count endswith expandtabs find format index isalnum isalpha isdecimal isdigit isidentifier islower isnumeric isspace istitle isupper join ljust lower lstrip partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title upper zfill",
		"sum(d)":                 "write sum([d[k] for k in d]) for its values",
		"sum(ws)":                "write ''.join(…) to join strings",
		"sum(s)":                 "",
		"s[:len2]":               `add its type, as in arg-18 --> "int"`,
		"xs[len2]":               `add its type, as in arg-18 --> "int"`,
		"len2 + a":               `add its type, as in arg-18 --> "int"; wrap the right side in str(…), or use a formatted string`,
		"round(x, len2)":         `add its type, as in arg-18 --> "int"; wrap it in int(…)`,
		"[y for y in xs] * len2": `add its type, as in arg-18 --> "int"`,
		"'a' < a":                "wrap the str in int(…) or float(…)",
		"len(s.encode())":        "in Go, len counts the bytes of a string: replace the lambda with a Go function literal, for example func(s string) int { return len(s) }",
		"','.join(xs)":           "write ','.join([str(item) for item in xs])",
		"xs == (a, 2)":           "a list would change the value here: write this part in Go",
		"Counter(ws)":            "Counter belongs to Python's module collections: write a Go function that does the same with Go's package maps, and call it",
		"{1: s, 2: t}[a]":        "write {'1': s, '2': t}, and convert the key that you look up: str(…)",
		"len(list)":              "list is a Python type: call it, or leave it out",
		"unknown_function(a)":    "no function has a similar name: declare UnknownFunction in a Go file of package users",
	} {
		_, faults := translate(t, text)
		if faults.Err() == nil {
			t.Errorf("%s is not a fault", text)
			continue
		}
		if got := strings.Join(faults[0].Help, "; "); got != want {
			t.Errorf("%s: %v\n\thelp: %s\n\twant: %s", text, faults[0], got, want)
		}
	}
}

// TestSums checks that sums of numbers are not limited and that a growing sum is reported once.
func TestSums(t *testing.T) {
	for _, text := range []string{"a", "x", "p", "(a * 2 - b)", "len(ws)", "-a"} {
		if _, faults := translate(t, strings.Repeat(text+" + ", 300)+"1"); faults.Err() != nil {
			t.Errorf("a sum of %s: %v", text, faults)
		}
	}
	_, faults := translate(t, strings.Repeat("s + ", 2000)+"t")
	if len(faults) != 1 || faults[0].Code != "too-large" {
		t.Errorf("a long text has %d faults: %v", len(faults), faults[:min(2, len(faults))])
	}
}

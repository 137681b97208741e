package repair_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/repair"
)

// A mutation turns correct JSON into text as models write it.
type mutation struct {
	name   string
	mutate func(text, indented string) string
}

var (
	anyString   = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	anyKey      = regexp.MustCompile(`"(\w+)":`)
	lastClosers = regexp.MustCompile(`[\]}\s]*$`)
)

var mutations = []mutation{
	{"Python", func(text, _ string) string { return python(decode([]byte(text))) }},
	{"names without quotes", func(text, _ string) string { return anyKey.ReplaceAllString(text, "$1:") }},
	{"curly quotes", func(text, _ string) string {
		return anyString.ReplaceAllStringFunc(text, func(s string) string { return "“" + s[1:len(s)-1] + "”" })
	}},
	{"backticks", func(text, _ string) string {
		return anyString.ReplaceAllStringFunc(text, func(s string) string { return "`" + s[1:len(s)-1] + "`" })
	}},
	{"trailing commas", func(_, indented string) string {
		return regexp.MustCompile(`\n(\s*[\]}])`).ReplaceAllString(indented, ",\n$1")
	}},
	{"no commas", func(_, indented string) string { return strings.ReplaceAll(indented, ",\n", "\n") }},
	{"two commas", func(_, indented string) string { return strings.ReplaceAll(indented, ",\n", ",,\n") }},
	{"semicolons", func(_, indented string) string { return strings.ReplaceAll(indented, ",\n", ";\n") }},
	{"no colons", func(text, _ string) string { return anyKey.ReplaceAllString(text, `"$1" `) }},
	{"equals signs", func(text, _ string) string { return anyKey.ReplaceAllString(text, `"$1" =`) }},
	{"arrows", func(text, _ string) string { return anyKey.ReplaceAllString(text, `"$1" =>`) }},
	{"line comments", func(_, indented string) string { return strings.ReplaceAll(indented, ",\n", ", // a \"b\" ]\n") }},
	{"shell comments", func(_, indented string) string { return strings.ReplaceAll(indented, ",\n", ", # it's } \n") }},
	{"block comments", func(_, indented string) string { return strings.ReplaceAll(indented, "\n", " /* { \" */\n") }},
	{"fence", func(_, indented string) string { return "Here it is:\n```json\n" + indented + "\n```\nDone." }},
	{"fence in one line", func(text, _ string) string { return "Here: ```json " + text + " ``` and so on" }},
	{"open fence", func(_, indented string) string { return "```\n" + indented }},
	{"prose", func(text, _ string) string {
		return "I [really] think {so}, see [1]: " + text + " That's it, isn't it?"
	}},
	{"thoughts", func(text, _ string) string { return "<think>Maybe {\"a\": 1}?</think>\n" + text }},
	{"tags", func(_, indented string) string { return "<answer>\n" + indented + "\n</answer>" }},
	{"assignment", func(text, _ string) string { return "const result = " + text + ";" }},
	{"byte order mark", func(text, _ string) string { return "\ufeff" + text }},
	{"other blanks", func(_, indented string) string { return strings.ReplaceAll(indented, "  ", "\u00a0 ") }},
	{"escaped", func(text, _ string) string { s := quote(text); return s[1 : len(s)-1] }},
	{"escaped twice", func(text, _ string) string { s := quote(text); s = quote(s[1 : len(s)-1]); return s[1 : len(s)-1] }},
	{"escaped lines", func(_, indented string) string { s := quote(indented); return s[1 : len(s)-1] }},
	{"no end", func(_, indented string) string { return lastClosers.ReplaceAllString(indented, "") }},
	{"one end too many", func(text, _ string) string { return text + "}" }},
	{"square end", func(text, _ string) string { return text[:len(text)-1] + "]" }},
	{"doubled braces", func(text, _ string) string { return "{" + text + "}" }},
	{"doubled quotes", func(text, _ string) string {
		return anyString.ReplaceAllStringFunc(text, func(s string) string {
			if s == `""` {
				return s
			}
			return `"` + s + `"`
		})
	}},
	{"dots at the end", func(_, indented string) string {
		return regexp.MustCompile(`\n}$`).ReplaceAllString(indented, ",\n  ...\n}")
	}},
}

// documents returns the arguments of the reference calls.
func documents() (all []json.RawMessage) {
	for _, r := range references() {
		for _, c := range r.Calls {
			all = append(all, c.Arguments)
		}
	}
	return all
}

// TestMutations mutates the arguments of all reference calls and reads what they
// were.
func TestMutations(t *testing.T) {
	t.Parallel()
	for i, m := range mutations {
		right, count := 0, 0
		for _, want := range sample(i, documents()) {
			var indented bytes.Buffer
			if err := json.Indent(&indented, want, "", "  "); err != nil {
				t.Fatal(err)
			}
			text := m.mutate(string(want), indented.String())
			got, err := repair.JSON(text, nil)
			count++
			if err == nil && oneOf(got.Value, []json.RawMessage{want}) {
				right++
			} else if count-right < 6 {
				t.Logf("%s: %s\n%s %v", m.name, text, got.Value, err)
			}
		}
		t.Logf("%-18s %d of %d", m.name, right, count)
		if right < count {
			t.Errorf("%s: %d of %d", m.name, right, count)
		}
	}
}

// TestPlaces removes, at every place where it stands in the arguments of all
// reference calls, a quote or a bracket, or puts one in, and reads what they were.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for i, m := range []struct {
		name string
		goal int // percent
		at   *regexp.Regexp
		with string
	}{
		{"no opening quote of a value", 95, regexp.MustCompile(`(": |\[|, )"(\w[^"\\]*")`), "$1$2"},
		{"no closing quote of a value", 95, regexp.MustCompile(`("[^"\\]+)"(, "|\}|\])`), "$1$2"},
		{"no opening quote of a name", 99, regexp.MustCompile(`([{,] ?)"(\w+":)`), "$1$2"},
		{"no closing quote of a name", 99, regexp.MustCompile(`("\w+)":`), "$1:"},
		{"no quotes of a value", 95, regexp.MustCompile(`: "([a-zA-Z][\w ]*)"`), ": $1"},
		{"no comma", 99, regexp.MustCompile(`(["\de\]}]), ("\w+":)`), "$1 $2"},
		{"no colon", 99, regexp.MustCompile(`": `), `" `},
		{"no bracket at the end", 99, regexp.MustCompile(`\](,|\})`), "$1"},
		{"brace for a bracket", 97, regexp.MustCompile(`\](,|\})`), "}$1"},
		{"one bracket too many", 99, regexp.MustCompile(`\](,|\})`), "]]$1"},
	} {
		right, count := 0, 0
		for _, want := range sample(i, documents()) {
			text := string(want)
			for _, at := range m.at.FindAllStringSubmatchIndex(text, -1) {
				mutated := text[:at[0]] + string(m.at.ExpandString(nil, m.with, text, at)) + text[at[1]:]
				got, err := repair.JSON(mutated, nil)
				count++
				if err == nil && oneOf(got.Value, []json.RawMessage{want}) {
					right++
				} else if count-right < 12 {
					t.Logf("%s: %s\n%s %v", m.name, mutated, got.Value, err)
				}
			}
		}
		t.Logf("%-28s %d of %d, %.1f %%", m.name, right, count, 100*float64(right)/float64(count))
		if 100*right < m.goal*count {
			t.Errorf("%s: less than %d %%", m.name, m.goal)
		}
	}
}

// TestTexts puts text that models forget to escape into the strings of the
// reference arguments.
func TestTexts(t *testing.T) {
	t.Parallel()
	value := regexp.MustCompile(`(": )"([^"\\]+)"`)
	for i, m := range []struct {
		name, written, meant string
	}{
		{"inner quotes", `say "x y" now`, `say "x y" now`},
		{"inner quotes at the end", `so "x"`, `so "x"`},
		{"inner quotes at the beginning", `"x" it is`, `"x" it is`},
		{"dialogue", `"Hi," she said. "Bye."`, `"Hi," she said. "Bye."`},
		{"an object in code", `x = {"k": "v"}`, `x = {"k": "v"}`},
		{"a list in code", `x = ["k", "v"]`, `x = ["k", "v"]`},
		{"an index", `m["k"] = "v";`, `m["k"] = "v";`},
		{"a style", `a { color: "red"; }`, `a { color: "red"; }`},
		{"a command", `echo "x", "y"`, `echo "x", "y"`},
		{"a list of pairs", `k: "v", l: "w"`, `k: "v", l: "w"`},
		{"a function", "f(x) { return g({\"a\": [x]}, \"b\") }", "f(x) { return g({\"a\": [x]}, \"b\") }"},
		{"XML", `<a b="c" d='e'>"f"</a>`, `<a b="c" d='e'>"f"</a>`},
		{"a query", `SELECT "a", "b" FROM "t" WHERE "c" = 'd' AND e IN ("f", "g")`, `SELECT "a", "b" FROM "t" WHERE "c" = 'd' AND e IN ("f", "g")`},
		{"a list item", "- \"a\": b\n- \"c\": d", "- \"a\": b\n- \"c\": d"},
		{"inches", `a 24" screen`, `a 24" screen`},
		{"quotes and commas", `first, "second", third`, `first, "second", third`},
		{"attributes", `<a href="/x" id="y">z</a>`, `<a href="/x" id="y">z</a>`},
		{"code", "if (a) {\n\tprint(\"x\");\n}", "if (a) {\n\tprint(\"x\");\n}"},
		{"calls in code", `f("a", "b")`, `f("a", "b")`},
		{"lines", "one\ntwo\r\n\tthree", "one\ntwo\r\n\tthree"},
		{"a path", `C:\Users\x`, `C:\Users\x`},
		{"a path with an end", `D:\Data\`, `D:\Data\`},
		{"an expression", `^\d+\.\w*$`, `^\d+\.\w*$`},
		{"JSON", `{"x": [1, "y"], "z": {"w": null}}`, `{"x": [1, "y"], "z": {"w": null}}`},
		{"a list", `["x", "y"]`, `["x", "y"]`},
		{"brackets", `a [b] {c} (d)`, `a [b] {c} (d)`},
		{"a fence", "```go\nx\n```", "```go\nx\n```"},
		{"a comment", `/* a */ // b # c`, `/* a */ // b # c`},
	} {
		right, count := 0, 0
		for _, want := range sample(i, documents()) {
			text := string(want)
			for _, at := range value.FindAllStringSubmatchIndex(text, -1) {
				put := func(s string) string { return text[:at[4]] + s + text[at[5]:] }
				got, err := repair.JSON(put(m.written), nil)
				meant := quote(m.meant)
				count++
				if err == nil && oneOf(got.Value, []json.RawMessage{json.RawMessage(put(meant[1 : len(meant)-1]))}) {
					right++
				} else if count-right < 5 {
					t.Logf("%s: %s\n%s %v", m.name, put(m.written), got.Value, err)
				}
			}
		}
		t.Logf("%-28s %d of %d, %.1f %%", m.name, right, count, 100*float64(right)/float64(count))
		if right < count {
			t.Errorf("%s: %d of %d", m.name, right, count)
		}
	}
}

// TestTruncation cuts JSON off at every byte. What is read is a part of what it
// was to be, and says that it is cut off.
func TestTruncation(t *testing.T) {
	texts := []json.RawMessage{json.RawMessage(`{"a": [1.5e3, -2, true, {"b": null, "c": "x\u00e9\"\\é😀\ud83d\ude00"}], "d": {"e": [[], {}], "f": false}, "": "y"}`)}
	for i, text := range documents() {
		if i%8 == 0 {
			texts = append(texts, text)
		}
	}
	count := 0
	for _, whole := range texts {
		want := decode(whole)
		for end := 1; end < len(whole); end++ {
			text := string(whole[:end])
			got, err := repair.JSON(text, nil)
			if count++; err != nil || !got.Truncated || !isPart(decode(got.Value), want) {
				t.Errorf("%s\n%s, %v, %v", text, got.Value, got.Truncated, err)
			}
		}
	}
	t.Logf("%d texts", count)
}

// isPart tells whether a value is what was there of another when that was cut
// off.
func isPart(part, whole any) bool {
	switch part := part.(type) {
	case string:
		whole, ok := whole.(string)
		return ok && strings.HasPrefix(whole, part)
	case json.Number:
		whole, ok := whole.(json.Number)
		return ok && strings.HasPrefix(whole.String(), part.String())
	case []any:
		whole, ok := whole.([]any)
		if !ok || len(part) > len(whole) {
			return false
		}
		for i := range part {
			if !isPart(part[i], whole[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		whole, ok := whole.(map[string]any)
		for name, value := range part {
			if there, known := whole[name]; !ok || !known || !isPart(value, there) {
				return false
			}
		}
		return ok
	}
	return part == whole
}

package repair_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// A mutant is text that a model might write instead of some calls: their text in the format of a
// family, with marks and text removed, repeated or inserted, but never inside a value.
type mutant struct {
	family, mutation, text string
	calls                  []call // the calls that the author wrote
	exact                  bool   // the text has the format of the family, with text before it
	mimic                  bool   // the family writes the same text for other calls
}

// marks are inserted or repeated by mutations.
var marks = []string{
	"<tool_call>", "</tool_call>", "<function=now>", "</function>", "<parameter=mode>", "</parameter>", "<arg_key>mode</arg_key>", "<arg_value>", "</arg_value>",
	"<invoke name=\"now\">", "</invoke>", "[TOOL_CALLS]", "[ARGS]", "<|tool_call_end|>", "<|python_tag|>", "✿RESULT✿", "Action: \n", "Observation: x", "\nThought: x\n",
	"```", "```json\n", "~~~", "<think>", "</think>", "<!--", "-->", "\n", " ", "\n\n", "so ", "\nI will not.\n", "> ", "- ", "# ", "`", "\"\"\"", "<b>", "</s>", "<|im_end|>", ",", ";", "]", "}", ")",
}

// introductions are texts before calls.
var introductions = []string{
	"", "Let me look.\n", "I'll do it (it's \"easy\").\n\n", "<think>\n<tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call>\nnow()\n</think>\n", "Hm: now().\n</think>\n", "It is 5\" or {x}, see `<tool_call>`.\n",
	"```go\nfunc f() {}\n```\n", "{\"answer\": [1, \"x\"]}\n", "- a\n- b\n\n", "> now()\n\n",
}

// newMutant makes a mutant at random, with a content that holds one text in each call.
func newMutant(r *rand.Rand, content string) mutant {
	e := envelopes[r.IntN(len(envelopes))]
	pick := func() string {
		text := content
		for range 1 + r.IntN(3) {
			switch piece := pieces()[r.IntN(len(pieces()))]; r.IntN(4) {
			case 0:
				text = piece
			case 1:
				text += piece
			case 2:
				text = piece + "\n" + text
			default:
				text += " x " + piece
			}
		}
		return text
	}
	m := mutant{family: e.name}
	var skeleton []call
	for i := range 1 + r.IntN(3) {
		if r.IntN(4) == 0 {
			m.calls = append(m.calls, call{"now", json.RawMessage(`{}`)})
			skeleton = append(skeleton, m.calls[i])
			continue
		}
		format := []string{`{"content":@}`, `{"path":"PATHNAME","content":@}`, `{"path":"PATHNAME","content":@,"mode":"MODENAME"}`}[r.IntN(3)]
		m.calls = append(m.calls, call{"write_file", json.RawMessage(strings.Replace(format, "@", quote(pick()), 1))})
		skeleton = append(skeleton, call{"write_file", json.RawMessage(strings.Replace(format, "@", `"`+placeholder+`"`, 1))})
	}
	m.mimic = isMimic(e, m.calls)
	whole := e.write(skeleton)
	parts, fixed := valueNames.Split(whole, -1), valueNames.FindAllString(whole, -1)
	mutate := textMutations[r.IntN(len(textMutations))]
	m.mutation, m.exact = mutate.name, mutate.exact
	mutate.parts(r, parts)
	written := slices.DeleteFunc(slices.Clone(m.calls), func(c call) bool { return c.Name == "now" })
	skeleton = slices.DeleteFunc(skeleton, func(c call) bool { return c.Name == "now" })
	text := parts[0]
	for i, value := range fixed {
		if value == placeholder {
			value = encoded(e, skeleton[0], written[0])
			skeleton, written = skeleton[1:], written[1:]
		}
		text += value + parts[i+1]
	}
	m.text = mutate.whole(r, text)
	return m
}

// pieces are what the contents are made of.
var pieces = sync.OnceValue(func() []string { return slices.Concat(contents, writtenCalls()) })

// tags are what a family has around values.
var tags = regexp.MustCompile(`<[^<>\n]*>|\[/?[A-Z_]+\]|[\[\]{}(),"']|[A-Z]\w+( \w+)?:`)

// valueNames are the values of other arguments, and the placeholder.
var valueNames = regexp.MustCompile("PATHNAME|MODENAME|" + placeholder)

// placeholder stands for the content of a call. It needs no escapes in any family.
const placeholder = "PLACEHOLDER"

// encoded returns the content of a call as the family writes it.
func encoded(e envelope, skeleton, c call) string {
	before, after, _ := strings.Cut(e.write([]call{skeleton}), placeholder)
	return strings.TrimSuffix(strings.TrimPrefix(e.write([]call{c}), before), after)
}

// textMutations change the text around values.
var textMutations = []struct {
	name  string
	exact bool
	parts func(r *rand.Rand, parts []string)
	whole func(r *rand.Rand, text string) string
}{
	{"none", true, keepParts, keepText},
	{"text before", true, keepParts, func(r *rand.Rand, text string) string { return introductions[r.IntN(len(introductions))] + text }},
	{"space after", true, keepParts, func(r *rand.Rand, text string) string { return text + strings.Repeat("\n", r.IntN(3)) }},
	{"text after", false, keepParts, func(r *rand.Rand, text string) string { return text + "\nI will not do that." }},
	{"mark after", false, keepParts, func(r *rand.Rand, text string) string { return text + "\n" + marks[r.IntN(len(marks))] }},
	{"mark before", false, keepParts, func(r *rand.Rand, text string) string { return marks[r.IntN(len(marks))] + text }},
	{"in a sentence", false, keepParts, func(r *rand.Rand, text string) string { return "Never write " + text }},
	{"cut off", false, keepParts, func(r *rand.Rand, text string) string { return text[:r.IntN(len(text)+1)] }},
	{"twice", false, keepParts, func(r *rand.Rand, text string) string { return text + "\n" + text }},
	{"twice with text", false, keepParts, func(r *rand.Rand, text string) string { return text + "\nor\n" + text }},
	{"mark put in", false, putMark, keepText},
	{"tag lost", false, loseTag, keepText},
	{"tag repeated", false, repeatTag, keepText},
	{"tag lost, text before", false, loseTag, func(r *rand.Rand, text string) string { return introductions[r.IntN(len(introductions))] + text }},
	{"line lost", false, loseLine, keepText},
}

func keepParts(*rand.Rand, []string)            {}
func keepText(_ *rand.Rand, text string) string { return text }

// margin is how many bytes next to a value are a part of its format, such as its quotes: a
// mark there would be in the value.
const margin = 4

// putMark puts a mark between values.
func putMark(r *rand.Rand, parts []string) {
	i := r.IntN(len(parts))
	from, to := 0, len(parts[i])
	if i > 0 {
		from = min(margin, to)
	}
	if i < len(parts)-1 {
		to -= margin
	}
	if from > to {
		return
	}
	at := from + r.IntN(to-from+1)
	for at > 0 && at < len(parts[i]) && !utf8.RuneStart(parts[i][at]) {
		at--
	}
	parts[i] = parts[i][:at] + marks[r.IntN(len(marks))] + parts[i][at:]
}

// tagAt returns the place of a tag or bracket between values, at random.
func tagAt(r *rand.Rand, parts []string) (part, from, to int, ok bool) {
	part = r.IntN(len(parts))
	var all [][]int
	for _, at := range tags.FindAllStringIndex(parts[part], -1) {
		if i := max(0, at[0]-2); !strings.Contains(parts[part][i:min(len(parts[part]), at[1]+2)], `"""`) { // a fourth quote is in the value
			all = append(all, at)
		}
	}
	if len(all) == 0 {
		return 0, 0, 0, false
	}
	at := all[r.IntN(len(all))]
	return part, at[0], at[1], true
}

func loseTag(r *rand.Rand, parts []string) {
	if i, from, to, ok := tagAt(r, parts); ok {
		parts[i] = parts[i][:from] + parts[i][to:]
	}
}

func repeatTag(r *rand.Rand, parts []string) {
	if i, from, to, ok := tagAt(r, parts); ok {
		parts[i] = parts[i][:to] + parts[i][from:to] + parts[i][to:]
	}
}

func loseLine(r *rand.Rand, parts []string) {
	i := r.IntN(len(parts))
	lines := strings.SplitAfter(parts[i], "\n")
	if len(lines) > 2 {
		lines = slices.Delete(lines, 1, 2)
	}
	parts[i] = strings.Join(lines, "")
}

// check fails if a call runs that the author did not write.
func (m mutant) check(t *testing.T) (outcome string) {
	t.Helper()
	if m.mimic {
		return "mimics others"
	}
	got, err := repair.Requests(m.text, writeFile, now, search)
	left := m.calls
	if m.mutation == "twice" || m.mutation == "tag repeated" {
		left = append(slices.Clone(left), left...)
	}
	runs := 0
	for _, g := range got {
		if g.Truncated || !isPossible(g) {
			continue // a registry rejects it
		}
		runs++
		i := slices.IndexFunc(left, func(c call) bool { return isWritten(g, c) })
		if i < 0 && m.mimics(got) {
			return "mimics others"
		}
		if i < 0 {
			t.Errorf("%s, %s: nobody wrote %s, %v; written were %s\n%s", m.family, m.mutation, formatRequests([]tool.Request{g}, nil), err, m.calls, m.text)
			return "wrong"
		}
		left = left[i+1:]
	}
	switch {
	case m.exact && err == nil && runs < len(m.calls):
		t.Errorf("%s, %s: %d calls of %d, without an error\n%s", m.family, m.mutation, runs, len(m.calls), m.text)
		return "wrong"
	case runs == 0:
		return "refused"
	case runs == len(m.calls):
		return "read"
	}
	return "partly read"
}

// isMimic reports whether the text without a mutation is also what the family writes for
// other calls: then nobody can tell.
func isMimic(e envelope, calls []call) bool {
	text := e.write(calls)
	got, err := repair.Requests(text, writeFile, now, search)
	return err == nil && describeDifference(got, calls, false) != "" && mimics(e, got, text)
}

// mimics reports whether the text, after an introduction, is what the family writes for the
// calls that were read: a content has an end tag, and the mutation took the real one.
func (m mutant) mimics(got []tool.Request) bool {
	i := slices.IndexFunc(envelopes, func(e envelope) bool { return e.name == m.family })
	return slices.ContainsFunc(introductions, func(text string) bool {
		rest, ok := strings.CutPrefix(m.text, text)
		return ok && mimics(envelopes[i], got, strings.TrimRight(rest, "\n"))
	})
}

// isPossible reports whether a registry runs a call: the tool is there, and the arguments fit
// its schema.
func isPossible(g tool.Request) bool {
	for _, d := range []tool.Definition{writeFile, now, search} {
		if d.Name == g.Name {
			return schema.Validate(d.Input, json.RawMessage(cmp.Or(string(g.Arguments), "{}"))) == nil
		}
	}
	return false
}

// isWritten reports whether a call that runs is one that was written, with nothing changed.
func isWritten(got tool.Request, c call) bool {
	arguments := map[string]json.RawMessage{}
	if len(got.Arguments) > 0 && json.Unmarshal(got.Arguments, &arguments) != nil || got.Name != c.Name {
		return false
	}
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(c.Arguments, &whole); err != nil {
		panic(err)
	}
	for name, value := range arguments {
		if want, ok := whole[name]; !ok || !oneOf(value, []json.RawMessage{want}) {
			return false
		}
	}
	return len(arguments) == len(whole)
}

var mutants = flag.Int("mutants", 5000, "how many mutated texts to read")

// TestTextCalls reads mutated texts of calls. No call runs with anything that the author did
// not write.
func TestTextCalls(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	number := *mutants
	if testing.Short() {
		number /= 10
	}
	for seed := range number {
		m := newMutant(rand.New(rand.NewPCG(uint64(seed), 1)), "")
		counts[m.mutation+": "+m.check(t)]++
	}
	for _, outcome := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%6d %s", counts[outcome], outcome)
	}
}

// FuzzTextCalls is TestTextCalls with other contents.
func FuzzTextCalls(f *testing.F) {
	for i, content := range contents {
		f.Add(content, uint64(i))
	}
	f.Fuzz(func(t *testing.T, content string, seed uint64) {
		if utf8.ValidString(content) && !strings.Contains(content, placeholder) {
			newMutant(rand.New(rand.NewPCG(seed, 2)), content).check(t)
		}
	})
}

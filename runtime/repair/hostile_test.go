package repair

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/repair/internal/calls"
	"github.com/aiongen/aiongen/runtime/repair/internal/fit"
)

// A shape is a text that is slow to read: a repeated unit.
type shape struct{ name, head, unit string }

var hostile = []shape{
	{"brackets", "", "["},
	{"braces", "", "{"},
	{"braces and names", "", `{"a":`},
	{"brackets in words", "", "[a "},
	{"closers", "[", "}"},
	{"closers deep", strings.Repeat("[", 9000), "}"},
	{"mixed", "", "[{"},
	{"quotes", "", `"`},
	{"quotes in a string", `{"a": "`, `" b `},
	{"quotes and commas", `{"a": "`, `", "b`},
	{"curly quotes", `["a`, `", “b`},
	{"single quotes", `['`, `', "b`},
	{"triple quotes", `[`, `"""a`},
	{"backslashes", `["`, `\`},
	{"escaped quotes", ``, `{\"a\":`},
	{"fences", "", "```json\n"},
	{"fences in a string", "```\n{\"a\": \"", "\n```\n{\""},
	{"half tags", "", "<think>"},
	{"tags", "", "<tool_call>{"},
	{"open comments", "[", `"a" /*`},
	{"line comments", "[", `]//`},
	{"colons", `{"a"`, `:`},
	{"commas", `[`, `,`},
	{"words", `[`, `a `},
	{"word list", `[`, `a,`},
	{"names", `{`, `a:`},
	{"numbers", `[`, `1,`},
	{"number and words", `{"a":`, `1 a`},
	{"bare commas", `{"a": b`, `,b`},
	{"calls", `[`, `f(`},
	{"strings", `[`, `"a" `},
	{"concatenation", `[`, `"a"+`},
	{"nested text", ``, `{"a":"`},
	{"text of lists", `[`, `"["a`},
	{"sets", ``, `{a,`},
	{"prose", "", `see {x} or [y] `},
	{"blanks", "[", " \n"},
	{"quote and blanks", `["a`, "\"                                "},
	{"keys", `{"`, `a"b:`},
	{"ellipsis", `[`, `...,`},
	{"values", ``, `{} "`},
	{"blanks in words", `{"a": b`, "    \n  "},
	{"blanks everywhere", "", "[   \u00a0  \n"},
	{"commas and quotes", `["`, `,"`},
	{"colons and quotes", `{"a`, `": "`},
	{"lost ends", "", `{"a": "b, `},
	{"lost lines", `{"a": "b`, "\n\"c: "},
	{"brackets in strings", `["`, `]]]"`},
	{"members behind brackets", `[`, `{"a":1},"b":2}`},
	{"prefixes", `[`, `r"a`},
	{"wrapped", `[`, `Date("a`},
	{"wrapped lists", `[`, `set([`},
	{"wrapped numbers", `[`, `date(1,`},
	{"code in prose", "", `[f(x)] `},
	{"code in text", `{"a": "{"b": [`, `f(x,`},
	{"dates in text", `{"a": "{"b": [`, `date(1,1`},
	{"tags of calls", "", "<tool_call>"},
	{"calls without ends", "", `<tool_call>{"name":"f","arguments":{"a":"`},
	{"elements without ends", "", `<invoke name="f"><parameter name="a">x`},
	{"keys without values", "<tool_call>f", "<arg_key>a"},
	{"functions without ends", "", "<function=f>"},
	{"names of tools", "", "[TOOL_CALLS]f "},
	{"actions", "", "Action: f\nAction Input: "},
	{"printed", "", "print("},
	{"Python without ends", "", "f(a=\"\n"},
	{"Python arguments", "f(", "a=1,"},
	{"Python lists", "", "[f(a=["},
	{"results", "", "<tool_response>"},
	{"mentions", "", `"<tool_call>f" `},
	{"quoted lines", "", "> <tool_call>f\n"},
	{"doubtful strings", `["`, `"a" <tool_call>`},
	{"lost text", "<function=f>", "</x>a"},
	{"blocks", "", "if a:\n f(a=1)\n"},
	{"deep blocks", "if a:\n", " if a:\n"},
	{"statements", "", "f(a=1);"},
	{"fenced results", "", "x ```tool_output "},
	{"programs", "```\n", "f(a=1)\nx\n"},
	{"rivals", `{"name":"f","arguments":{"a":1},`, `"args":{"a":2},`},
	{"inner calls", `{"arguments":[1,1,1,1,1,1,1,1],`, `"call":{"args":[1,1,1,1]},`},
	{"half tokens", "", "<|"},
	{"half bars", "", "<｜"},
	{"ends of thoughts", "[", `"</think>",`},
	{"strings behind thoughts", "", `<think></think>"a`},
	{"tuples behind thoughts", "", `<think></think>("a`},
	{"fences in Markdown", "", "**```json\n"},
	{"comments behind thoughts", "", `a="</think>"/*<think>`},
	{"values in lines", "", "{\"a\":\n"},
	{"values in sentences", "", "a {\"a\": "},
	{"values in lines of sentences", "", "a {\"a\": \n"},
	{"open strings in lines", "", "{\"a\": \"\n"},
	{"lists in lines", "", "[{\n"},
	{"backticks", "", "` `` ``` "},
	{"backticks in lines", "", "a ```` `\n"},
	{"fences of one line", "", "x ```a\n"},
	{"triple quotes in lines", "", "\"\"\" '''\n"},
	{"mentioned marks", "", "a <tool_call> "},
	{"mentioned calls", "", "a <function=f><parameter=a>x\n"},
	{"mentioned functions", "", "a <function=f> "},
	{"mentioned objects", "", "a <tool_call>{\"name\": \"f\"} "},
	{"calls in lines", "", "<tool_call><function=f><parameter=a>x\n"},
	{"calls and text", "", "now()\ntext\n"},
	{"opening tags in a value", "<function=f><parameter=a>", "<parameter=b>"},
	{"end tags in a value", "<function=f><parameter=a>", "</parameter> x "},
	{"elements in a value", "<function=f><parameter=a>", "<parameter=b></parameter>\n"},
	{"arguments", "<function=f>", "<parameter=a>x</parameter>"},
	{"keys and values", "<tool_call>f", "<arg_key>a</arg_key><arg_value>b</arg_value>"},
	{"ends of calls in a value", "<function=f><parameter=a>", "</parameter></function></tool_call>"},
	{"tokens", "", "<|a|>"},
	{"headers", "", "assistant<|a|>"},
	{"actions with text", "", "Action: f\nAction Input: x\nObservation: "},
	{"strings between marks", "<start_function_call>call:f{", "a:<escape>x"},
	{"thoughts in lines", "", "<think>x</think>\n{\"a\":1}\n"},
	{"ends of thoughts in lines", "", "</think>\n"},
	{"comments in lines", "", "<!-- x\n"},
	{"indented lines", "", "                x\n"},
	{"broken calls in lines", "", "<tool_call>{\"name\": }</tool_call>\n"},
	{"Python strings", "f(a='''", "\\'''"},
}

func (h shape) text(size int) string {
	return h.head + strings.Repeat(h.unit, max(0, size-len(h.head))/len(h.unit))
}

var large = flag.Int("large", 64<<10, "size of the largest hostile texts, in bytes")

// maxSteps limits how often a byte may be examined, on average.
const maxSteps = 24

// maxBytes limits the memory that is allocated per byte of a text, on average.
const maxBytes = 1000

// TestSteps checks that the steps of reading grow linearly with the text. Measuring time would be less
// reliable.
func TestSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("this counts the work of one goroutine, which takes long under the race detector")
	}
	t.Parallel()
	for _, h := range hostile {
		var perByte [2][2]float64
		for i, size := range []int{8 << 10, *large} {
			text := h.text(size)
			f := fit.NewFinder(text, 0, nil)
			f.Find()
			c := calls.Read(text, nil)
			perByte[i] = [2]float64{float64(f.Steps) / float64(len(text)), float64(c.Steps) / float64(len(text))}
		}
		for k, name := range []string{"JSON", "Requests"} {
			least, most := perByte[0][k], perByte[1][k]
			if most > maxSteps || most > 1.5*least+1 {
				t.Errorf("%s of %s: %.1f steps a byte of few, %.1f of many", name, h.name, least, most)
			}
		}
	}
}

// TestArgumentsBounded checks, by memory, that reading arguments takes linear time, even with a
// recursive type.
func TestArgumentsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("this counts the work of one goroutine, which takes long under the race detector")
	}
	const recursive = 5
	for _, h := range hostile {
		text := h.text(*large)
		bounded(t, text, func() { _, _ = Arguments(text, json.RawMessage(fuzzedSchemas[recursive])) })
	}
}

// maxDepth is the maximum nesting of values.
const maxDepth = 10_000

// TestDeep checks that nesting that is too deep is an error everywhere.
func TestDeep(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("[", maxDepth+1), strings.Repeat(`{"a":`, maxDepth+1), `see: ` + strings.Repeat("[1,", maxDepth+1), strings.Repeat("(", maxDepth+1),
	} {
		_, err := JSON(text, nil)
		var e *Error
		if !errors.As(err, &e) || e.Code() != "too_deep" && text[0] != '(' {
			t.Errorf("%.20s: %v", text, err)
		}
	}
	deep := strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)
	if got, err := JSON(deep, nil); err != nil || string(got.Value) != deep {
		t.Error(err)
	}
}

// TestLong checks that a text above the limit is not read at all.
func TestLong(t *testing.T) {
	text := strings.Repeat(" ", maxSize) + "1"
	if n := testing.AllocsPerRun(1, func() {
		_, err := JSON(text, nil)
		_, more := Requests(text)
		_, again := Arguments(text, nil)
		for _, err := range []error{err, more, again} {
			var e *Error
			if !errors.As(err, &e) || e.Code() != "too_long" {
				t.Error(err)
			}
		}
	}); n > 20 {
		t.Errorf("%v allocations", n)
	}
}

// TestBudget checks that a schema with nested alternatives does not make arguments more expensive than
// the limit.
func TestBudget(t *testing.T) {
	schema := json.RawMessage(`{"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}},
		"additionalProperties": false}, {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}, "b": {"$ref": "#/$defs/a"}}, "additionalProperties": false}]}}}`)
	text := strings.Repeat(`{"a":`, 200) + `1` + strings.Repeat("}", 200)
	if _, err := Arguments(text, schema); err == nil {
		t.Error("no error")
	}
}

// TestEndsOfThoughts checks that the text before each closing mark is not read again, which would take
// minutes for this text.
func TestEndsOfThoughts(t *testing.T) {
	text := `["` + strings.Repeat("</think>", maxSize/16) + `"]`
	if got, err := JSON(text, nil); err != nil || string(got.Value) != text {
		t.Error(err)
	}
}

// TestManyWays checks that the cost of a schema does not depend on the number of paths through it:
// here a thousand times a thousand to the third level.
func TestManyWays(t *testing.T) {
	var b strings.Builder
	for i := range 3 {
		fmt.Fprintf(&b, `"a%d":{"anyOf":[%s{"$ref":"#/$defs/a3"}]},`, i, strings.Repeat(fmt.Sprintf(`{"$ref":"#/$defs/a%d"},`, i+1), 1000))
	}
	schema := fmt.Sprintf(`{"type":"object","properties":{"p":{"$ref":"#/$defs/a0"}},"$defs":{%s"a3":{"not":{}}}}`, b.String())
	for _, text := range []string{`{"p": {"q": [1], "r": null}}`, `{"p": [{"q": 1}]}`, `{"p": "x"}`} {
		if _, err := Arguments(text, json.RawMessage(schema)); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}

// BenchmarkHostile reads a mebibyte of text that is slow to read. It reports the minimum time, the
// time per byte relative to that for a kibibyte, the allocated bytes per byte, and the time relative
// to that of encoding/json for a list of one-digit numbers, which has as many values as a text can
// have.
func BenchmarkHostile(b *testing.B) {
	var list float64 // nanoseconds a byte
	run := func(name string, h shape, read func(text string)) {
		b.Run(strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
			large, small := h.text(1<<20), h.text(1<<10)
			before := allocated()
			perByte := fastest(b.Loop, func() { read(large) }) / float64(len(large))
			perByteAllocated := float64(allocated()-before) / float64(b.N) / float64(len(large))
			rounds := 3
			perByteOfFew := fastest(func() bool { rounds--; return rounds >= 0 }, func() {
				for range 1 << 10 {
					read(small)
				}
			}) / float64(len(small)<<10)
			if list == 0 {
				list = perByte
			}
			b.ReportMetric(perByte*(1<<20)/1e6, "ms/MiB")
			b.ReportMetric(perByte/perByteOfFew, "x1KiB")
			b.ReportMetric(perByte/list, "xjson")
			b.ReportMetric(perByteAllocated, "B/B")
			b.ReportMetric(0, "ns/op")
		})
	}
	run("encoding/json", shape{"", "", "1,"}, func(text string) {
		var v any
		if err := json.Unmarshal([]byte("["+text+"1]"), &v); err != nil {
			b.Fatal(err)
		}
	})
	for _, h := range hostile {
		run(h.name+"/JSON", h, func(text string) { JSON(text, nil) })
		run(h.name+"/Requests", h, func(text string) { Requests(text) })
	}
}

// fastest returns the minimum time of run in nanoseconds. It measures fast functions more often.
func fastest(more func() bool, run func()) float64 {
	best := time.Duration(math.MaxInt64)
	for more() {
		start := time.Now()
		run()
		best = min(best, time.Since(start))
	}
	return float64(best.Nanoseconds())
}

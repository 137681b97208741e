package repair

import (
	"strings"
	"syscall"
	"testing"
)

// hostile are texts made to be slow: each is repeated up to a size.
var hostile = []struct{ name, head, unit, tail string }{
	{"brackets", "", "[", ""},
	{"braces", "", "{", ""},
	{"braces and names", "", `{"a":`, ""},
	{"brackets in words", "", "[a ", ""},
	{"closers", "[", "}", ""},
	{"closers deep", strings.Repeat("[", 9000), "}", ""},
	{"mixed", "", "[{", ""},
	{"quotes", "", `"`, ""},
	{"quotes in a string", `{"a": "`, `" b `, ""},
	{"quotes and commas", `{"a": "`, `", "b`, ""},
	{"curly quotes", `["a`, `", “b`, ""},
	{"single quotes", `['`, `', "b`, ""},
	{"triple quotes", `[`, `"""a`, ""},
	{"backslashes", `["`, `\`, ""},
	{"escaped quotes", ``, `{\"a\":`, ""},
	{"fences", "", "```json\n", ""},
	{"fences in a string", "```\n{\"a\": \"", "\n```\n{\"", ""},
	{"half tags", "", "<think>", ""},
	{"tags", "", "<tool_call>{", ""},
	{"open comments", "[", `"a" /*`, ""},
	{"line comments", "[", `]//`, ""},
	{"colons", `{"a"`, `:`, ""},
	{"commas", `[`, `,`, ""},
	{"words", `[`, `a `, ""},
	{"word list", `[`, `a,`, ""},
	{"names", `{`, `a:`, ""},
	{"numbers", `[`, `1,`, ""},
	{"number and words", `{"a":`, `1 a`, ""},
	{"bare commas", `{"a": b`, `,b`, ""},
	{"calls", `[`, `f(`, ""},
	{"strings", `[`, `"a" `, ""},
	{"concatenation", `[`, `"a"+`, ""},
	{"nested text", ``, `{"a":"`, ""},
	{"text of lists", `[`, `"["a`, ""},
	{"sets", ``, `{a,`, ""},
	{"prose", "", `see {x} or [y] `, ""},
	{"blanks", "[", " \n", ""},
	{"quote and blanks", `["a`, "\"                                ", ""},
	{"keys", `{"`, `a"b:`, ""},
	{"ellipsis", `[`, `...,`, ""},
	{"values", ``, `{} "`, ""},
}

func text(size int, head, unit, tail string) string {
	return head + strings.Repeat(unit, (size-len(head)-len(tail))/len(unit)) + tail
}

func BenchmarkHostile(b *testing.B) {
	for _, h := range hostile {
		t := text(1<<20, h.head, h.unit, h.tail)
		b.Run(strings.ReplaceAll(h.name, " ", "_"), func(b *testing.B) {
			b.SetBytes(int64(len(t)))
			b.ReportAllocs()
			var before, after syscall.Rusage
			syscall.Getrusage(syscall.RUSAGE_SELF, &before)
			for b.Loop() {
				JSON(t, nil)
			}
			syscall.Getrusage(syscall.RUSAGE_SELF, &after)
			b.ReportMetric(float64(after.Utime.Nano()-before.Utime.Nano()+after.Stime.Nano()-before.Stime.Nano())/float64(b.N)/1e6, "cpu-ms")
		})
	}
}

const mostSteps = 64

func TestLinear(t *testing.T) {
	steps := func(text string) int {
		f := newFinder(text, nil)
		f.find()
		return f.steps
	}
	for _, h := range hostile {
		small, large := steps(text(1<<14, h.head, h.unit, h.tail)), steps(text(1<<18, h.head, h.unit, h.tail))
		t.Logf("%-20s %8.1f %8.1f steps a byte", h.name, float64(small)/(1<<14), float64(large)/(1<<18))
	}
}

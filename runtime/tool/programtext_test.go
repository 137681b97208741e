package tool

import (
	"regexp"
	"testing"
)

// programText is describesProgram in short.
var programText = regexp.MustCompile(`\.go:\d|^goroutine |\b0x[0-9a-f]{4,}|\*\w+\.\w|interface ?\{|runtime error: |^reflect\b`)

func FuzzDescribesProgram(f *testing.F) {
	for _, text := range []string{
		"", "it is closed", "fault at main.go:7", "main.go: 7", ".go:", "goroutine 1 [running]:", "a goroutine 1", "at 0xc000", "at 0xc00", "1x0xc000", "0x", "-0xc000ff",
		"x is *tool.Call", "2 *x.", "2 * x.y", "**x.y", "*", "interface {} is int", "interface{}", "an interface", "runtime error: x", "reflect: call", "reflected", "to reflect",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := describesProgram(text), programText.MatchString(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	})
}

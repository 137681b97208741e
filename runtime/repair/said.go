package repair

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/calls"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// Said returns what a model says in a text, without the space around it and without
// what it thought: that is in tags such as <think> which begin a line outside of
// fences, and what is not closed is thought to the end; or it is all before the end of
// such a tag that never began.
func Said(text string) string {
	var b strings.Builder
	for rest, fence := text, ""; rest != ""; {
		line, _, _ := strings.Cut(rest, "\n")
		begin := strings.TrimLeft(line, " \t\r")
		if end := thoughtEnd(rest[len(line)-len(begin):], fence); end > 0 {
			rest = rest[len(line)-len(begin)+end:]
			continue
		}
		if mark := begin[:min(len(begin), 3)]; fence == "" && (mark == "```" || mark == "~~~") {
			fence = mark
		} else if fence != "" && mark == fence {
			fence = ""
		}
		whole := min(len(line)+1, len(rest))
		b.WriteString(rest[:whole])
		rest = rest[whole:]
	}
	said := b.String()
	return strings.TrimSpace(said[calls.AfterThoughts(said):])
}

// thoughtEnd returns where what a text begins with is thought to its end; 0 if that is
// no thought.
func thoughtEnd(text, fence string) int {
	for _, e := range scan.Thoughts {
		if fence == "" && strings.HasPrefix(text, e.Open) {
			if end := strings.Index(text, e.Close); end >= 0 {
				return end + len(e.Close)
			}
			return len(text)
		}
	}
	return 0
}

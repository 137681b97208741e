package replay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
)

// Bounds of what an error shows of a difference.
const (
	mostLines   = 6
	longestLine = 160 // bytes
)

// unlike says why there is no answer to a request: of the recorded ones whose
// answers were not given yet, it shows where the nearest one differs.
func (m *Model) unlike(key string) string {
	asked := strings.Split(key, "\n")
	nearest, most := -1, -1
	given := 0
	for i, x := range m.exchanges {
		if !slices.Contains(m.unused[x.key], i) {
			given++
			if x.key == key {
				return fmt.Sprintf("the answer to request %d of the recording was given already, and there is no other", i+1)
			}
			continue
		}
		recorded := strings.Split(x.key, "\n")
		head, tail := alike(recorded, asked)
		if head+tail > most {
			nearest, most = i, head+tail
		}
	}
	if nearest < 0 {
		return fmt.Sprintf("the recording has no answer left, all %d were given", given)
	}
	return fmt.Sprintf("the request is not in the recording; request %d of %d, the nearest that was not answered yet, differs in %s",
		nearest+1, len(m.exchanges), difference(strings.Split(m.exchanges[nearest].key, "\n"), asked))
}

// alike counts the lines at the beginning and at the end that are the same.
func alike(a, b []string) (head, tail int) {
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// difference names the first member of the request that differs, and shows the
// lines in it that do.
func difference(recorded, asked []string) string {
	head, _ := alike(recorded, asked)
	name := ""
	for i := min(head, len(recorded)-1); i >= 0 && name == ""; i-- {
		name = member(recorded[i])
	}
	before, after := untilMember(recorded[head:]), untilMember(asked[head:])
	_, tail := alike(before, after)
	before, after = before[:len(before)-tail], after[:len(after)-tail]
	skip := 0
	if len(before) > 0 && len(after) > 0 {
		skip = same(before[0], after[0])
	}
	var b strings.Builder
	b.WriteString(name + ":")
	show(&b, "- recorded: ", before, skip)
	show(&b, "+ asked:    ", after, skip)
	return b.String()
}

// member returns the name of the member of the request that begins in a line, if
// one does.
func member(line string) string {
	name, begins := strings.CutPrefix(line, `  "`)
	if !begins {
		return ""
	}
	name, _, _ = strings.Cut(name, `"`)
	return name
}

// untilMember returns the lines before the next member of the request begins.
func untilMember(lines []string) []string {
	for i := 1; i < len(lines); i++ {
		if member(lines[i]) != "" {
			return lines[:i]
		}
	}
	return lines
}

// same counts the bytes at the beginning that two lines have in common.
func same(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// show writes lines; of the first one, skip bytes are the same in another line.
func show(b *strings.Builder, lead string, lines []string, skip int) {
	for i, line := range lines {
		if i == mostLines {
			b.WriteString("\n" + lead + "… and " + words.Count(len(lines)-i, "more line"))
			return
		}
		if i > 0 || skip < longestLine/2 {
			skip = longestLine / 4
		}
		b.WriteString("\n" + lead + excerpt(line, skip-longestLine/4))
	}
}

// excerpt returns what of a line is shown, beginning at a byte.
func excerpt(line string, from int) string {
	part, head, tail := line[from:], "", ""
	if from > 0 {
		head = "…"
	}
	if len(part) > longestLine {
		part, tail = part[:longestLine], "…"
	}
	return head + strings.TrimSpace(strings.ToValidUTF8(part, "")) + tail
}

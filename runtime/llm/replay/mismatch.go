package replay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
)

// Limits of the excerpts in an error about a difference.
const (
	maxLines      = 6
	maxLineLength = 160 // in bytes
)

// recordAgain is the advice in the error for a request without an answer.
const recordAgain = "record the dialogue again if this change is intended"

// describeMismatch explains why there is no answer to a request. It describes how the request
// differs from the most similar recorded request whose answer has not been returned yet.
func (m *Model) describeMismatch(key string, means *meaning) string {
	nearest := m.findNearestUnused(key, means)
	if nearest < 0 {
		return fmt.Sprintf("the recording has no unused answer left, all %d were returned; %s", len(m.exchanges), recordAgain)
	}
	x := m.exchanges[nearest]
	var b strings.Builder
	if i := m.findUsed(key, means); i >= 0 {
		fmt.Fprintf(&b, "the answer to request %d of the recording was already used, and there is no other one; the most similar unused one, request %d of %d, differs in ", i+1, nearest+1, len(m.exchanges))
	} else {
		fmt.Fprintf(&b, "the request is not in the recording; the most similar unused one, request %d of %d, differs in ", nearest+1, len(m.exchanges))
	}
	if means != nil && x.meaning != nil && *means != *x.meaning {
		fmt.Fprintf(&b, "its meaning:\n- recorded: %s\n+ sent:     %s\n", x.meaning, means)
		if x.key != key {
			b.WriteString("and in ")
		}
	}
	if x.key != key {
		b.WriteString(describeDifference(strings.Split(x.key, "\n"), strings.Split(key, "\n")) + "\n")
	}
	if means != nil && m.old {
		b.WriteString("The recording is in an old format, in which requests match only by their text: ")
	}
	return b.String() + recordAgain
}

// findUsed returns the index of a used exchange that matches the request, or -1.
func (m *Model) findUsed(key string, means *meaning) int {
	return slices.IndexFunc(m.exchanges, func(x exchange) bool { return x.used && (x.key == key || m.sameMeaning(x, means)) })
}

// findNearestUnused returns the index of the unused exchange with the most similar request, or -1. The
// similarity of texts matters only if several meanings are equally similar.
func (m *Model) findNearestUnused(key string, sentMeaning *meaning) int {
	sent := strings.Split(key, "\n")
	nearest, bestMeaning, bestText := -1, -1, -1
	for i, x := range m.exchanges {
		if x.used {
			continue
		}
		similarity := 0
		if sentMeaning != nil && x.meaning != nil && !m.exact {
			similarity = sentMeaning.similarity(*x.meaning)
		}
		head, tail := words.CommonLines(strings.Split(x.key, "\n"), sent)
		if similarity > bestMeaning || similarity == bestMeaning && head+tail > bestText {
			nearest, bestMeaning, bestText = i, similarity, head+tail
		}
	}
	return nearest
}

// describeDifference names the first member in which two requests differ, and shows the lines of
// this member that differ.
func describeDifference(recorded, sent []string) string {
	head, _ := words.CommonLines(recorded, sent)
	name := ""
	for i := min(head, len(recorded)-1); i >= 0 && name == ""; i-- {
		name = memberName(recorded[i])
	}
	before, after := linesUntilMember(recorded[head:]), linesUntilMember(sent[head:])
	_, tail := words.CommonLines(before, after)
	before, after = before[:len(before)-tail], after[:len(after)-tail]
	skip := 0
	if len(before) > 0 && len(after) > 0 {
		skip = commonPrefix(before[0], after[0])
	}
	var b strings.Builder
	b.WriteString(name + ":")
	writeLines(&b, "- recorded: ", before, skip)
	writeLines(&b, "+ sent:     ", after, skip)
	return b.String()
}

// memberName returns the name of the member of the request that begins on the line, or "" if none
// begins there.
func memberName(line string) string {
	name, ok := strings.CutPrefix(line, `  "`)
	if !ok {
		return ""
	}
	name, _, _ = strings.Cut(name, `"`)
	return name
}

// linesUntilMember returns the lines before the next member of the request. The first line may
// begin a member itself.
func linesUntilMember(lines []string) []string {
	for i := 1; i < len(lines); i++ {
		if memberName(lines[i]) != "" {
			return lines[:i]
		}
	}
	return lines
}

// commonPrefix returns the length of the common prefix of two lines, in bytes.
func commonPrefix(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// writeLines writes lines to b, each with the prefix lead. The first skip bytes of the first line are
// the same in both requests; if that is long, writeLines omits most of it.
func writeLines(b *strings.Builder, lead string, lines []string, skip int) {
	for i, line := range lines {
		if i == maxLines {
			b.WriteString("\n" + lead + "… and " + words.Count(len(lines)-i, "more line"))
			return
		}
		if i > 0 || skip < maxLineLength/2 {
			skip = maxLineLength / 4
		}
		b.WriteString("\n" + lead + excerptLine(line, skip-maxLineLength/4))
	}
}

// excerptLine returns at most maxLineLength bytes of a line, starting at the byte from.
func excerptLine(line string, from int) string {
	part, head, tail := line[from:], "", ""
	if from > 0 {
		head = "…"
	}
	if len(part) > maxLineLength {
		part, tail = part[:maxLineLength], "…"
	}
	return head + strings.TrimSpace(strings.ToValidUTF8(part, "")) + tail
}

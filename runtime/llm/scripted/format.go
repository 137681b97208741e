package scripted

import (
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/llm"
)

// Format returns the text of a request that is compared with expectations. It contains the messages, but no
// settings of the request:
//
//	system: Be brief.
//	user: How is the weather in Oslo?
//	user part: image (image/png, 8 bytes)
//	assistant: Let me see.
//	call call_1: get_weather({"city":"Oslo"})
//	result call_1: "snow"
//
// If a text has several lines, all but the first one begin with "| ".
func Format(req llm.Request) string {
	var lines []string
	add := func(label, text string) {
		lines = append(lines, strings.TrimRight(label+": "+strings.ReplaceAll(text, "\n", "\n| "), " "))
	}
	for _, m := range req.Dialogue() {
		if m.Role == llm.RoleTool && m.Result != nil {
			add("result "+m.Result.ID, m.Content())
			continue
		}
		if m.Text != "" || len(m.Parts)+len(m.Calls) == 0 {
			add(string(m.Role), m.Text)
		}
		for _, p := range m.Parts {
			add(string(m.Role)+" part", p.String())
		}
		for _, call := range m.Calls {
			add("call "+call.ID, call.Name+"("+string(call.Arguments)+")")
		}
	}
	return strings.Join(lines, "\n")
}

// trimIndentation removes blank lines at the beginning and the end, and the indentation of the first remaining
// line from all lines.
func trimIndentation(text string) string {
	lines := strings.Split(strings.TrimRightFunc(text, unicode.IsSpace), "\n")
	for len(lines) > 1 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	indentation := lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], " \t"))]
	for i, line := range lines {
		lines[i] = strings.TrimRight(strings.TrimPrefix(line, indentation), " \t\r")
	}
	return strings.Join(lines, "\n")
}

// maxShownLines limits the number of equal lines that a difference shows before and after the lines that differ.
const maxShownLines = 3

// diffLines shows how two texts differ: their lines between the common beginning and the common end.
func diffLines(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	head, tail := words.CommonLines(a, b)
	var shown []string
	add := func(mark string, lines []string) {
		for _, line := range lines {
			shown = append(shown, mark+line)
		}
	}
	if head > maxShownLines {
		shown = append(shown, "  …")
	}
	add("  ", a[max(0, head-maxShownLines):head])
	add("- ", a[head:len(a)-tail])
	add("+ ", b[head:len(b)-tail])
	add("  ", a[len(a)-tail:len(a)-max(0, tail-maxShownLines)])
	if tail > maxShownLines {
		shown = append(shown, "  …")
	}
	return strings.Join(shown, "\n")
}

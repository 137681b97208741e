package syntax

import (
	"sort"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// The quotes of strings and text blocks.
const (
	StringQuote = `"`
	BlockQuote  = `"""`
)

// TextValue returns the value of a text, which is a string or text block of the notation. raw is
// the text as it is in the file, with its quotes.
func TextValue(raw string) string {
	var b strings.Builder
	for i, line := range splitTextLines(raw) {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line.text)
	}
	return b.String()
}

// QuoteText adds quotes to a value: those of a string, or of a text block if the value contains
// a quote. ok is false if neither can hold the value.
func QuoteText(text string) (quoted string, ok bool) {
	quoted = StringQuote + text + StringQuote
	if strings.Contains(text, StringQuote) {
		quoted = blockText(text)
	}
	return quoted, TextValue(quoted) == text
}

// blockText returns a text block for a string that contains quotes. content is the string
// without its outer quotes.
func blockText(content string) string {
	content = strings.ReplaceAll(content, `\"`, `"`)
	if strings.HasSuffix(content, `"`) {
		content += "\n"
	}
	return BlockQuote + content + BlockQuote
}

// An Index maps offsets in the value of a text to positions. Create one with NewIndex.
type Index struct {
	start, end diag.Pos
	lines      []textLine
	offsets    []int // where each line starts in the value of the text
}

// NewIndex returns the Index of a text that starts at start. raw is as for [TextValue].
func NewIndex(start diag.Pos, raw string) *Index {
	x := &Index{start: start, end: AdvancePos(start, raw), lines: splitTextLines(raw)}
	offset := 0
	for _, line := range x.lines {
		x.offsets = append(x.offsets, offset)
		offset += len(line.text) + len("\n")
	}
	return x
}

// Pos returns the position of the byte at an offset of the value. If the value is shorter,
// it returns the end of the text.
func (x *Index) Pos(offset int) diag.Pos {
	offset = max(0, offset)
	i := sort.SearchInts(x.offsets, offset+1) - 1
	if i < 0 {
		return x.end
	}
	line := x.lines[i]
	if offset -= x.offsets[i]; offset > len(line.text) {
		return x.end
	}
	// An invalid UTF-8 byte is U+FFFD in the value, which has three bytes, so the sum can be too large.
	at := min(line.at+offset, line.end)
	pos := diag.Pos{Offset: x.start.Offset + at, Line: x.start.Line + line.row, Column: at - line.start + 1}
	if line.row == 0 {
		pos.Column = x.start.Column + at
	}
	return pos
}

// textLine is a line of the value of a text.
type textLine struct {
	text       string
	at         int // offset of text in the raw text
	start, end int // offsets of the whole line in the raw text
	row        int // number of the line in the raw text, from 0
}

// splitTextLines returns the lines of the value of a text. raw is as for [TextValue].
func splitTextLines(raw string) []textLine {
	content, block := strings.CutPrefix(raw, BlockQuote)
	quote := BlockQuote
	if !block {
		quote = StringQuote
		content = strings.TrimPrefix(raw, quote)
	}
	at := len(raw) - len(content)
	content = strings.TrimSuffix(content, quote)
	var lines []textLine
	for line := range strings.SplitSeq(content, "\n") {
		text, start := line, at
		if len(lines) == 0 {
			start = 0
		}
		if at+len(line) < len(raw)-len(quote) {
			text = strings.TrimSuffix(line, "\r") // a line break may be CR LF
		}
		lines = append(lines, textLine{strings.ToValidUTF8(text, "\ufffd"), at, start, at + len(line), len(lines)})
		at += len(line) + len("\n")
	}
	if block {
		return trimLines(dedentLines(lines))
	}
	return lines
}

// dedentLines removes the common indentation of the non-blank lines after the first, and
// empties blank lines.
func dedentLines(lines []textLine) []textLine {
	common, found := "", false
	for i, line := range lines {
		content := strings.TrimLeft(line.text, " \t")
		switch {
		case strings.Trim(content, " \t\r") == "":
			lines[i].text = ""
			continue
		case i == 0:
			continue
		}
		indent := line.text[:len(line.text)-len(content)]
		if !found {
			common, found = indent, true
		}
		common = commonPrefix(common, indent)
	}
	for i := range lines {
		if i > 0 && lines[i].text != "" {
			lines[i].cutPrefix(len(common))
		}
	}
	return lines
}

// trimLines removes white space and blank lines at both ends.
func trimLines(lines []textLine) []textLine {
	for len(lines) > 0 && lines[0].text == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1].text == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) > 0 {
		first, last := &lines[0], &lines[len(lines)-1]
		first.cutPrefix(len(first.text) - len(strings.TrimLeft(first.text, " \t\r")))
		last.text = strings.TrimRight(last.text, " \t\r")
	}
	return lines
}

// cutPrefix removes n bytes from the start of the line.
func (l *textLine) cutPrefix(n int) {
	l.text = l.text[n:]
	l.at += n
}

func commonPrefix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

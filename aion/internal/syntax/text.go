package syntax

import "strings"

// The quotes of strings and text blocks.
const (
	StringQuote = `"`
	BlockQuote  = `"""`
)

// Value is what a text says, given as it stands in the source.
func Value(raw string) string {
	var b strings.Builder
	for i, line := range textLines(raw) {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line.text)
	}
	return b.String()
}

// Quote is a text as a string or, where that cannot hold it, as a text block. It is
// not ok if neither can.
func Quote(text string) (quoted string, ok bool) {
	quoted = StringQuote + text + StringQuote
	if strings.Contains(text, StringQuote) {
		quoted = asBlock(text)
	}
	return quoted, Value(quoted) == text
}

// asBlock is the content of a string with quotes in it as a text block.
func asBlock(content string) string {
	content = strings.ReplaceAll(content, `\"`, `"`)
	if strings.HasSuffix(content, `"`) {
		content += "\n"
	}
	return BlockQuote + content + BlockQuote
}

// Place returns the offset in a text, given as it stands in the source, of the byte
// of its value at an offset, or of the end.
func Place(raw string, offset int) int {
	offset = max(0, offset)
	for _, line := range textLines(raw) {
		if offset <= len(line.text) {
			return min(line.at+offset, len(raw)) // what is no UTF-8 is longer in the value
		}
		offset -= len(line.text) + len("\n")
	}
	return len(raw)
}

// textLine is a line of what a text says, with its offset in the source of the
// text.
type textLine struct {
	text string
	at   int
}

// textLines are the lines of a text, given as it stands in the source.
func textLines(raw string) []textLine {
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
		text := line
		if at+len(line) < len(raw)-len(quote) {
			text = strings.TrimSuffix(line, "\r") // a line break may be CR LF
		}
		lines = append(lines, textLine{strings.ToValidUTF8(text, "\ufffd"), at})
		at += len(line) + len("\n")
	}
	if block {
		return trimLines(dedent(lines))
	}
	return lines
}

// dedent removes the indentation that the non-blank lines after the first have
// in common, and empties blank lines.
func dedent(lines []textLine) []textLine {
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
			lines[i].cut(len(common))
		}
	}
	return lines
}

// trimLines removes white space at both ends.
func trimLines(lines []textLine) []textLine {
	for len(lines) > 0 && lines[0].text == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1].text == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) > 0 {
		first, last := &lines[0], &lines[len(lines)-1]
		first.cut(len(first.text) - len(strings.TrimLeft(first.text, " \t\r")))
		last.text = strings.TrimRight(last.text, " \t\r")
	}
	return lines
}

// cut removes n bytes from the start of the line.
func (l *textLine) cut(n int) {
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

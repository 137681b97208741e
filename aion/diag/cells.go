package diag

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

const (
	tabWidth    = 4   // columns that a tab takes
	windowWidth = 100 // largest number of columns that are shown of a line
	windowLead  = 40  // columns before the span that remain when a line is cut
)

// A cell is one character of a source line in the form that a terminal shows.
type cell struct {
	text   string // a rune, spaces for a tab, or an escape
	width  int    // in columns of the terminal
	offset int    // in bytes, in the line
}

// splitCells splits a line into cells. A byte order mark at its start counts as
// bytes, but is not shown.
func splitCells(line []byte) []cell {
	all := make([]cell, 0, len(line))
	for i := len(line) - len(bytes.TrimPrefix(line, []byte("\ufeff"))); i < len(line); {
		r, size := utf8.DecodeRune(line[i:])
		text, columns := renderRune(r, line[i:i+size])
		all = append(all, cell{text, columns, i})
		i += size
	}
	return all
}

// renderRune returns the text that is shown for a character, and its width in columns. raw
// contains the bytes of the character. Control characters become escapes, so that the
// terminal cannot interpret them.
func renderRune(r rune, raw []byte) (string, int) {
	switch {
	case ' ' <= r && r <= '~':
		return string(raw), 1 // a string of one byte needs no allocation
	case r == '\t':
		return strings.Repeat(" ", tabWidth), tabWidth
	case r == utf8.RuneError && len(raw) == 1, r < 0x80 && unicode.IsControl(r):
		return fmt.Sprintf(`\x%02x`, raw[0]), 4
	case isControl(r):
		text := fmt.Sprintf(`\u%04x`, r)
		return text, len(text)
	}
	return string(r), runeWidth(r)
}

// isControl reports whether terminals interpret a character instead of showing it:
// controls, line separators, and format characters such as those that change the
// direction of writing. The joiners inside emoji and scripts are allowed.
func isControl(r rune) bool {
	const zeroWidthNonJoiner, zeroWidthJoiner = '\u200c', '\u200d'
	if r == zeroWidthNonJoiner || r == zeroWidthJoiner {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// escapeControls escapes the control characters and line breaks of a text, for one line of a
// terminal.
func escapeControls(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r == utf8.RuneError || isControl(r) }) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		shown, _ := renderRune(r, []byte(text[i:i+size]))
		if r == '\n' {
			shown = `\n`
		}
		b.WriteString(shown)
		i += size
	}
	return b.String()
}

// underlineSpan returns the text that is shown for a line, and the carets below its bytes
// from:to. If the line is long, underlineSpan returns only the part around these bytes.
func underlineSpan(line []byte, from, to int) (text, mark string) {
	line = bytes.TrimSuffix(line, []byte("\r"))
	from = min(max(from, 0), len(line))
	start, end := findVisibleRange(line, from)
	from, to = from-start, to-start
	all := splitCells(line[start:end])
	first, last := chooseWindow(all, from)

	var shown, carets strings.Builder
	if start > 0 || first > 0 {
		shown.WriteString("…")
		carets.WriteString(" ")
	}
	marked := 0
	for _, c := range all[first:last] {
		shown.WriteString(c.text)
		switch {
		case c.offset >= from && c.offset < to:
			marked += c.width
			carets.WriteString(strings.Repeat("^", c.width))
		case c.offset < from:
			carets.WriteString(strings.Repeat(" ", c.width))
		}
	}
	if end < len(line) || last < len(all) {
		shown.WriteString("…")
	}
	if marked == 0 { // an empty span, or one at the end of the line
		carets.WriteString("^")
	}
	return shown.String(), carets.String()
}

// findVisibleRange returns the range of bytes of a line that can become visible. It saves
// work on long lines with many faults.
func findVisibleRange(line []byte, from int) (start, end int) {
	const margin = 1 << 10 // bytes on either side
	start, end = max(0, from-margin), min(len(line), from+margin)
	for start > 0 && !utf8.RuneStart(line[start]) && from-start < margin+utf8.UTFMax {
		start--
	}
	for end < len(line) && !utf8.RuneStart(line[end]) && end-from < margin+utf8.UTFMax {
		end++
	}
	return start, end
}

// chooseWindow returns the range of cells that are shown. It contains the byte at offset from.
func chooseWindow(all []cell, from int) (first, last int) {
	before, after := 0, 0
	for _, c := range all {
		if c.offset < from {
			before += c.width
		} else {
			after += c.width
		}
	}
	if before+after <= windowWidth {
		return 0, len(all)
	}
	skip := max(0, before-max(windowLead, windowWidth-after))
	for ; first < len(all) && skip > 0; first++ {
		skip -= all[first].width
	}
	room := windowWidth
	for last = first; last < len(all) && room >= all[last].width; last++ {
		room -= all[last].width
	}
	return first, last
}

// runeWidth returns the number of terminal columns of a character. Sequences of emoji are counted rune by rune, so the
// underline is too long in a terminal that draws a sequence as one character.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

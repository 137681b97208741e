package diag

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
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
		text, width := renderRune(r, line[i:i+size])
		all = append(all, cell{text, width, i})
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

// runeWidth returns the number of terminal columns of a character.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wideRunes, r):
		return 2
	}
	return 1
}

// wideRunes holds the characters that take two columns: the classes W and F of Unicode's
// East Asian Width, with the unassigned gaps inside blocks of emoji and ideographs
// filled. Sequences of emoji are counted rune by rune, so the underline is too long in a
// terminal that draws a sequence as one character.
var wideRunes = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1}, {0x231a, 0x231b, 1}, {0x2329, 0x232a, 1}, {0x23e9, 0x23ec, 1},
		{0x23f0, 0x23f3, 3}, {0x25fd, 0x25fe, 1}, {0x2614, 0x2615, 1}, {0x2648, 0x2653, 1},
		{0x267f, 0x2693, 0x14}, {0x26a1, 0x26aa, 9}, {0x26ab, 0x26bd, 0x12}, {0x26be, 0x26c4, 6},
		{0x26c5, 0x26ce, 9}, {0x26d4, 0x26ea, 0x16}, {0x26f2, 0x26f3, 1}, {0x26f5, 0x26fa, 5},
		{0x26fd, 0x2705, 8}, {0x270a, 0x270b, 1}, {0x2728, 0x274c, 0x24}, {0x274e, 0x2753, 5},
		{0x2754, 0x2755, 1}, {0x2757, 0x2795, 0x3e}, {0x2796, 0x2797, 1}, {0x27b0, 0x27bf, 0xf},
		{0x2b1b, 0x2b1c, 1}, {0x2b50, 0x2b55, 5}, {0x2e80, 0x303e, 1}, {0x3041, 0xa4cf, 1},
		{0xa960, 0xa97c, 1}, {0xac00, 0xd7a3, 1}, {0xf900, 0xfaff, 1}, {0xfe10, 0xfe19, 1},
		{0xfe30, 0xfe6f, 1}, {0xff01, 0xff60, 1}, {0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{
		{0x16fe0, 0x18cff, 1}, {0x1aff0, 0x1b2ff, 1}, {0x1f004, 0x1f0cf, 0xcb}, {0x1f18e, 0x1f191, 3},
		{0x1f192, 0x1f19a, 1}, {0x1f200, 0x1f320, 1}, {0x1f32d, 0x1f335, 1}, {0x1f337, 0x1f37c, 1},
		{0x1f37e, 0x1f393, 1}, {0x1f3a0, 0x1f3ca, 1}, {0x1f3cf, 0x1f3d3, 1}, {0x1f3e0, 0x1f3f0, 1},
		{0x1f3f4, 0x1f3f8, 4}, {0x1f3f9, 0x1f43e, 1}, {0x1f440, 0x1f442, 2}, {0x1f443, 0x1f4fc, 1},
		{0x1f4ff, 0x1f53d, 1}, {0x1f54b, 0x1f54e, 1}, {0x1f550, 0x1f567, 1}, {0x1f57a, 0x1f595, 0x1b},
		{0x1f596, 0x1f5a4, 0xe}, {0x1f5fb, 0x1f64f, 1}, {0x1f680, 0x1f6c5, 1}, {0x1f6cc, 0x1f6d0, 4},
		{0x1f6d1, 0x1f6d2, 1}, {0x1f6d5, 0x1f6d7, 1}, {0x1f6dc, 0x1f6df, 1}, {0x1f6eb, 0x1f6ec, 1},
		{0x1f6f4, 0x1f6fc, 1}, {0x1f7e0, 0x1f7eb, 1}, {0x1f7f0, 0x1f90c, 0x11c}, {0x1f90d, 0x1f93a, 1},
		{0x1f93c, 0x1f945, 1}, {0x1f947, 0x1f9ff, 1}, {0x1fa70, 0x1faff, 1}, {0x20000, 0x3fffd, 1},
	},
}

package py

import (
	"strconv"
	"strings"
	"unicode"
)

// Quote is repr(s). It uses double quotes if s contains single quotes but no double quotes, and otherwise single
// quotes.
func Quote(s string) string {
	quote := '\''
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	var b strings.Builder
	b.WriteRune(quote)
	for _, c := range s {
		switch {
		case c == quote || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(c):
			b.WriteRune(c)
		case c <= 0xff:
			writeHex(&b, 'x', c, 2)
		case c <= 0xffff:
			writeHex(&b, 'u', c, 4)
		default:
			writeHex(&b, 'U', c, 8)
		}
	}
	b.WriteRune(quote)
	return b.String()
}

func writeHex(b *strings.Builder, letter byte, c rune, digits int) {
	text := strconv.FormatInt(int64(c), 16)
	b.WriteByte('\\')
	b.WriteByte(letter)
	b.WriteString(strings.Repeat("0", digits-len(text)) + text)
}

package emit

import (
	"fmt"
	"go/format"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// Call returns function(arguments...). With parameters as arguments, it is the start of a function
// declaration, as in Call("func", "v int").
func Call(function string, arguments ...string) string {
	size := len(function) + len("()")
	for _, x := range arguments {
		size += len(x) + len(", ")
	}
	var call strings.Builder
	call.Grow(size)
	call.WriteString(function)
	call.WriteByte('(')
	for i, x := range arguments {
		if i > 0 {
			call.WriteString(", ")
		}
		call.WriteString(x)
	}
	call.WriteByte(')')
	return call.String()
}

// Literal returns a string constant. It is raw if Go allows that and the text has quotes or backslashes,
// as many schemas and descriptions do. Invisible characters, such as those that change the direction of
// text, are escaped.
func Literal(s string) string {
	quote, text := quoteLiteral(s)
	return quote + text + quote
}

// quoteLiteral returns the parts of the literal quote + text + quote. A raw literal shares its text
// with s, so that long schemas are not copied. For other literals, quote is empty, and text includes
// the quotes.
func quoteLiteral(s string) (quote, text string) {
	if isRaw(s) {
		return "`", s
	}
	return "", strconv.Quote(s)
}

func isRaw(s string) bool {
	var escapes, foreign bool
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ', c == '`', c == '\x7f':
			return false
		case c == '"', c == '\\':
			escapes = true
		case c >= utf8.RuneSelf:
			foreign = true
		}
	}
	hidden := func(r rune) bool { return !unicode.IsPrint(r) }
	return escapes && (!foreign || strconv.CanBackquote(s) && !strings.ContainsFunc(s, hidden))
}

// Comment returns a comment of one line. Untrusted text can neither end the comment nor make it a
// directive.
func Comment(format string, args ...any) string {
	line := "// " + joinLines(fmt.Sprintf(format, args...))
	if strings.Contains(line, "``") || strings.Contains(line, "''") {
		return formatComment(line)
	}
	return line
}

// formatComment formats a comment as gofmt does: it replaces two quotes in a row by a typographic quote,
// except in URLs and in longer rows of quotes.
func formatComment(comment string) string {
	const before, suffix = "package p\n\n", "\nvar _ int\n"
	formatted, err := format.Source([]byte(before + comment + suffix))
	if err != nil {
		return comment
	}
	return string(formatted[len(before) : len(formatted)-len(suffix)])
}

// maxCommentLength limits comments in generated code, in bytes, to keep them readable. The tool's
// definition, which models read, contains the whole text.
const maxCommentLength = 300

// joinLines joins the lines of a text to one line of at most maxCommentLength bytes.
func joinLines(s string) string {
	if !isLine(s) {
		s = strings.Join(strings.Fields(words.Visible(s, "")), " ")
	}
	return words.Cut(s, maxCommentLength)
}

// isLine reports whether a text is printable ASCII with single blanks between words.
func isLine(s string) bool {
	last := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= '\x7f' || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return s == "" || last != ' '
}

// constantLiteral returns a JSON string or integer as a Go constant.
func constantLiteral(value string) string {
	if value[0] != '"' {
		return value
	}
	return strconv.Quote(jsontext.Unquote(value))
}

// Package code writes the small parts that all generated code is made of, as text: names,
// types, calls, literals and comments, of which none can become more than that. It lays out
// the lines that they make up.
//
// Its layers, from top to bottom:
//
//	gotype  types
//	names   of variables, and of what packages declare
//	layout  lines as gofmt leaves them
//	lines   declarations, and what stands in braces
//	code    calls, literals and comments
package code

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

// Call is a call of a function, or the head of its declaration.
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

// Literal is a string constant: raw where Go allows it, since schemas and
// descriptions are full of quotes, and where one sees what it is. What turns the
// order of text around, for one, is escaped.
func Literal(s string) string {
	quote, text := Quoted(s)
	return quote + text + quote
}

// Quoted is a literal in parts, without a copy of what is raw: a quote, the text, and the
// quote again.
func Quoted(s string) (quote, text string) {
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

// Comment is a comment of a line; text from outside cannot leave it, and it
// never begins with what could be a directive.
func Comment(format string, args ...any) string {
	line := "// " + OneLine(fmt.Sprintf(format, args...))
	if strings.Contains(line, "``") || strings.Contains(line, "''") {
		return curled(line)
	}
	return line
}

// curled is a comment as gofmt leaves it, which makes one quote of two characters, but
// neither of more, as around code in Markdown, nor in a URL.
func curled(comment string) string {
	const before, behind = "package p\n\n", "\nvar _ int\n"
	formatted, err := format.Source([]byte(before + comment + behind))
	if err != nil {
		return comment
	}
	return string(formatted[len(before) : len(formatted)-len(behind)])
}

// longestComment keeps comments readable, in bytes; the whole text is in the definition.
const longestComment = 300

// OneLine is a text as it stands in a comment.
func OneLine(s string) string {
	if !isLine(s) {
		s = strings.Join(strings.Fields(words.Visible(s, "")), " ")
	}
	return words.Cut(s, longestComment)
}

// isLine reports whether a text is ASCII that is seen, with a blank between words.
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

// Constant is a JSON string or integer as Go writes it.
func Constant(value string) string {
	if value[0] != '"' {
		return value
	}
	return strconv.Quote(jsontext.Unquote(value))
}

package syntax

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// unescape reads the content of a string literal, which starts at an offset of
// the text. In a part of a formatted string, a brace is written twice.
func (p *parser) unescape(content string, from int, formatted bool) string {
	var b strings.Builder
	for i := 0; i < len(content); {
		switch c := content[i]; {
		case c == '\\':
			i += p.escape(&b, content[i:], from+i)
		case formatted && (c == '{' || c == '}'):
			b.WriteByte(c)
			i += 2
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

// escapes are the escape sequences of two characters.
var escapes = map[byte]string{
	'\n': "", '\\': "\\", '\'': "'", '"': "\"", 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
}

// escape writes what the escape sequence at the start of rest stands for, and
// returns its width. An unknown one stands for itself.
func (p *parser) escape(b *strings.Builder, rest string, from int) (width int) {
	c := rest[1] // a string does not end in a single backslash
	if text, ok := escapes[c]; ok {
		b.WriteString(text)
		return 2
	}
	switch {
	case '0' <= c && c <= '7':
		width = 2
		for width < 4 && width < len(rest) && '0' <= rest[width] && rest[width] <= '7' {
			width++
		}
		code, _ := strconv.ParseUint(rest[1:width], 8, 32)
		b.WriteRune(rune(code))
		return width
	case c == 'x':
		return p.hexEscape(b, rest, from, 2)
	case c == 'u':
		return p.hexEscape(b, rest, from, 4)
	case c == 'U':
		return p.hexEscape(b, rest, from, 8)
	case c == 'N':
		p.unsupported(Place{from, from + 2}, `a character by its name, \N{…}`).help(`write the character itself, or \u and its number`)
		return 2
	}
	b.WriteByte('\\')
	return 1
}

func (p *parser) hexEscape(b *strings.Builder, rest string, from, digits int) (width int) {
	width = min(2+digits, len(rest))
	code, err := strconv.ParseUint(rest[2:width], 16, 32)
	switch {
	case err != nil || width < 2+digits:
		p.syntax(Place{from, from + width}, `\%c is followed by %d hexadecimal digits`, rest[1], digits).
			help(`write \\%c for a backslash`, rest[1])
		return 2
	case code > utf8.MaxRune:
		p.syntax(Place{from, from + width}, "%s is beyond the last character of Unicode", rest[:width])
	case !utf8.ValidRune(rune(code)):
		p.unsupported(Place{from, from + width}, "half of a surrogate pair").help(`write the character itself, or \U and its number`)
	default:
		b.WriteRune(rune(code))
	}
	return width
}

// fstring reads a formatted string literal.
func (p *parser) fstring(t lexer.Token) []Part {
	var parts []Part
	start := strings.IndexAny(t.Value, `'"`) + 1
	rest := t.Value[start : len(t.Value)-1]
	at := t.Pos.Offset + start
	for width := 0; rest != ""; rest, at = rest[width:], at+width {
		width = textEnd(rest)
		switch {
		case width > 0:
			parts = append(parts, Part{Text: p.unescape(rest[:width], at, true)})
		case rest[0] == '}':
			p.syntax(Place{at, at + 1}, "a single } in a formatted string").help("write }} for a brace")
			width = 1
		default:
			var part Part
			part, width = p.replacement(rest, at)
			parts = append(parts, part)
		}
	}
	return parts
}

// textEnd returns the offset of the first brace that is not doubled, or the
// length of the text.
func textEnd(text string) int {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && !strings.HasPrefix(text[i:], `\N{`):
			i++
		case (c == '{' || c == '}') && byteAt(text, i+1) == c:
			i++
		case c == '{' || c == '}':
			return i
		}
	}
	return len(text)
}

// replacement reads {value} or {value:format}, which text starts with, and
// returns its width.
func (p *parser) replacement(text string, from int) (part Part, width int) {
	stop, closing := fieldEnd(text)
	at := func(start, end int) Place { return Place{from + start, from + end} }
	if closing < 0 {
		p.syntax(at(0, 1), "the brace that opens here is not closed").help("write {{ for a brace")
		return Part{Value: p.bad(at(0, len(text)))}, len(text)
	}
	part.Value = p.bad(at(1, stop))
	switch field := text[1:stop]; {
	case strings.Trim(field, " \t\n") == "":
		p.syntax(at(0, closing+1), "there is no value between the braces")
	case strings.Contains(field, `\`):
		p.syntax(at(1, stop), "a value in a formatted string cannot hold a backslash")
	case strings.HasSuffix(strings.TrimRight(field, " "), "="):
		p.unsupported(at(1, stop), "a value in a formatted string with =").help("write the name in front of the brace")
	default:
		part.Value = p.nested(field, from+1)
	}
	switch text[stop] {
	case '!':
		p.unsupported(at(stop, closing), "a conversion in a formatted string").help("write str(…) for !s")
	case ':':
		part.Format = p.format(text[stop+1:closing], at(stop, closing))
	}
	return part, closing + 1
}

// fieldEnd returns the offsets of the end of the value in a replacement field,
// and of the brace that closes the field, which is -1 if there is none.
func fieldEnd(text string) (stop, closing int) {
	depth := 0
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'' || c == '"':
			width, closed := textWidth(text, i+1, text[i:i+1])
			if !closed {
				return 0, -1
			}
			i = width - 1
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case depth > 0 && strings.IndexByte(")]}", c) >= 0:
			depth--
		case depth == 0 && c == '!' && byteAt(text, i+1) == '=':
			i++
		case depth == 0 && c == '}':
			return i, i
		case depth == 0 && (c == '!' || c == ':'):
			if end := specEnd(text[i:]); end >= 0 {
				return i, i + end
			}
			return 0, -1
		}
	}
	return 0, -1
}

// specEnd returns the offset of the brace behind a format specification, in
// which braces may nest, or -1.
func specEnd(text string) int {
	depth := 0
	for i := range len(text) {
		switch {
		case text[i] == '{':
			depth++
		case text[i] == '}' && depth == 0:
			return i
		case text[i] == '}':
			depth--
		}
	}
	return -1
}

// format reads what follows the colon in a replacement field.
func (p *parser) format(spec string, at Place) Format {
	f, ok := ParseFormat(spec)
	if !ok {
		p.unsupported(at, "the format :"+spec).help("the formats are :d, :s and :.2f with any number of digits")
	}
	return f
}

// maxPrecision bounds the digits behind the point, as a float64 has none behind
// these.
const maxPrecision = 1100

// ParseFormat reads a format specification without its colon: none at all, d, s,
// f, or f with a precision as in .2f. Others are not of the notation.
func ParseFormat(spec string) (f Format, ok bool) {
	switch spec {
	case "":
		return Format{}, true
	case "d", "s":
		return Format{Verb: spec[0]}, true
	case "f":
		return Format{Verb: 'f', Precision: 6}, true
	}
	digits, dot := strings.CutPrefix(strings.TrimSuffix(spec, "f"), ".")
	precision, err := strconv.ParseUint(digits, 10, 16)
	ok = dot && strings.HasSuffix(spec, "f") && err == nil && precision <= maxPrecision
	return Format{Verb: 'f', Precision: int(precision)}, ok
}

// nested parses a piece of the text that starts at an offset as an expression
// of its own.
func (p *parser) nested(text string, from int) Expr {
	tokens, err := lexer.Upgrade(&scanner{src: text, base: from, faults: p.faults})
	if err != nil {
		return p.bad(Place{from, from + len(text)})
	}
	inner := &parser{faults: p.faults, rules: p.rules, lex: tokens, last: from, depth: p.depth + 1}
	e := inner.expr()
	inner.end()
	return e
}

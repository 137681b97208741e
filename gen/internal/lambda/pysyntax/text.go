package pysyntax

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// unescapeText decodes the content of a string literal. from is its offset in the text of the lambda. In a
// formatted string, {{ and }} become single braces.
func (p *parser) unescapeText(content string, from int, formatted bool) string {
	var b strings.Builder
	for i := 0; i < len(content); {
		switch c := content[i]; {
		case c == '\\':
			i += p.writeEscape(&b, content[i:], from+i)
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

// simpleEscapes maps the second character of two-character escape sequences to its meaning.
var simpleEscapes = map[byte]string{
	'\n': "", '\\': "\\", '\'': "'", '"': "\"", 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
}

// writeEscape writes the character that the escape sequence at the start of rest represents, and returns the
// width of the sequence. Like Python, it leaves an unknown sequence unchanged.
func (p *parser) writeEscape(b *strings.Builder, rest string, from int) (width int) {
	c := rest[1] // a string does not end in a single backslash
	if text, ok := simpleEscapes[c]; ok {
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
		return p.writeHexEscape(b, rest, from, 2)
	case c == 'u':
		return p.writeHexEscape(b, rest, from, 4)
	case c == 'U':
		return p.writeHexEscape(b, rest, from, 8)
	case c == 'N':
		p.addUnsupported(Place{from, from + 2}, `a character by its name, \N{…}`).WithHelp(`write the character itself, or \u and its code`)
		return 2
	}
	b.WriteByte('\\')
	return 1
}

func (p *parser) writeHexEscape(b *strings.Builder, rest string, from, digits int) (width int) {
	width = min(2+digits, len(rest))
	code, err := strconv.ParseUint(rest[2:width], 16, 32)
	switch {
	case err != nil || width < 2+digits:
		p.addSyntax(Place{from, from + width}, `\%c is followed by %d hexadecimal digits`, rest[1], digits).
			WithHelp(`write \\%c for a backslash`, rest[1])
		return 2
	case code > utf8.MaxRune:
		p.addSyntax(Place{from, from + width}, "%s is not a Unicode character", rest[:width])
	case !utf8.ValidRune(rune(code)):
		p.addUnsupported(Place{from, from + width}, "half of a surrogate pair").WithHelp(`write the character itself, or \U and its code`)
	default:
		b.WriteRune(rune(code))
	}
	return width
}

// parseFString reads a formatted string literal.
func (p *parser) parseFString(t lexer.Token) []Part {
	start := strings.IndexAny(t.Value, `'"`) + 1
	return p.parseFormatted(t.Value[start:len(t.Value)-1], t.Pos.Offset+start, false)
}

// parseFormatted reads the content of a formatted string literal, or a format specification inside one if isSpec
// is set. at is the offset of the content in the text of the lambda.
func (p *parser) parseFormatted(rest string, at int, isSpec bool) []Part {
	var parts []Part
	for width := 0; rest != ""; rest, at = rest[width:], at+width {
		width = textEnd(rest)
		switch {
		case width > 0:
			parts = append(parts, Part{Text: p.unescapeText(rest[:width], at, true)})
		case rest[0] == '}':
			p.addSyntax(Place{at, at + 1}, "a single } in a formatted string").WithHelp("write }} for a brace")
			width = 1
		default:
			var text string
			var part Part
			text, part, width = p.parseReplacement(rest, at)
			if text != "" {
				parts = append(parts, Part{Text: text})
			}
			if spec, ok := part.Spec.(*FString); ok && isSpec {
				p.addSyntax(spec.Place, "expressions in a formatted string nest at most two levels deep")
				part.Spec = p.newBad(spec.Place)
			}
			parts = append(parts, part)
		}
	}
	return parts
}

// textEnd returns the length of the text before the first single brace. It skips {{ and }}.
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

// parseReplacement reads a field such as {value} or {value:format} at the start of text and returns its width.
// For {value=}, before is the text "value=", which precedes the value in the result.
func (p *parser) parseReplacement(text string, from int) (before string, part Part, width int) {
	stop, closing := fieldEnd(text)
	at := func(start, end int) Place { return Place{from + start, from + end} }
	if closing < 0 {
		p.addSyntax(at(0, 1), "the brace that opens here is not closed").WithHelp("write {{ for a brace")
		return "", Part{Value: p.newBad(at(0, len(text)))}, len(text)
	}
	part.Value = p.newBad(at(1, stop))
	field := text[1:stop]
	if expression, ok := strings.CutSuffix(strings.TrimRight(field, " \t\n"), "="); ok && !isComparison(expression) {
		before, field = field, expression
		part.Conversion = 'r'
	}
	switch {
	case strings.Trim(field, " \t\n") == "":
		p.addSyntax(at(0, closing+1), "there is no value between the braces")
	case strings.Contains(field, `\`):
		p.addSyntax(at(1, stop), "a value in a formatted string cannot contain a backslash")
	default:
		part.Value = p.parseNested(field, from+1)
	}
	switch text[stop] {
	case '!':
		conversion, spec, hasSpec := strings.Cut(text[stop+1:closing], ":")
		part.Conversion = p.parseConversion(conversion, at(stop, stop+1+len(conversion)))
		if hasSpec {
			part.Spec = p.parseSpec(spec, from+closing-len(spec))
		}
	case ':':
		part.Spec = p.parseSpec(text[stop+1:closing], from+stop+1)
		part.Conversion = 0
	}
	return before, part, closing + 1
}

// isComparison reports whether an = after text would be the end of an operator such as == or <=.
func isComparison(text string) bool {
	return text != "" && strings.ContainsAny(text[len(text)-1:], "=!<>")
}

// fieldEnd returns two offsets in the replacement field at the start of text: stop, where its value ends, and
// closing, where its closing brace is. closing is -1 if the field is not closed.
func fieldEnd(text string) (stop, closing int) {
	depth := 0
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'' || c == '"':
			end, closed := stringEnd(text, i+1, text[i:i+1])
			if !closed {
				return 0, -1
			}
			i = end - 1
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case depth > 0:
			if strings.IndexByte(")]}", c) >= 0 {
				depth--
			}
		case c == '!' && byteAt(text, i+1) == '=':
			i++
		case c == '}':
			return i, i
		case c == '!' || c == ':':
			if end := specEnd(text[i:]); end >= 0 {
				return i, i + end
			}
			return 0, -1
		}
	}
	return 0, -1
}

// specEnd returns the offset of the brace that ends a format specification, or -1. The specification may
// contain fields of its own.
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

// parseConversion reads the letter after ! in a replacement field.
func (p *parser) parseConversion(letter string, at Place) Conversion {
	switch letter {
	case "r", "s":
		return Conversion(letter[0])
	case "a":
		p.addUnsupported(at, "the conversion !a").WithHelp("write !r, which keeps characters beyond ASCII")
	default:
		p.addSyntax(at, "the conversions are !r and !s")
	}
	return 0
}

// parseSpec reads the format specification after the colon in a replacement field.
func (p *parser) parseSpec(spec string, from int) Expr {
	at := Place{from, from + len(spec)}
	if !strings.ContainsAny(spec, "{}") {
		return &Str{at, p.unescapeText(spec, from, false)}
	}
	p.depth++
	defer func() { p.depth-- }()
	if p.checkDepth(from) {
		return p.newBad(at)
	}
	return &FString{Place: at, Parts: mergeParts(p.parseFormatted(spec, from, true))}
}

// parseNested parses text, which starts at offset from in the lambda, as a separate expression.
func (p *parser) parseNested(text string, from int) Expr {
	tokens, err := lexer.Upgrade(&scanner{src: text, base: from, faults: p.faults})
	if err != nil {
		return p.newBad(Place{from, from + len(text)})
	}
	inner := &parser{
		faults: p.faults, grammarRules: p.grammarRules, src: p.src[:from+len(text)], bodyStart: from,
		lex: tokens, lastEnd: from, depth: p.depth + 1,
	}
	e := inner.parseExpr()
	inner.expectEnd()
	return e
}

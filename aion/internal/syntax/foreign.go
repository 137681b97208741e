package syntax

import (
	"regexp"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// quotes are those of other notations and ours, at either end of a text.
const quotes = "\"'`“”„‘’«»"

// foreignQuotes are the quotes of other notations, each with the closing one.
var foreignQuotes = map[string]string{"'": "'", "`": "`", "“": "”", "‘": "’", "„": "“", "«": "»"}

// tripleQuotes are those in which other notations put texts of several lines.
var tripleQuotes = []string{"'''", "```"}

// prefix returns the width of the letters that Python allows before the quotes of a text,
// if a text with such letters starts at the scanner's place.
func (s *scanner) prefix(rest string) int {
	if s.previous != ArrowToken {
		return 0
	}
	letters := rest[:len(rest)-len(strings.TrimLeft(rest[:min(len(rest), 3)], "bBfFrRuU"))-max(0, len(rest)-3)]
	if len(letters) == 0 || len(letters) > 2 || len(letters) == len(rest) || strings.IndexByte("\"'", rest[len(letters)]) < 0 {
		return 0
	}
	return len(letters)
}

// foreignText reports a text in the quotes of another notation, with so many letters before
// them, unless it is a name. It returns its width, or 0 if there is none.
func (s *scanner) foreignText(prefix int) int {
	rest := s.src[s.off+prefix:]
	if prefix > 0 && rest[0] == '"' {
		return s.prefixed(prefix)
	}
	for _, quote := range tripleQuotes {
		if strings.HasPrefix(rest, quote) {
			if quote == fenceMarks[0] && s.startsFence() {
				return s.strayFence()
			}
			return s.tripleText(prefix, quote)
		}
	}
	for open, end := range foreignQuotes {
		if !strings.HasPrefix(rest, open) {
			continue
		}
		content, ok := s.foreignContent(s.off+prefix+len(open), end, open != "'")
		if !ok {
			return 0
		}
		width := prefix + len(open) + len(content) + len(end)
		if s.isKey(content, width) {
			return width
		}
		text, certain := s.pythonText(prefix, content, end)
		d := s.Errorf("wrong-quotes", s.here(width), "a text stands in double quotes, not in %s…%s", open, end).
			WithHelp("write %q", text)
		if quoted, ok := Quote(text); ok && !strings.HasSuffix(content, `\`) {
			d.WithFixIf(certain && !hasSeveral(content, end), diag.Edit{Span: s.here(width), Text: quoted})
		}
		s.broken[s.off] = true
		return width
	}
	return 0
}

// prefixed reports letters before the double quotes of a text, and returns the width of
// the letters and the text.
func (s *scanner) prefixed(prefix int) (width int) {
	letters := s.src[s.off : s.off+prefix]
	quote := StringQuote
	if strings.HasPrefix(s.src[s.off+prefix:], BlockQuote) {
		quote = BlockQuote
	}
	from := s.off + prefix + len(quote)
	length := strings.Index(s.src[from:], quote)
	if length < 0 || s.propertyInside(from, from+length) >= 0 {
		length = len(firstLine(s.src[from:]))
		quote = ""
	}
	content := s.src[from : from+length]
	raw := strings.ContainsAny(letters, "rR")
	certain := !interpolated(letters, content) && (raw || !hasEscape.MatchString(content))
	s.Errorf("wrong-quotes", s.here(prefix), "a text has no %q before its quotes", letters).
		WithHelp("delete %q", letters).WithFixIf(certain, diag.Edit{Span: s.here(prefix)})
	s.broken[s.off] = true
	return from + length + len(quote) - s.off
}

// interpolated reports whether a text would mean something else without the letters before
// its quotes.
func interpolated(letters, content string) bool {
	return strings.ContainsAny(letters, "fF") && strings.ContainsAny(content, "{}")
}

// pythonText returns the content of a text in single quotes with so many letters before
// them, without the backslashes before quotes, which Python needs and we do not. It reports
// whether the text means the same here: we have no other escapes.
func (s *scanner) pythonText(prefix int, content, end string) (text string, certain bool) {
	letters := s.src[s.off : s.off+prefix]
	if end == "'" && !strings.ContainsAny(letters, "rR") {
		content = strings.NewReplacer(`\'`, `'`, `\"`, `"`).Replace(content)
		return content, !hasEscape.MatchString(content) && !interpolated(letters, content)
	}
	return content, !interpolated(letters, content)
}

// hasEscape matches a text of Python or JSON in which a backslash stands for another
// character.
var hasEscape = regexp.MustCompile(`\\[\\abfnrtvxuUN0-7\n]`)

// hasSeveral reports whether a text in single quotes may be several, as in 'a' + 'b': it
// has a quote that is not the apostrophe of a word.
func hasSeveral(content, end string) bool {
	return end == "'" && strings.Contains(apostrophe.ReplaceAllString(content, ""), end)
}

// apostrophe is one within a word, or one that a backslash marks.
var apostrophe = regexp.MustCompile(`\\'|\pL'\b`)

// tripleText reports a text block in other quotes, and returns its width.
func (s *scanner) tripleText(prefix int, quote string) (width int) {
	from := s.off + prefix + len(quote)
	last := s.find(quote, from)
	if last < 0 {
		return s.unclosed(quote, len(s.src))
	}
	end := last + len(quote)
	if !s.mayFollow(end) && s.propertyInside(from, end) >= 0 {
		return s.unclosed(quote, end)
	}
	content, certain := s.pythonText(prefix, s.src[from:last], quote[:1])
	block := BlockQuote + content + BlockQuote
	if strings.HasSuffix(content, StringQuote) {
		block = BlockQuote + content + "\n" + BlockQuote
	}
	width = end - s.off
	if skipBlank(s.src, 0) == s.off {
		certain = false // the file may be a text of Python
	}
	d := s.Errorf("wrong-quotes", s.here(width), `a text block uses double quotes, %s, not %s`, BlockQuote, quote).
		WithHelp("write %s", block)
	if !strings.Contains(content, BlockQuote) {
		d.WithFixIf(certain, diag.Edit{Span: s.here(width), Text: block})
	}
	s.broken[s.off] = true
	return width
}

// foreignContent returns the text from an offset up to a closing quote: the first one that
// something sound follows, else the first one on the line. The text may have several lines
// if that is said.
func (s *scanner) foreignContent(from int, end string, lines bool) (content string, ok bool) {
	within := s.src[from:min(len(s.src), from+longestSearch)]
	s.searched += len(within)
	line := firstLine(within)
	if !lines {
		within = line
	}
	first := strings.Index(line, end)
	if first >= 0 && s.isKey(line[:first], from+first+len(end)-s.off) {
		return line[:first], true
	}
	for at := 0; ; at += len(end) {
		next := strings.Index(within[at:], end)
		if next < 0 {
			break
		}
		if at += next; !isEscaped(within[:at], end) && s.mayFollow(from+at+len(end)) {
			if content := within[:at]; s.propertyInside(from, from+at) < 0 {
				return content, true
			}
			break
		}
	}
	return line[:max(0, first)], first >= 0
}

// isEscaped reports whether a single quote after a text does not end it in Python.
func isEscaped(before, quote string) bool {
	backslashes := len(before) - len(strings.TrimRight(before, `\`))
	return quote == "'" && backslashes%2 == 1
}

// isKey reports whether what stands in quotes at the scanner's place, in so many bytes, is
// the name of an item: these stand without any.
func (s *scanner) isKey(content string, width int) bool {
	return s.previous != IdentToken && s.previous != ArrowToken && s.previous != JunkToken &&
		IsName(content) && arrowWidth(s.src[skipBlank(s.src, s.off+width):]) > 0
}

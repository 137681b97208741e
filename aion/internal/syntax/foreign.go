package syntax

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/lazyregexp"
)

// allQuotes are the opening and closing quotes of all notations.
const allQuotes = "\"'`“”„‘’«»"

// UnquoteText returns the content of a text in quotes of any kind.
func UnquoteText(raw string) string {
	if strings.HasPrefix(raw, StringQuote) {
		return TextValue(raw)
	}
	return strings.Trim(raw, allQuotes)
}

// UnquoteName removes the quotes around a name.
func UnquoteName(raw string) string { return strings.Trim(raw, allQuotes) }

// foreignQuotes maps the opening quotes of other notations to the closing ones.
var foreignQuotes = map[string]string{"'": "'", "`": "`", "“": "”", "‘": "’", "„": "“", "«": "»"}

// tripleQuotes are the quotes that other notations use for texts of several lines.
var tripleQuotes = []string{"'''", "```"}

// prefixWidth returns the width of the letters that Python allows before the quotes of a
// text, as in r"…", or 0 if no such text starts at the current offset.
func (s *scanner) prefixWidth(rest string) int {
	if s.previousType != ArrowToken {
		return 0
	}
	return max(0, len(prefixedQuote.Get().FindString(rest))-1)
}

// prefixedQuote matches the letters and the quote after them.
var prefixedQuote = lazyregexp.Regexp{Text: `^[bBfFrRuU]{1,2}["']`}

// scanForeignText reports a text in the quotes of another notation, unless the text is a name.
// prefix is the width of the letters before the quotes. scanForeignText returns the width of the
// text with these letters, or 0 if there is no such text.
func (s *scanner) scanForeignText(prefix int) int {
	rest := s.src[s.off+prefix:]
	if prefix > 0 && rest[0] == '"' {
		return s.scanPrefixedText(prefix)
	}
	for _, quote := range tripleQuotes {
		if strings.HasPrefix(rest, quote) {
			if quote == fenceMarks[0] && s.startsFence() {
				return s.scanStrayFence()
			}
			return s.scanTripleText(prefix, quote)
		}
	}
	for open, end := range foreignQuotes {
		if !strings.HasPrefix(rest, open) {
			continue
		}
		content, ok := s.findForeignContent(s.off+prefix+len(open), end, open != "'")
		if !ok {
			return 0
		}
		width := prefix + len(open) + len(content) + len(end)
		if s.isKey(content, width) {
			return width
		}
		text, certain := s.pythonContent(prefix, content, end)
		d := s.Errorf("wrong-quotes", s.nextSpan(width), "texts use double quotes, not %s…%s", open, end).
			WithHelp("write %q", text)
		if quoted, ok := QuoteText(text); ok && !strings.HasSuffix(content, `\`) {
			d.WithFixIf(certain && !hasSeveralTexts(content, end), diag.Edit{Span: s.nextSpan(width), Text: quoted})
		}
		s.brokenTexts[s.off] = true
		return width
	}
	return 0
}

// scanPrefixedText reports letters before the double quotes of a text, and returns the
// width of the letters and the text.
func (s *scanner) scanPrefixedText(prefix int) (width int) {
	letters := s.src[s.off : s.off+prefix]
	quote := StringQuote
	if strings.HasPrefix(s.src[s.off+prefix:], BlockQuote) {
		quote = BlockQuote
	}
	from := s.off + prefix + len(quote)
	length := strings.Index(s.src[from:], quote)
	if length < 0 || s.findProperty(from, from+length) >= 0 {
		length = len(firstLine(s.src[from:]))
		quote = ""
	}
	content := s.src[from : from+length]
	raw := strings.ContainsAny(letters, "rR")
	certain := !isInterpolated(letters, content) && (raw || !escapePattern.MatchString(content))
	s.Errorf("wrong-quotes", s.nextSpan(prefix), "unexpected %q before the quotes of a text", letters).
		WithHelp("delete %q", letters).WithFixIf(certain, diag.Edit{Span: s.nextSpan(prefix)})
	s.brokenTexts[s.off] = true
	return from + length + len(quote) - s.off
}

// jsonText matches a string of JSON.
var jsonText = lazyregexp.Regexp{Text: `^"(?:[^"\\\n]|\\.)*"`}

// scanEscapedText reports a string with escapes after a quoted name and a colon, as in the JSON
// "name": "a\tb". The fix writes the characters that the escapes stand for. scanEscapedText returns
// the width of the string, or 0 if there is no such string.
func (s *scanner) scanEscapedText() (width int) {
	if !s.inMember {
		return 0
	}
	literal := jsonText.Get().FindString(firstLine(s.src[s.off:]))
	s.searchedBytes += len(literal)
	var text string
	if !strings.Contains(literal, `\`) || !s.canFollowText(s.off+len(literal)) || json.Unmarshal([]byte(literal), &text) != nil || strings.ContainsRune(text, utf8.RuneError) {
		return 0
	}
	d := s.Errorf("wrong-quotes", s.nextSpan(len(literal)), "texts have no escapes, but this one has the escapes of JSON")
	if quoted, ok := QuoteText(text); ok {
		d.WithHelp("write %s", quoted).WithFix(diag.Edit{Span: s.nextSpan(len(literal)), Text: quoted})
	} else {
		d.WithHelp("write the characters themselves")
	}
	s.brokenTexts[s.off] = true
	return len(literal)
}

// isInterpolated reports whether Python would evaluate expressions in the text, as in
// f"{name}".
func isInterpolated(letters, content string) bool {
	return strings.ContainsAny(letters, "fF") && strings.ContainsAny(content, "{}")
}

// pythonContent returns the content of a text in the notation of Python, without the backslashes before
// quotes, which only Python needs. certain is true if the text contains no other escapes and no
// expressions, so that its content is the value that it has in Python.
func (s *scanner) pythonContent(prefix int, content, end string) (text string, certain bool) {
	letters := s.src[s.off : s.off+prefix]
	if end == "'" && !strings.ContainsAny(letters, "rR") {
		content = quoteUnescaper.Replace(content)
		return content, !escapePattern.MatchString(content) && !isInterpolated(letters, content)
	}
	return content, !isInterpolated(letters, content)
}

// quoteUnescaper removes the backslashes before quotes.
var quoteUnescaper = strings.NewReplacer(`\'`, `'`, `\"`, `"`)

// escapePattern matches an escape of Python or JSON.
var escapePattern = regexp.MustCompile(`\\[\\abfnrtvxuUN0-7\n]`)

// hasSeveralTexts reports whether a text in single quotes may be several texts, as in 'a' + 'b'.
// Such a text contains a quote that is not an apostrophe.
func hasSeveralTexts(content, end string) bool {
	return end == "'" && strings.Contains(apostrophePattern.ReplaceAllString(content, ""), end)
}

// apostrophePattern matches an apostrophe inside a word, or an escaped one.
var apostrophePattern = regexp.MustCompile(`\\'|\pL'\b`)

// scanTripleText reports a text block in other quotes, and returns its width.
func (s *scanner) scanTripleText(prefix int, quote string) (width int) {
	from := s.off + prefix + len(quote)
	last := s.findText(quote, from)
	if last < 0 {
		return s.reportUnclosedText(quote, len(s.src))
	}
	end := last + len(quote)
	if !s.canFollowText(end) && s.findProperty(from, end) >= 0 {
		return s.reportUnclosedText(quote, end)
	}
	content, certain := s.pythonContent(prefix, s.src[from:last], quote[:1])
	block := BlockQuote + content + BlockQuote
	if strings.HasSuffix(content, StringQuote) {
		block = BlockQuote + content + "\n" + BlockQuote
	}
	width = end - s.off
	if skipBlank(s.src, 0) == s.off {
		certain = false // the whole file may be a Python string
	}
	d := s.Errorf("wrong-quotes", s.nextSpan(width), `a text block uses double quotes, %s, not %s`, BlockQuote, quote).
		WithHelp("write %s", block)
	if !strings.Contains(content, BlockQuote) {
		d.WithFixIf(certain, diag.Edit{Span: s.nextSpan(width), Text: block})
	}
	s.brokenTexts[s.off] = true
	return width
}

// findForeignContent returns the text from an offset up to the closing quote. This is the first
// quote that is followed by something that can follow a text, such as a comma or the end of the
// file. If there is no such quote, it is the first quote on the line. The text may have several
// lines if multiline is set.
func (s *scanner) findForeignContent(from int, end string, multiline bool) (content string, ok bool) {
	window := s.src[from:min(len(s.src), from+maxSearch)]
	s.searchedBytes += len(window)
	line := firstLine(window)
	if !multiline {
		window = line
	}
	first := strings.Index(line, end)
	if first >= 0 && s.isKey(line[:first], from+first+len(end)-s.off) {
		return line[:first], true
	}
	for at := 0; ; at += len(end) {
		next := strings.Index(window[at:], end)
		if next < 0 {
			break
		}
		if at += next; !isEscaped(window[:at], end) && s.canFollowText(from+at+len(end)) {
			if content := window[:at]; s.findProperty(from, from+at) < 0 {
				return content, true
			}
			break
		}
	}
	return line[:max(0, first)], first >= 0
}

// isEscaped reports whether Python treats the quote after a text as escaped. Only single quotes
// can be.
func isEscaped(before, quote string) bool {
	backslashes := len(before) - len(strings.TrimRight(before, `\`))
	return quote == "'" && backslashes%2 == 1
}

// isKey reports whether the quoted content at the current offset is the name of an item, as in
// 'name': …. width is the width of the content with its quotes.
func (s *scanner) isKey(content string, width int) bool {
	return s.previousType != IdentToken && s.previousType != ArrowToken && s.previousType != JunkToken &&
		IsName(content) && arrowWidth(s.src[skipBlank(s.src, s.off+width):]) > 0
}

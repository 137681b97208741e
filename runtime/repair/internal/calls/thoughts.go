package calls

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/fit"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// AfterThoughts returns the position after a thought whose opening mark is missing, as in "…</think>{}"; 0 if
// there is none. Such a thought ends with the first closing mark of its kind that is outside of strings. If there
// are several kinds of marks, AfterThoughts returns the last position.
func AfterThoughts(text string) (start int) {
	var inStrings []bool
	for _, e := range scan.AllThoughtMarks {
		begins := strings.Index(text, e.Open)
		for end := strings.Index(text, e.Close); end >= 0; {
			if begins >= 0 && begins+len(e.Open) <= end {
				break
			}
			if inStrings == nil {
				inStrings = stringsIn(text)
			}
			if !inStrings[end] {
				start = max(start, end+len(e.Close))
				break
			}
			next := strings.Index(text[end+1:], e.Close)
			if next < 0 {
				break
			}
			end += 1 + next
		}
	}
	return start
}

// stringsIn reports for each byte of a text whether it is in a string of a JSON value.
func stringsIn(text string) []bool {
	f := fit.NewFinder(text, 0, nil)
	f.Strings = &reader.Quotation{}
	f.Find()
	inside := make([]bool, len(text))
	for _, s := range f.Strings.Certain {
		for i := s.Start; i < s.End; i++ {
			inside[i] = true
		}
	}
	return inside
}

// skipThought skips a thought or a comment at c.Pos, and reports whether there is one. A closing mark at c.Pos
// has no opening mark, so everything before it was a thought, and skipThought drops the calls and failures found
// so far.
func (c *callReader) skipThought() bool {
	rest := c.Text[c.Pos:c.End]
	for _, e := range thoughtMarks {
		if strings.HasPrefix(rest, e.Open) {
			c.afterThought = false
			end := c.Index(e.Close, c.Pos)
			if end == c.End && len(c.requests) > 0 {
				c.dropMentioned()
			}
			c.Pos = min(c.End, end+len(e.Close))
			return true
		}
		if endsOpenThought(e) && strings.HasPrefix(rest, e.Close) {
			c.dropAll()
			c.afterThought = true
			c.Pos += len(e.Close)
			return true
		}
	}
	return false
}

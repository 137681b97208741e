package calls

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/fit"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// AfterThoughts returns the position after a thought whose opening mark is missing, as in "…</think>{}"; 0 if
// there is none. Such a thought ends with the first closing mark of its kind that is outside of strings. If there
// are several kinds of marks, AfterThoughts returns the last position.
func AfterThoughts(text string) (start int) {
	var inStrings []jsontext.Span
	for _, e := range scan.AllThoughtMarks {
		begins := strings.Index(text, e.Open)
		for end := strings.Index(text, e.Close); end >= 0; {
			if begins >= 0 && begins+len(e.Open) <= end {
				break
			}
			if inStrings == nil {
				inStrings = stringsIn(text)
			}
			if !containsPosition(inStrings, end) {
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

// stringsIn returns the positions of the strings in the JSON values of a text, sorted.
func stringsIn(text string) []jsontext.Span {
	f := fit.NewFinder(text, 0, nil)
	f.Strings = &reader.Quotation{Certain: []jsontext.Span{}}
	f.Find()
	return mergeSpans(f.Strings.Certain)
}

// containsPosition reports whether a position is in one of the spans, which are sorted.
func containsPosition(spans []jsontext.Span, position int) bool {
	i, _ := slices.BinarySearchFunc(spans, position, func(s jsontext.Span, position int) int { return int(s.End) - position - 1 })
	return i < len(spans) && int(spans[i].Start) <= position
}

// mergeSpans sorts spans and merges those that overlap.
func mergeSpans(spans []jsontext.Span) []jsontext.Span {
	slices.SortFunc(spans, func(a, b jsontext.Span) int { return cmp.Or(int(a.Start-b.Start), int(a.End-b.End)) })
	merged := spans[:0]
	for _, s := range spans {
		if last := len(merged) - 1; last >= 0 && s.Start < merged[last].End {
			merged[last].End = max(merged[last].End, s.End)
		} else {
			merged = append(merged, s)
		}
	}
	return merged
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

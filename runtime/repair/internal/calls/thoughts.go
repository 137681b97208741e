package calls

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/find"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// AfterThoughts returns where a JSON value may begin after what the model thought, if only
// the end of that is marked. A mark in a string is a part of the string.
func AfterThoughts(text string) (start int) {
	var inStrings []jsontext.Span
	for _, e := range scan.Thoughts {
		begins := strings.Index(text, e.Open)
		for end := strings.Index(text, e.Close); end >= 0; {
			if begins >= 0 && begins+len(e.Open) <= end {
				break
			}
			if inStrings == nil {
				inStrings = stringsIn(text)
			}
			if !contains(inStrings, end) {
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

// stringsIn returns the places of the strings in the JSON values of a text, in order.
func stringsIn(text string) []jsontext.Span {
	f := find.New(text, 0, nil)
	f.Strings = &reader.Quotation{Certain: []jsontext.Span{}}
	f.Find()
	return merged(f.Strings.Certain)
}

// contains reports whether a place is in one of several spans, which are in order.
func contains(spans []jsontext.Span, place int) bool {
	i, _ := slices.BinarySearchFunc(spans, place, func(s jsontext.Span, place int) int { return int(s.End) - place - 1 })
	return i < len(spans) && int(spans[i].Start) <= place
}

// merged returns spans in order, those that overlap as one.
func merged(spans []jsontext.Span) []jsontext.Span {
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

// thought skips what the model thought, and what is in a comment. The end of a thought
// that began before the text makes all before it a thought.
func (c *caller) thought() bool {
	rest := c.Text[c.Pos:c.End]
	for _, e := range thoughts {
		if strings.HasPrefix(rest, e.Open) {
			c.afterThought = false
			end := c.Index(e.Close, c.Pos)
			if end == c.End && len(c.requests) > 0 {
				c.mention()
			}
			c.Pos = min(c.End, end+len(e.Close))
			return true
		}
		if endsOpenThought(e) && strings.HasPrefix(rest, e.Close) {
			c.forget()
			c.afterThought = true
			c.Pos += len(e.Close)
			return true
		}
	}
	return false
}

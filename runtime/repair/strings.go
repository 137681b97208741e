package repair

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// quotationOf returns the strings of a text. It returns also how many steps it
// took.
func quotationOf(text string, offered map[string]*offer) (q *quotation, steps int) {
	q = &quotation{}
	f := newFinder(text, 0, nil)
	f.strings = q
	f.find()
	c := &caller{reader: newReader(text, 0, len(text)), offered: offered}
	c.strings = q
	c.lines()
	q.certain, q.doubtful = merged(q.certain), merged(q.doubtful)
	return q, f.steps + c.steps
}

// merged returns spans in their order, those that overlap as one.
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

// within tells whether a place is in one of several spans, in their order.
func within(spans []jsontext.Span, place int) bool {
	i, _ := slices.BinarySearchFunc(spans, place, func(s jsontext.Span, place int) int { return int(s.End) - place - 1 })
	return i < len(spans) && int(spans[i].Start) <= place
}

// afterThoughts returns where text begins behind what the model thought, if only
// the end of that is marked.
func afterThoughts(text string) (start int) {
	var data *quotation
	for _, e := range thoughts {
		for end := strings.Index(text, e.close); end >= 0; {
			if strings.Contains(text[:end], e.open) {
				break
			}
			if data == nil {
				data, _ = quotationOf(text, nil)
			}
			if !within(data.certain, end) {
				start = max(start, end+len(e.close))
				break
			}
			next := strings.Index(text[end+1:], e.close)
			if next < 0 {
				break
			}
			end += 1 + next
		}
	}
	return start
}

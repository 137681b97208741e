package repair

import (
	"cmp"
	"slices"
	"strings"
)

// A span is a part of a text.
type span struct{ from, to int }

// A quotation is where strings of JSON and of Python are in a text. What they
// say is data, also if it looks like a mark.
type quotation struct {
	certain  []span // strings with both quotes and none within, in values and calls that can be read
	doubtful []span // other strings: they may have ended before
}

// quotationOf returns the strings of a text. It returns also how many steps it
// took.
func quotationOf(text string, offered map[string]*offer) (q quotation, steps int) {
	f := &finder{reader: newReader(text, 0, len(text)), start: true, fresh: true}
	f.tracked = true
	f.find()
	c := &caller{reader: newReader(text, 0, len(text)), offered: offered}
	c.tracked = true
	c.lines()
	return quotation{merged(f.literals, c.literals), merged(f.doubtful, c.doubtful)}, f.steps + c.steps
}

// merged returns spans in their order, those that overlap as one.
func merged(lists ...[]span) []span {
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b span) int { return cmp.Or(a.from-b.from, a.to-b.to) })
	merged := all[:0]
	for _, s := range all {
		if last := len(merged) - 1; last >= 0 && s.from < merged[last].to {
			merged[last].to = max(merged[last].to, s.to)
		} else {
			merged = append(merged, s)
		}
	}
	return merged
}

// within tells whether a place is in one of several spans, in their order.
func within(spans []span, place int) bool {
	i, _ := slices.BinarySearchFunc(spans, place, func(s span, place int) int { return s.to - place - 1 })
	return i < len(spans) && spans[i].from <= place
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
				q, _ := quotationOf(text, nil)
				data = &q
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

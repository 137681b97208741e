package calls

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/find"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// quotation returns the strings of values and of calls.
func (c *caller) quotation() *reader.Quotation {
	if c.data == nil {
		var steps int
		c.data, steps = quotationOf(c.Text, c.offers)
		c.Steps += steps
	}
	return c.data
}

// quotationOf returns the strings of a text. It returns also how many steps it
// took.
func quotationOf(text string, tools *offers) (q *reader.Quotation, steps int) {
	q = &reader.Quotation{}
	f := find.New(text, 0, nil)
	f.Strings = q
	f.Find()
	c := newCaller(text, 0, tools)
	c.Strings = q
	c.lines()
	q.Certain, q.Doubtful = merged(q.Certain), merged(q.Doubtful)
	return q, f.Steps + c.Steps
}

// AfterThoughts returns where text begins behind what the model thought, if only
// the end of that is marked.
func AfterThoughts(text string) (start int) {
	var data *reader.Quotation
	for _, e := range scan.Thoughts {
		begins := strings.Index(text, e.Open)
		for end := strings.Index(text, e.Close); end >= 0; {
			if begins >= 0 && begins+len(e.Open) <= end {
				break
			}
			if data == nil {
				data, _ = quotationOf(text, newOffers(nil))
			}
			if !within(data.Certain, end) {
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

package reader

import (
	"github.com/aiongen/aiongen/internal/jsontext"
)

// A Quotation is where strings of JSON and of Python are in a text. What they say is
// data, also if it looks like a mark. There may be none, where nobody asks.
type Quotation struct {
	Certain  []jsontext.Span // strings with both quotes and none within, in values and calls that can be read
	Doubtful []jsontext.Span // other strings: they may have ended before
}

// Add keeps the place of a string.
func (q *Quotation) Add(from, to int, certain bool) {
	if q == nil {
		return
	}
	s := jsontext.Span{Start: int32(from), End: int32(to)}
	if certain {
		q.Certain = append(q.Certain, s)
	} else {
		q.Doubtful = append(q.Doubtful, s)
	}
}

// Kept returns what is known at present, and back forgets what came since.
func (q *Quotation) Kept() Quotation {
	if q == nil {
		return Quotation{}
	}
	return *q
}

func (q *Quotation) Reset(to Quotation) {
	if q != nil {
		*q = to
	}
}

package repair

import "github.com/aiongen/aiongen/internal/jsontext"

// A quotation is where strings of JSON and of Python are in a text. What they say is
// data, also if it looks like a mark. There may be none, where nobody asks.
type quotation struct {
	certain  []jsontext.Span // strings with both quotes and none within, in values and calls that can be read
	doubtful []jsontext.Span // other strings: they may have ended before
}

// add keeps the place of a string.
func (q *quotation) add(from, to int, certain bool) {
	if q == nil {
		return
	}
	s := jsontext.Span{Start: int32(from), End: int32(to)}
	if certain {
		q.certain = append(q.certain, s)
	} else {
		q.doubtful = append(q.doubtful, s)
	}
}

// now returns what is known at present, and back forgets what came since.
func (q *quotation) now() quotation {
	if q == nil {
		return quotation{}
	}
	return *q
}

func (q *quotation) back(to quotation) {
	if q != nil {
		*q = to
	}
}

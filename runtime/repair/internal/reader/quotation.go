package reader

import (
	"github.com/aiongen/aiongen/internal/jsontext"
)

// A Quotation records the positions of the strings in a text, so that callers can ignore marks inside strings.
// A nil *Quotation records nothing.
type Quotation struct {
	Certain  []jsontext.Span // strings with both quotes and no quote inside
	Doubtful []jsontext.Span // other strings; they may end earlier
}

// Add records the position of a string.
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

// AddAll records the positions that other contains.
func (q *Quotation) AddAll(other *Quotation) {
	if q != nil {
		q.Certain, q.Doubtful = append(q.Certain, other.Certain...), append(q.Doubtful, other.Doubtful...)
	}
}

package reader

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/literal"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
)

// number reads a number; nil if none is at r.Pos.
func (r *Reader) number(in Place) *jsontext.Node {
	end, ok := jsontext.NumberEnd(r.Text[:r.End], r.Pos)
	if !ok || !r.delimited(end, in) {
		return nil
	}
	n := r.Node(jsontext.Number, r.Pos)
	r.Steps += end - r.Pos
	n.Text, r.Pos = r.Text[r.Pos:end], end
	return n
}

// bare reads text without quotes: a word that stands for a value, or a string. It is nil for what stands for values that were left out.
func (r *Reader) bare(in Place, s *jsonschema.Schema) *jsontext.Node {
	start := r.Pos
	end, next := r.bareEnd(in)
	r.Pos = r.Trimmed(start, end)
	text := r.Text[start:r.Pos]
	if next > end { // the opening quote is missing
		r.Guesses++
		r.Pos = next
		n := r.Node(jsontext.String, start)
		n.Text = r.Quoted(text)
		r.Edit(report.Quotes, start, next, n.Text)
		return n
	}
	if scan.IsEllipsis(text) {
		r.leftOut(start)
		return nil
	}
	if end == r.End && r.Open {
		r.Cut = true
		if text = literal.Completed(text); text == "" {
			return nil
		}
	}
	n := r.Node(jsontext.String, start)
	r.classify(n, r.Pos, text, s)
	return n
}

// endsName tells whether c ends a name without quotes.
func endsName(c byte) bool {
	return scan.EndsValue(c) || c == ':' || c == '=' || c == '{' || c == '[' || c == '\n'
}

// leftOut records that the text between start and r.Pos stands for values that
// are not there: the value is as incomplete as if it had been cut off.
func (r *Reader) leftOut(start int) {
	r.Edit(report.Ellipsis, start, r.Pos, "")
	r.Cut = true
}

// delimited tells whether a number ends at i, for what follows it.
func (r *Reader) delimited(i int, in Place) bool {
	j := r.Blank(i)
	if j >= r.End || r.StopsAt(j) {
		return true
	}
	c := r.Text[j]
	switch {
	case scan.IsSeparator(c):
		return in == inArray || r.itemFits(j+1, in, false) || in == inObject && r.LacksValue(j+1)
	case scan.IsCloser(c) || r.OpensComment(j):
		return true
	case j == i:
		return c == '{' && r.outer() == scan.Bracket
	case strings.IndexByte(r.Text[i:j], '\n') >= 0 || r.QuoteAt(j).Size > 0:
		return true
	}
	return in == inObject && r.OpensBareKey(j) || in == inArray && (c == '{' || c == '[' || r.WordAt(j))
}

// bareEnd returns where the text without quotes at r.Pos ends, and what comes
// next; that is further where a quote ends the text.
func (r *Reader) bareEnd(in Place) (end, next int) {
	var open [scan.BracketKinds]int // brackets in the text
	first := true
	i := r.Pos
	defer func() { r.Steps += i - r.Pos }()
	for ; i < r.End; i++ {
		c := r.Text[i]
		if scan.IsWord(c) && c < 0x80 {
			continue
		}
		if r.StopsAt(i) {
			return i, i
		}
		switch {
		case scan.IsSeparator(c):
			if r.separates(i, in, open) {
				return i, i
			}
		case scan.IsOpener(c):
			open[scan.KindOf(c)]++
			if c != '{' && i > r.Pos && scan.IsWord(r.Text[i-1]) && r.QuoteAt(r.Blank(i+1)).Size > 0 {
				r.code(r.Pos, "with a string in it") // such as os.environ["HOME"]
			}
		case scan.IsCloser(c):
			k := scan.KindOf(c)
			if open[k] > 0 {
				open[k]--
			} else if c != ')' || in == InCall || r.last[scan.Parenthesis] >= r.outside {
				return i, i
			}
		case scan.IsBlank(c):
			j := r.Blank(i)
			if r.blanksEnd(i, j, in, first) {
				return i, i
			}
			i, first = j-1, false
		default:
			if ends, closes := r.quoteEnds(i, in); closes > 0 {
				return i, closes
			} else if ends {
				return i, i
			}
		}
	}
	return i, i
}

// separates tells whether the separator at i ends text without quotes, with what is
// open in that: a member follows, or a name that has no value, behind a word that is
// one; in lists and calls no bracket is open.
func (r *Reader) separates(i int, in Place, open [scan.BracketKinds]int) bool {
	if in != inObject {
		return open == [scan.BracketKinds]int{}
	}
	if r.itemFits(i+1, in, false) && (open[scan.Brace] == 0 || r.After(i+1) != '}') {
		return true
	}
	_, _, ok := literal.Word(r.Text[r.Pos:min(i, r.Pos+literal.Longest)])
	return ok && r.LacksValue(i+1)
}

// blanksEnd tells whether text without quotes ends at the blanks between i and j: with
// the line, before a comment, or as its first word, if that stands for a value and the
// next member or element follows.
func (r *Reader) blanksEnd(i, j int, in Place, first bool) bool {
	newline := strings.IndexByte(r.Text[i:j], '\n') >= 0
	switch {
	case newline && (in != inObject || r.itemFits(j, in, false)):
		return true
	case j >= r.End:
		return false
	case r.OpensComment(j):
		return true
	case !first:
		return false
	}
	_, _, ok := literal.Word(r.Text[r.Pos:i])
	return ok && (in == inObject && r.OpensBareKey(j) || in == inArray && r.WordAt(j))
}

// quoteEnds tells whether text without quotes ends at i because a quote is
// there: one that begins something else, or, then with its end, one whose
// opening quote is missing.
func (r *Reader) quoteEnds(i int, in Place) (ends bool, closes int) {
	q := r.QuoteAt(i)
	if q.Size == 0 || i > r.Pos && r.IsApostrophe(i, q) {
		return false, 0
	}
	if r.endsString(i+q.Size, in, false) {
		return true, i + q.Size
	}
	return in == inObject && r.OpensKey(i) || in == inArray && scan.IsBlank(r.Text[i-1]) && r.OpensElement(i, false), 0
}

// classify makes a node of text that had no quotes and ended at a place: a number
// or another value if it is one, unless the schema wants a string. What says null is
// that for all schemas: None is nobody's name.
func (r *Reader) classify(n *jsontext.Node, end int, text string, s *jsonschema.Schema) {
	onlyText := tree.Wants(s, jsontext.String) && !tree.Wants(s, jsontext.Number) && !tree.Wants(s, jsontext.Bool)
	written := r.Text[n.Start:end]
	if k, lit, ok := literal.Word(text); ok && (lit == written || k == jsontext.Null || !onlyText) {
		n.Kind, n.Text = k, lit
		kind := report.Literal
		if k == jsontext.Number {
			kind = report.Number
		}
		if lit != written {
			r.Edit(kind, int(n.Start), end, lit)
		}
		return
	}
	if tree.Wants(s, jsontext.Number) && !tree.Wants(s, jsontext.String) {
		if lit, ok := literal.Amount(text); ok {
			n.Kind, n.Text = jsontext.Number, lit
			r.Edit(report.Number, int(n.Start), end, lit)
			return
		}
	}
	if strings.ContainsAny(text, "\\\"'`<") {
		r.Guesses++
	}
	n.Kind, n.Mark, n.Text = jsontext.String, n.Mark|tree.Bare, r.Quoted(text)
	r.Edit(report.Quotes, int(n.Start), end, n.Text)
}

// code refuses what would have to be run to have a value. In a string it is text.
func (r *Reader) code(at int, what string) {
	if r.outside == 0 {
		r.Fail(report.Unreadable, at, "a value was expected, not code "+what)
	}
}

// types are what other languages write around a value to say its type, by the kind
// of the value in there.
var types = map[string]jsontext.Kind{
	"ObjectId": jsontext.String, "bson.ObjectId": jsontext.String, "UUID": jsontext.String, "uuid.UUID": jsontext.String,
	"Date": jsontext.String, "ISODate": jsontext.String, "date": jsontext.String, "datetime.date": jsontext.String,
	"datetime": jsontext.String, "datetime.datetime": jsontext.String, "Timestamp": jsontext.String,
	"NumberInt": jsontext.String, "NumberLong": jsontext.String, "NumberDecimal": jsontext.String, "Decimal128": jsontext.String,
	"Decimal": jsontext.String, "decimal.Decimal": jsontext.String, "Path": jsontext.String, "PosixPath": jsontext.String,
	"set": jsontext.Array, "Set": jsontext.Array, "frozenset": jsontext.Array, "list": jsontext.Array, "tuple": jsontext.Array,
	"OrderedDict": jsontext.Object,
}

// scalarInType reads the string or the number at i, in a type; false if there is
// none, nil if that is text, with the type.
func (r *Reader) scalarInType(i int) (n *jsontext.Node, ok bool) {
	n = r.Node(jsontext.String, r.Pos)
	if q := r.QuoteAt(i); q.Size > 0 {
		if r.Pos = r.KeyEnd(i); r.Pos < 0 {
			r.Pos, r.Cut = r.End, true
			n.Text = r.encoded(literal.WholeCharacters(r.Text[i+q.Size : r.End]))
		} else {
			n.Text = r.encoded(r.Text[i+q.Size : r.Pos-q.Size])
		}
		return n, true
	}
	end, ok := jsontext.NumberEnd(r.Text[:r.End], i)
	if !ok {
		return nil, r.ByteAt(i) == 0
	}
	if r.After(end) == ',' {
		closing := r.Index(")", end)
		return nil, strings.TrimLeft(r.Text[end:closing], "0123456789,"+scan.Blanks) == "" && r.delimited(closing+1, InText)
	}
	n.Kind, n.Text, r.Pos = jsontext.Number, r.Text[i:end], end
	return n, true
}

// set makes a list of an object of which no member has a value, as Python
// writes sets. Its values are not missing.
func (r *Reader) set(n *jsontext.Node, s *jsonschema.Schema) {
	n.Kind = jsontext.Array
	r.Edit(report.Bracket, int(n.Start), int(n.Start)+1, "[")
	for _, m := range n.Items {
		m.Kind, m.Text, m.Key, m.Mark = jsontext.String, m.Key, "", m.Mark&^tree.Void
		if tree.Is(m, tree.Bare) {
			r.classify(m, int(m.KeySpan.End), tree.TextOf(m), s)
		}
	}
}

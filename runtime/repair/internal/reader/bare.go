package reader

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// readNumber reads a number; it returns nil if there is none at r.Pos.
func (r *Reader) readNumber(in Place) *jsontext.Node {
	end, ok := jsontext.NumberEnd(r.Text[:r.End], r.Pos)
	if !ok || !r.endsNumber(end, in) {
		return nil
	}
	n := r.NewNode(jsontext.Number, r.Pos)
	r.Steps += end - r.Pos
	n.Text, r.Pos = r.Text[r.Pos:end], end
	return n
}

// readBare reads text without quotes: a word for a value, such as None, or a string whose quotes are missing. It
// returns nil for an ellipsis.
func (r *Reader) readBare(in Place, s *jsonschema.Schema) *jsontext.Node {
	start := r.Pos
	end, next := r.findBareEnd(in)
	r.Pos = r.TrimEnd(start, end)
	text := r.Text[start:r.Pos]
	if next > end { // the opening quote is missing
		r.Guesses++
		r.Pos = next
		n := r.NewNode(jsontext.String, start)
		n.Text = QuoteText(text)
		r.Edit(Quotes, start, next, n.Text)
		return n
	}
	if scan.IsEllipsis(text) {
		r.recordEllipsis(start)
		return nil
	}
	if end == r.End && r.Open {
		r.Cut = true
		if text = scan.CompleteWord(text); text == "" {
			return nil
		}
	}
	n := r.NewNode(jsontext.String, start)
	r.classifyBare(n, r.Pos, text, s)
	return n
}

// endsName reports whether c ends a name without quotes.
func endsName(c byte) bool {
	return scan.EndsValue(c) || c == ':' || c == '=' || c == '{' || c == '[' || c == '\n'
}

// recordEllipsis records that the text between start and r.Pos, such as "...", stands for values that the model
// omitted. It sets r.Cut, because values are missing, as in a text that was cut off.
func (r *Reader) recordEllipsis(start int) {
	r.Edit(Ellipsis, start, r.Pos, "")
	r.Cut = true
}

// endsNumber reports whether a number can end at i, given the text that follows.
func (r *Reader) endsNumber(i int, in Place) bool {
	j := r.SkipBlanks(i)
	if r.EndsAt(j) {
		return true
	}
	c := r.Text[j]
	switch {
	case scan.IsSeparator(c):
		return in == inArray || r.itemFits(j+1, in, false) || in == inObject && r.LacksValue(j+1)
	case scan.IsCloser(c) || r.OpensComment(j):
		return true
	case j == i:
		return c == '{' && r.outerKind() == scan.Bracket
	case strings.IndexByte(r.Text[i:j], '\n') >= 0 || r.QuoteAt(j).Size > 0:
		return true
	}
	return opensBareItem(&r.Source, j, in) || in == inArray && (c == '{' || c == '[')
}

// findBareEnd returns the end of the text without quotes at r.Pos, and the position at which reading continues.
// The two differ only if a closing quote ends the text; then next is after the quote.
func (r *Reader) findBareEnd(in Place) (end, next int) {
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
			if r.endsBareAtSeparator(i, in, open) {
				return i, i
			}
		case scan.IsOpener(c):
			open[scan.KindOf(c)]++
			if r.IsLookup(r.Pos, i) {
				r.rejectCode(r.Pos, "with a string in it")
			}
		case scan.IsCloser(c):
			k := scan.KindOf(c)
			if open[k] > 0 {
				open[k]--
			} else if r.mayClose(c, in) {
				return i, i
			}
		case scan.IsBlank(c):
			j := r.SkipBlanks(i)
			if r.endsBareAtBlanks(i, j, in, first) {
				return i, i
			}
			i, first = j-1, false
		default:
			if next, ends := r.endsBareAtQuote(i, in); ends {
				return i, next
			}
		}
	}
	return i, i
}

// endsBareAtSeparator reports whether the separator at i ends text without quotes. In an object, the text ends if
// a member follows, or if the text is a word for a value, such as None, and a name without a value follows. In
// lists and calls, it ends unless it contains an open bracket.
func (r *Reader) endsBareAtSeparator(i int, in Place, open [scan.BracketKinds]int) bool {
	if in != inObject {
		return open == [scan.BracketKinds]int{}
	}
	if r.itemFits(i+1, in, false) && (open[scan.Brace] == 0 || r.ByteAfterBlanks(i+1) != '}') {
		return true
	}
	_, _, ok := scan.ParseWord(r.Text[r.Pos:min(i, r.Pos+scan.Longest)])
	return ok && r.LacksValue(i+1)
}

// endsBareAtBlanks reports whether text without quotes ends at the blanks between i and j. It may end at the end
// of a line or before a comment. It may also end after its first word, if that is a word for a value, such as
// None, and the next member or element follows.
func (r *Reader) endsBareAtBlanks(i, j int, in Place, first bool) bool {
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
	_, _, ok := scan.ParseWord(r.Text[r.Pos:i])
	return ok && opensBareItem(&r.Source, j, in)
}

// opensBareItem reports whether a member or an element without quotes is at j.
func opensBareItem(s *scan.Source, j int, in Place) bool {
	return in == inObject && s.OpensBareKey(j) || in == inArray && s.WordAt(j)
}

// endsBareAtQuote reports whether a quote at i ends text without quotes, and returns the position at which
// reading continues. That is i if the quote opens the next string. If the quote closes a string whose opening
// quote is missing, it is the position after the quote.
func (r *Reader) endsBareAtQuote(i int, in Place) (next int, ends bool) {
	q := r.QuoteAt(i)
	if q.Size == 0 || i > r.Pos && r.IsApostrophe(i, q) {
		return 0, false
	}
	if r.endsString(i+q.Size, in, false) {
		return i + q.Size, true
	}
	return i, in == inObject && r.OpensKey(i) || in == inArray && scan.IsBlank(r.Text[i-1]) && r.OpensElement(i, false)
}

// classifyBare sets the kind and the text of the node n for text without quotes. If the text is a number or a
// word for a value, such as True, n becomes that value, unless the schema requires a string. A word for null
// becomes null whatever the schema says. Any other text becomes a string.
func (r *Reader) classifyBare(n *jsontext.Node, end int, text string, s *jsonschema.Schema) {
	onlyText := WantsKind(s, jsontext.String) && !WantsKind(s, jsontext.Number) && !WantsKind(s, jsontext.Bool)
	written := r.Text[n.Start:end]
	if k, lit, ok := scan.ParseWord(text); ok && (lit == written || k == jsontext.Null || !onlyText) {
		n.Kind, n.Text = k, lit
		kind := Literal
		if k == jsontext.Number {
			kind = Number
		}
		if lit != written {
			r.Edit(kind, int(n.Start), end, lit)
		}
		return
	}
	if WantsKind(s, jsontext.Number) && !WantsKind(s, jsontext.String) {
		if lit, ok := scan.ParseAmount(text); ok {
			n.Kind, n.Text = jsontext.Number, lit
			r.Edit(Number, int(n.Start), end, lit)
			return
		}
	}
	if strings.ContainsAny(text, "\\\"'`<") {
		r.Guesses++
	}
	n.Kind, n.Mark, n.Text = jsontext.String, n.Mark|Bare, QuoteText(text)
	r.Edit(Quotes, int(n.Start), end, n.Text)
}

// rejectCode fails because there is code where a value was expected. Inside a string, code is text, and
// rejectCode does nothing.
func (r *Reader) rejectCode(at int, what string) {
	if r.outside == 0 {
		r.Fail(Unreadable, at, "a value was expected, not code "+what)
	}
}

// typeConstructors are functions that other languages call to state the type of a value, as in ObjectId("5f1").
// The map contains the kind of the value in JSON.
var typeConstructors = map[string]jsontext.Kind{
	"ObjectId": jsontext.String, "bson.ObjectId": jsontext.String, "UUID": jsontext.String, "uuid.UUID": jsontext.String,
	"Date": jsontext.String, "ISODate": jsontext.String, "date": jsontext.String, "datetime.date": jsontext.String,
	"datetime": jsontext.String, "datetime.datetime": jsontext.String, "Timestamp": jsontext.String,
	"NumberInt": jsontext.String, "NumberLong": jsontext.String, "NumberDecimal": jsontext.String, "Decimal128": jsontext.String,
	"Decimal": jsontext.String, "decimal.Decimal": jsontext.String, "Path": jsontext.String, "PosixPath": jsontext.String,
	"set": jsontext.Array, "Set": jsontext.Array, "frozenset": jsontext.Array, "list": jsontext.Array, "tuple": jsontext.Array,
	"OrderedDict": jsontext.Object,
}

// readTypedScalar reads the string or number at i in a type constructor. It returns false if there is none. It
// returns nil and true for a call such as date(2024, 1, 2), which the caller must read as text.
func (r *Reader) readTypedScalar(i int) (n *jsontext.Node, ok bool) {
	n = r.NewNode(jsontext.String, r.Pos)
	if q := r.QuoteAt(i); q.Size > 0 {
		if r.Pos = r.KeyEnd(i); r.Pos < 0 {
			r.Pos, r.Cut = r.End, true
			n.Text = scan.Encode(scan.WholeCharacters(r.Text[i+q.Size : r.End]))
		} else {
			n.Text = scan.Encode(r.Text[i+q.Size : r.Pos-q.Size])
		}
		return n, true
	}
	end, ok := jsontext.NumberEnd(r.Text[:r.End], i)
	if !ok {
		return nil, r.ByteAt(i) == 0
	}
	if r.ByteAfterBlanks(end) == ',' {
		closing := r.Index(")", end)
		return nil, strings.TrimLeft(r.Text[end:closing], "0123456789,"+scan.Blanks) == "" && r.endsNumber(closing+1, InText)
	}
	n.Kind, n.Text, r.Pos = jsontext.Number, r.Text[i:end], end
	return n, true
}

// convertToSet converts an object whose members have no values, such as the Python set {"a", "b"}, into a list.
func (r *Reader) convertToSet(n *jsontext.Node, s *jsonschema.Schema) {
	n.Kind = jsontext.Array
	r.Edit(Bracket, int(n.Start), int(n.Start)+1, "[")
	for _, m := range n.Items {
		m.Kind, m.Text, m.Key, m.Mark = jsontext.String, m.Key, "", m.Mark&^Hole
		if HasMark(m, Bare) {
			r.classifyBare(m, int(m.KeySpan.End), TextOf(m), s)
		}
	}
}

package repair

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// number reads a number; nil if none is at r.pos.
func (r *reader) number(in place) *jsontext.Node {
	end, ok := jsontext.NumberEnd(r.text[:r.end], r.pos)
	if !ok || !r.delimited(end, in) {
		return nil
	}
	n := r.node(jsontext.Number, r.pos)
	r.steps += end - r.pos
	n.Text, r.pos = r.text[r.pos:end], end
	return n
}

// bare reads text without quotes: a word that stands for a value, or a string. It is nil for what stands for values that were left out.
func (r *reader) bare(in place, s *jsonschema.Schema) *jsontext.Node {
	start := r.pos
	end, next := r.bareEnd(in)
	r.pos = r.trimmed(start, end)
	text := r.text[start:r.pos]
	if next > end { // the opening quote is missing
		r.pos = next
		n := r.node(jsontext.String, start)
		n.Text = r.quoted(text)
		r.edit(editQuotes, start, next, n.Text)
		return n
	}
	if isEllipsis(text) {
		r.leftOut(start)
		return nil
	}
	if end == r.end && r.open {
		r.cut = true
		if text = completed(text); text == "" {
			return nil
		}
	}
	n := r.node(jsontext.String, start)
	r.classify(n, r.pos, text, s)
	return n
}

// endsName tells whether c ends a name without quotes.
func endsName(c byte) bool {
	return endsValue(c) || c == ':' || c == '=' || c == '{' || c == '[' || c == '\n'
}

// leftOut records that the text between start and r.pos stands for values that
// are not there: the value is as incomplete as if it had been cut off.
func (r *reader) leftOut(start int) {
	r.edit(editEllipsis, start, r.pos, "")
	r.cut = true
}

// delimited tells whether a number ends at i, for what follows it.
func (r *reader) delimited(i int, in place) bool {
	j := r.blank(i)
	if j >= r.end || r.stopsAt(j) {
		return true
	}
	c := r.text[j]
	switch {
	case isSeparator(c):
		return in == inArray || r.itemFits(j+1, in, false) || in == inObject && r.lacksValue(j+1)
	case isCloser(c) || r.opensComment(j):
		return true
	case j == i:
		return c == '{' && r.outer() == bracket
	case strings.IndexByte(r.text[i:j], '\n') >= 0 || r.quoteAt(j).size > 0:
		return true
	}
	return in == inObject && r.opensBareKey(j) || in == inArray && (c == '{' || c == '[' || r.wordAt(j))
}

// bareEnd returns where the text without quotes at r.pos ends, and what comes
// next; that is further where a quote ends the text.
func (r *reader) bareEnd(in place) (end, next int) {
	var open [bracketKinds]int // brackets in the text
	first := true
	i := r.pos
	defer func() { r.steps += i - r.pos }()
	for ; i < r.end; i++ {
		c := r.text[i]
		if isWord(c) && c < 0x80 {
			continue
		}
		if r.stopsAt(i) {
			return i, i
		}
		switch {
		case isSeparator(c):
			if in == inObject && r.itemFits(i+1, in, false) && (open[brace] == 0 || r.after(i+1) != '}') || in != inObject && open == [bracketKinds]int{} {
				return i, i
			}
			if _, _, ok := word(r.text[r.pos:min(i, r.pos+longestWord)]); ok && in == inObject && r.lacksValue(i+1) {
				return i, i
			}
		case classes[c]&classOpener != 0:
			open[kindOf(c)]++
			if c != '{' && i > r.pos && isWord(r.text[i-1]) && r.quoteAt(r.blank(i+1)).size > 0 {
				r.code(r.pos, "with a string in it") // such as os.environ["HOME"]
			}
		case isCloser(c):
			k := kindOf(c)
			if open[k] > 0 {
				open[k]--
			} else if c != ')' || in == inCall || r.last[parenthesis] >= r.outside {
				return i, i
			}
		case isBlank(c):
			j := r.blank(i)
			if newline := strings.IndexByte(r.text[i:j], '\n') >= 0; newline && (in != inObject || r.itemFits(j, in, false)) || r.wordEnds(i, j, in, first) {
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

// wordEnds tells whether text without quotes ends at the blanks between i and j.
func (r *reader) wordEnds(i, j int, in place, first bool) bool {
	if j >= r.end {
		return false
	}
	if r.opensComment(j) {
		return true
	}
	if !first {
		return false
	}
	_, _, ok := word(r.text[r.pos:i])
	return ok && (in == inObject && r.opensBareKey(j) || in == inArray && r.wordAt(j))
}

// quoteEnds tells whether text without quotes ends at i because a quote is
// there: one that begins something else, or, then with its end, one whose
// opening quote is missing.
func (r *reader) quoteEnds(i int, in place) (ends bool, closes int) {
	q := r.quoteAt(i)
	if q.size == 0 || i > r.pos && r.isApostrophe(i, q) {
		return false, 0
	}
	if r.endsString(i+q.size, in, false) {
		return true, i + q.size
	}
	return in == inObject && r.opensKey(i) || in == inArray && isBlank(r.text[i-1]) && r.opensElement(i, false), 0
}

// classify makes a node of text that had no quotes and ended at a place: a number
// or another value if it is one, unless the schema wants a string. What says null is
// that for all schemas: None is nobody's name.
func (r *reader) classify(n *jsontext.Node, end int, text string, s *jsonschema.Schema) {
	onlyText := wants(s, jsontext.String) && !wants(s, jsontext.Number) && !wants(s, jsontext.Bool)
	written := r.text[n.Start:end]
	if k, lit, ok := word(text); ok && (lit == written || k == jsontext.Null || !onlyText) {
		n.Kind, n.Text = k, lit
		kind := editLiteral
		if k == jsontext.Number {
			kind = editNumber
		}
		if lit != written {
			r.edit(kind, int(n.Start), end, lit)
		}
		return
	}
	if wants(s, jsontext.Number) && !wants(s, jsontext.String) {
		if lit, ok := amount(text); ok {
			n.Kind, n.Text = jsontext.Number, lit
			r.edit(editNumber, int(n.Start), end, lit)
			return
		}
	}
	n.Kind, n.Mark, n.Text = jsontext.String, n.Mark|bare, r.quoted(text)
	r.edit(editQuotes, int(n.Start), end, n.Text)
}

// code refuses what would have to be run to have a value. In a string it is text.
func (r *reader) code(at int, what string) {
	if r.outside == 0 {
		r.fail(codeUnreadable, at, "a value was expected, not code "+what)
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
func (r *reader) scalarInType(i int) (n *jsontext.Node, ok bool) {
	n = r.node(jsontext.String, r.pos)
	if q := r.quoteAt(i); q.size > 0 {
		if r.pos = r.keyEnd(i); r.pos < 0 {
			r.pos, r.cut = r.end, true
			n.Text = r.encoded(wholeCharacters(r.text[i+q.size : r.end]))
		} else {
			n.Text = r.encoded(r.text[i+q.size : r.pos-q.size])
		}
		return n, true
	}
	end, ok := jsontext.NumberEnd(r.text[:r.end], i)
	if !ok {
		return nil, r.byteAt(i) == 0
	}
	if r.after(end) == ',' {
		closing := r.index(")", end)
		return nil, strings.TrimLeft(r.text[end:closing], "0123456789,"+blanks) == "" && r.delimited(closing+1, inText)
	}
	n.Kind, n.Text, r.pos = jsontext.Number, r.text[i:end], end
	return n, true
}

package repair

import (
	"math/big"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// key reads the name of a member, as JSON, and tells whether it had no quotes.
// It is empty for what is none: members that were left out, or a word that
// belongs to nothing.
func (r *reader) key() (lit string, bare bool) {
	start := r.pos
	if r.quoteAt(start).size > 0 {
		return r.string(inKey), false
	}
	for r.pos < r.end && !r.stopsAt(r.pos) && r.quoteAt(r.pos).size == 0 && !endsName(r.text[r.pos]) {
		r.pos++
	}
	r.steps += r.pos - start
	name := r.text[start:r.trimmed(start, r.pos)]
	switch q := r.quoteAt(r.pos); {
	case name == "":
		message := "a member of an object is missing its name"
		if c := r.peek(); c == '{' || c == '[' {
			message = "a member was expected, not a list or an object"
		}
		r.fail(codeUnreadable, start, message)
		return "", true
	case isEllipsis(name):
		r.leftOut(start)
		return "", true
	case q.size > 0 && r.after(r.pos+q.size) == ':': // the opening quote is missing
		r.pos += q.size
	case q.size > 0 && r.opensKey(r.pos):
		r.edit(editText, start, r.pos, "")
		return "", true
	}
	lit = r.encode(name, true)
	r.edit(editQuotes, start, r.pos, lit)
	return lit, true
}

// endsName tells whether c ends a name without quotes.
func endsName(c byte) bool {
	return endsValue(c) || c == ':' || c == '=' || c == '{' || c == '[' || c == '\n'
}

// bare reads text without quotes: a number, a word that stands for a value, or a
// string. It is nil for what stands for values that were left out.
func (r *reader) bare(in place, s *jsonschema.Schema) *jsontext.Node {
	if end, ok := jsontext.NumberEnd(r.text[:r.end], r.pos); ok && r.delimited(end, in) {
		n := r.node(jsontext.Number, r.pos)
		r.steps += end - r.pos
		n.Text, r.pos = r.text[r.pos:end], end
		return n
	}
	if n := r.wrapped(in, s); n != nil || r.err != nil {
		return n
	}
	start := r.pos
	end, next := r.bareEnd(in)
	r.pos = r.trimmed(start, end)
	text := r.text[start:r.pos]
	if next > end { // the opening quote is missing
		r.pos = next
		n := r.node(jsontext.String, start)
		n.Text = r.encode(text, true)
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

func isEllipsis(text string) bool {
	return strings.HasPrefix(text, "...") || strings.HasPrefix(text, "…")
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

// lacksValue tells whether a name in quotes is at i, and no value.
func (r *reader) lacksValue(i int) bool {
	if i = r.blank(i); r.quoteAt(i).size == 0 {
		return false
	}
	end := r.keyEnd(i)
	return end >= 0 && endsValue(r.after(end))
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

// isApostrophe tells whether the quote at i, which is not at the beginning of the
// text, is within a word.
func (r *reader) isApostrophe(i int, q quote) bool {
	return q.class != double && q.class != curly && isWord(r.text[i-1]) && i+q.size < r.end && isWord(r.text[i+q.size])
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
	n.Kind, n.Mark, n.Text = jsontext.String, n.Mark|bare, r.encode(text, true)
	r.edit(editQuotes, int(n.Start), end, n.Text)
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

// wrapped reads a value in one of the types, such as ObjectId("5f1") or set([1, 2]).
// It is nil if something else is at r.pos; what has several numbers is text. Any
// other call is code, whose value nobody knows.
func (r *reader) wrapped(in place, s *jsonschema.Schema) *jsontext.Node {
	start := r.pos
	i := start
	if strings.HasPrefix(r.text[i:r.end], "new ") {
		i = r.blank(i + len("new "))
	}
	from := i
	for i < r.end && (isWord(r.text[i]) && r.text[i] < 0x80 || r.text[i] == '.') {
		i++
	}
	r.steps += i - from
	if i == from || !isLetter(r.text[from]) || r.byteAt(i) != '(' {
		return nil
	}
	name := r.text[from:i]
	i = r.blank(i + 1)
	n, ok := r.inType(name, i, s)
	switch c := r.after(r.pos); {
	case !ok:
	case n == nil || c == 0: // text, or the bracket is missing
		return n
	case c == ')':
		r.pos = r.blank(r.pos) + 1
		ok = r.delimited(r.pos, in)
	default:
		ok = false
	}
	if !ok {
		r.code(start, "that calls "+cut(name))
		r.pos = start
		return nil
	}
	return n
}

// inType reads the value at i in a type; false if there is none, nil if that is
// text, with the type.
func (r *reader) inType(name string, i int, s *jsonschema.Schema) (n *jsontext.Node, ok bool) {
	start := r.pos
	k, known := types[name]
	n = r.node(k, start)
	switch q := r.quoteAt(i); {
	case !known:
		return nil, false
	case k != jsontext.String && r.byteAt(i) == ')':
		r.pos = i
	case k != jsontext.String:
		if c := r.byteAt(i); c == 0 || classes[c]&classOpener == 0 {
			return nil, c == 0
		}
		r.pos = i
		if n = r.value(inText, s); n == nil || n.Kind != k {
			return nil, false
		}
	case q.size > 0:
		end := r.keyEnd(i)
		if r.pos = end; end < 0 {
			r.pos, r.cut = r.end, true
			n.Text = r.encode(wholeCharacters(r.text[i+q.size:r.end]), false)
		} else {
			n.Text = r.encode(r.text[i+q.size:end-q.size], false)
		}
	default:
		end, number := jsontext.NumberEnd(r.text[:r.end], i)
		if !number {
			return nil, r.byteAt(i) == 0
		}
		if r.after(end) == ',' {
			closing := r.index(")", end)
			return nil, strings.TrimLeft(r.text[end:closing], "0123456789,"+blanks) == "" && r.delimited(closing+1, inText)
		}
		n.Kind, n.Text, r.pos = jsontext.Number, r.text[i:end], end
	}
	r.edit(editLiteral, start, i, "")
	return n, true
}

// code refuses what would have to be run to have a value. In a string it is text.
func (r *reader) code(at int, what string) {
	if r.outside == 0 {
		r.fail(codeUnreadable, at, "a value was expected, not code "+what)
	}
}

// longestWord is more than any word or number that stands for a value is likely
// to have; longer ones are found too, but not by looking ahead.
const longestWord = 64

// word returns the value that text stands for where it has no quotes, if any: a
// number, or a word of JSON, Python or JavaScript. There is no JSON for numbers
// that are none.
func word(text string) (k jsontext.Kind, lit string, ok bool) {
	switch text {
	case "true", "True", "TRUE":
		return jsontext.Bool, "true", true
	case "false", "False", "FALSE":
		return jsontext.Bool, "false", true
	case "null", "Null", "NULL", "None", "nil", "undefined", "NaN", "nan", "Infinity", "+Infinity", "-Infinity", "inf", "-inf":
		return jsontext.Null, "null", true
	}
	lit, ok = number(text)
	return jsontext.Number, lit, ok
}

// number returns a number as JSON writes it: also one with a plus, without
// digits before or behind the point, with underscores between digits, or of
// another base.
func number(text string) (lit string, ok bool) {
	if text == "" || isLetter(text[0]) {
		return "", false
	}
	if end, ok := jsontext.NumberEnd(text, 0); ok && end == len(text) {
		return text, true
	}
	sign, digits := "", strings.TrimPrefix(text, "+")
	if rest, negative := strings.CutPrefix(digits, "-"); negative {
		sign, digits = "-", rest
	}
	if len(digits) > 2 && digits[0] == '0' && strings.IndexByte("xXoObB", digits[1]) >= 0 && len(digits) <= longestWord {
		n, ok := new(big.Int).SetString(digits, 0)
		if !ok || digits[2] == '-' || digits[2] == '+' {
			return "", false
		}
		return sign + n.String(), true
	}
	if strings.HasPrefix(digits, ".") && digits != "." {
		digits = "0" + digits
	}
	if strings.HasSuffix(digits, ".") {
		digits += "0"
	}
	if strings.IndexByte(digits, '_') > 0 && !strings.Contains(digits, "__") {
		digits = strings.ReplaceAll(digits, "_", "")
	}
	lit = sign + digits
	end, ok := jsontext.NumberEnd(lit, 0)
	return lit, ok && end == len(lit)
}

// completed returns what text without quotes was to become that was cut off at
// its end: a word is known by its beginning, a number is what was there of it.
// It is empty if nothing was.
func completed(text string) string {
	for _, w := range []string{"true", "false", "null", "True", "False", "None"} {
		if strings.HasPrefix(w, text) {
			return w
		}
	}
	digits := strings.TrimRight(text, "eE+-.")
	if _, ok := number(digits); ok || digits == "" {
		return digits
	}
	return text
}

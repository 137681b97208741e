package repair

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// value reads the value at r.pos. It is nil for what stands for values that were
// left out ("..."), and where the text was cut off before the value.
func (r *reader) value(in place, s *jsonschema.Schema) *jsontext.Node {
	n := r.one(in, s)
	if n != nil && n.End == 0 {
		n.End = int32(r.pos)
	}
	return n
}

func (r *reader) one(in place, s *jsonschema.Schema) *jsontext.Node {
	if n, ok := r.missing(in, s); ok {
		return n
	}
	switch r.text[r.pos] {
	case '{':
		return r.object(s)
	case '[':
		return r.array(bracket, s)
	case '(':
		return r.tuple(s)
	}
	if n := r.escaped(); n != nil {
		return n
	}
	if r.opensString(r.pos) {
		n := r.node(jsontext.String, r.pos)
		n.Text = r.concatenation(in)
		return n
	}
	if n := r.number(in); n != nil {
		return n
	}
	if n := r.wrapped(in, s); n != nil || r.err != nil {
		return n
	}
	return r.bare(in, s)
}

// missing tells whether there is no value at r.pos, but a member, a separator or
// the end, and returns the hole.
func (r *reader) missing(in place, s *jsonschema.Schema) (*jsontext.Node, bool) {
	if i := r.blank(r.pos); in == inObject && r.byteAt(i) == '#' && isWord(r.byteAt(i+1)) {
		r.pos = i
		return nil, false // #ff0000 is no comment
	}
	r.space()
	c := r.peek()
	switch {
	case c == 0 && r.pos == r.end && r.open:
		r.cut = true
		return nil, true
	case endsValue(c):
	case in == inObject && r.opensKey(r.pos):
	default:
		return nil, false
	}
	return r.hole(r.pos, s), true
}

// hole returns what stands where there is no value: null if the schema allows
// nothing else, and else what nothing must be read from.
func (r *reader) hole(at int, s *jsonschema.Schema) *jsontext.Node {
	n := r.node(jsontext.Null, at)
	n.Text = "null"
	if s == nil || s.Speaks() != jsonschema.TypesOf(jsontext.Null) {
		n.Mark = void
	}
	r.edit(editValue, r.pos, r.pos, "null")
	return n
}

func (r *reader) object(s *jsonschema.Schema) *jsontext.Node {
	n := r.node(jsontext.Object, r.pos)
	r.pos++
	if r.push(brace) {
		r.members(n, s)
	}
	return n
}

// members reads what follows the opening brace of an object, and its end.
func (r *reader) members(n *jsontext.Node, s *jsonschema.Schema) {
	defer r.pop()
	edits := len(r.edits)
	doubled, named := 0, false // opening braces; whether a member had a value
	for separated := true; r.err == nil; {
		r.space()
		switch c := r.peek(); {
		case c == 0:
			r.unclosed("}")
		case isCloser(c):
			if !r.closes(c, separated && len(n.Items) > 0) {
				continue
			}
		case isSeparator(c):
			separated = r.comma(separated)
			continue
		case c == '{' && len(n.Items) == 0:
			r.edit(editBracket, r.pos, r.pos+1, "")
			r.pos++
			doubled++
			continue
		case (c == '{' || c == '[') && len(n.Items) > 0 && r.outer() == bracket:
			if separated {
				r.pos = r.lastComma
			}
			r.edit(editBracket, r.pos, r.pos, "}") // the next element begins
		default:
			at := r.pos
			if key, bare := r.key(); key != "" { // else members were left out
				r.separate(&separated, at)
				named = r.member(n, s, at, key, bare) || named
			}
			continue
		}
		break
	}
	for ; doubled > 0 && r.after(r.pos) == '}'; doubled-- {
		r.space()
		r.edit(editBracket, r.pos, r.pos+1, "")
		r.pos++
	}
	if !named && len(n.Items) > 0 && (wants(s, jsontext.Array) || !wants(s, jsontext.Object)) {
		own := slices.DeleteFunc(r.edits[edits:], func(c change) bool {
			return c.kind == editValue || c.kind == editQuotes && r.quoteAt(int(c.from)).size == 0
		})
		r.edits = r.edits[:edits+len(own)]
		r.set(n, itemOf(s, 0))
	}
}

// member reads the member of n whose name was at a place, and tells whether it had
// a value.
func (r *reader) member(n *jsontext.Node, s *jsonschema.Schema, at int, key string, unquoted bool) (named bool) {
	name := jsontext.Span{Start: int32(at), End: int32(r.trimmed(at, r.pos))}
	if !r.colon() {
		if r.pos == r.end && r.open { // so may be the rest of the name
			r.cut = true
			return true
		}
		m := r.hole(at, property(s, jsontext.Unquote(key)))
		m.Span, m.KeySpan, m.Key = name, name, key
		if unquoted {
			m.Mark |= bare
		}
		n.Add(m)
		return false
	}
	m := r.value(inObject, property(s, jsontext.Unquote(key)))
	if m != nil {
		m.Key, m.KeySpan = key, name
		n.Add(m)
	}
	return true
}

// colon reads what is between a name and its value, if there is a value.
func (r *reader) colon() bool {
	r.space()
	c := r.peek()
	switch {
	case c == ':':
		r.pos++
		r.colons()
		return true
	case c == '=':
		size := 1
		if strings.HasPrefix(r.text[r.pos:r.end], "=>") {
			size = 2
		}
		r.edit(editColon, r.pos, r.pos+size, ":")
		r.pos += size
		return true
	case endsValue(c):
		return false
	}
	r.edit(editColon, r.pos, r.pos, ":")
	return true
}

// colons leaves out more colons, unless they may begin the value, as in ::1.
func (r *reader) colons() {
	from := r.blank(r.pos)
	to := from
	for to < r.end && r.text[to] == ':' {
		to++
	}
	r.steps += to - from
	if to > from && !endsValue(r.after(to)) && (r.blank(to) > to || r.quoteAt(to).size > 0 || isOpener(r.text[to])) {
		r.edit(editColon, from, to, "")
		r.pos = to
	}
}

// set makes a list of an object of which no member has a value, as Python
// writes sets. Its values are not missing.
func (r *reader) set(n *jsontext.Node, s *jsonschema.Schema) {
	n.Kind = jsontext.Array
	r.edit(editBracket, int(n.Start), int(n.Start)+1, "[")
	for _, m := range n.Items {
		m.Kind, m.Text, m.Key, m.Mark = jsontext.String, m.Key, "", m.Mark&^void
		if is(m, bare) {
			r.classify(m, int(m.KeySpan.End), textOf(m), s)
		}
	}
}

// array reads a list that ends with the given kind of bracket.
func (r *reader) array(k bracketKind, s *jsonschema.Schema) *jsontext.Node {
	n := r.node(jsontext.Array, r.pos)
	r.pos++
	if r.push(k) {
		r.elements(n, k, s)
	}
	return n
}

// elements reads what follows the opening bracket of a list, and its end.
func (r *reader) elements(n *jsontext.Node, k bracketKind, s *jsonschema.Schema) {
	defer r.pop()
	index := 0
	for separated := true; r.err == nil; {
		r.space()
		switch c := r.peek(); {
		case c == 0:
			r.unclosed("]")
			return
		case isCloser(c):
			if r.closes(c, separated && len(n.Items) > 0 && k == bracket) {
				return
			}
		case isSeparator(c):
			separated = r.comma(separated)
		case c == ':':
			r.edit(editColon, r.pos, r.pos+1, "")
			r.pos++
		case len(n.Items) > 0 && separated && r.outer() == brace && r.opensKey(r.pos):
			r.pos = r.lastComma // the object around goes on
			r.edit(editBracket, r.pos, r.pos, closers[k:k+1])
			return
		default:
			r.separate(&separated, r.pos)
			if e := r.element(itemOf(s, index)); e != nil {
				n.Add(e)
				index++
			}
		}
	}
}

// element reads an element of a list. A name is the beginning of an object.
func (r *reader) element(s *jsonschema.Schema) *jsontext.Node {
	if !r.opensKey(r.pos) {
		return r.value(inArray, s)
	}
	r.edit(editBracket, r.pos, r.pos, "{")
	n := r.node(jsontext.Object, r.pos)
	if r.push(brace) {
		r.members(n, s)
	}
	n.End = int32(r.pos)
	return n
}

// tuple reads what Python writes in parentheses: a list, or a value alone.
func (r *reader) tuple(s *jsonschema.Schema) *jsontext.Node {
	start := r.pos
	n := r.array(parenthesis, s)
	if only := only(n); only != nil && !r.endsWithComma(start) {
		r.edit(editBracket, start, start+1, "")
		return only
	}
	r.edit(editBracket, start, start+1, "[")
	return n
}

// endsWithComma tells whether a comma is before the bracket that was read last.
func (r *reader) endsWithComma(start int) bool {
	before := r.trimmed(start, max(start, r.pos-1))
	return before > start && r.text[before-1] == ','

}

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
	lit = r.quoted(name)
	r.edit(editQuotes, start, r.pos, lit)
	return lit, true
}

// concatenation reads the string at r.pos, and those that a plus adds to it, and
// returns it as JSON.
func (r *reader) concatenation(in place) string {
	start := r.pos
	lit := r.string(in)
	var b strings.Builder
	for {
		plus := r.blank(r.pos)
		next := r.blank(plus + 1)
		if plus >= r.end || r.text[plus] != '+' || !r.opensString(next) {
			break
		}
		b.WriteString(lit[:len(lit)-1])
		r.pos = next
		lit = r.string(in)[1:]
	}
	if b.Len() == 0 {
		return lit
	}
	b.WriteString(lit)
	r.edit(editLiteral, start, r.pos, b.String())
	return b.String()
}

// string reads the string at r.pos and returns it as JSON.
func (r *reader) string(in place) string {
	start := r.pos
	prefix := r.prefix(start)
	r.pos += prefix
	q := r.quoteAt(r.pos)
	s, tripled := r.tripled(q)
	if !tripled {
		if s = r.extent(r.pos+q.size, q.class, in); s.nested {
			r.nested(&s, q.class)
		}
	}
	r.pos = s.next
	r.strings.add(s.from, s.to, tripled || s.closed && s.inner == 0)
	if !tripled && (!s.closed || s.split) {
		r.doubts++
	}
	written, content := r.text[start:s.next], r.text[s.from:s.to]
	if s.unfinished {
		content = wholeCharacters(content)
	}
	if strings.ContainsAny(written[:prefix], "fF") && strings.Contains(content, "{") {
		r.code(start, "that completes a string")
	}
	raw := prefix > 0 && strings.ContainsAny(written[:prefix], "rR")
	right := (!s.rough || !raw && isEncoded(content)) && utf8.ValidString(content)
	raw = raw || !right && isPath(content)
	if right && q.class == double && s.closed && s.inner == 0 && s.from == start+1 {
		return written
	}
	kind, lit := editQuotes, ""
	if raw {
		lit = r.quoted(content)
	} else {
		lit = r.encoded(content)
	}
	if !right && s.closed && s.inner == 0 && q.class == double {
		kind = editEscape
	}
	r.edit(kind, start, s.next, lit)
	return lit
}

// nested reads the value that is the string s, and finds its end.
func (r *reader) nested(s *extent, c quoteClass) {
	edits, outside := len(r.edits), r.outside
	r.outside = len(r.stack)
	r.pos = r.blank(s.from)
	r.levels++
	r.value(inText, nil)
	r.levels--
	r.edits, r.outside = r.edits[:edits], outside
	s.to, s.next = r.pos, r.pos
	s.rough, s.inner = true, 1
	end := r.blank(r.pos)
	if q := r.quoteAt(end); q.size > 0 && c.closedBy(q.class) {
		s.to, s.next = end, end+q.size
	}
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
	k, ok := types[name]
	var n *jsontext.Node
	if ok {
		n, ok = r.inType(k, i, s)
	}
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

// inType reads the value at i, of a kind that is in a type; false if there is none,
// nil if that is text, with the type.
func (r *reader) inType(k jsontext.Kind, i int, s *jsonschema.Schema) (n *jsontext.Node, ok bool) {
	start := r.pos
	switch c := r.byteAt(i); {
	case k == jsontext.String:
		n, ok = r.scalarInType(i)
	case c == ')':
		n, ok, r.pos = r.node(k, start), true, i
	case c == 0 || !isOpener(c):
		return nil, c == 0
	default:
		r.pos = i
		n = r.value(inText, s)
		ok = n != nil && n.Kind == k
	}
	if !ok || n == nil {
		return nil, ok
	}
	r.edit(editLiteral, start, i, "")
	return n, true
}

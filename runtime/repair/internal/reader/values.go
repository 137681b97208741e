package reader

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/literal"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
)

// Value reads the value at r.Pos. It is nil for what stands for values that were
// left out ("..."), and where the text was cut off before the value.
func (r *Reader) Value(in Place, s *jsonschema.Schema) *jsontext.Node {
	n := r.one(in, s)
	if n != nil && n.End == 0 {
		n.End = int32(r.Pos)
	}
	return n
}

func (r *Reader) one(in Place, s *jsonschema.Schema) *jsontext.Node {
	if n, ok := r.missing(in, s); ok {
		return n
	}
	switch r.Text[r.Pos] {
	case '{':
		return r.object(s)
	case '[':
		return r.array(scan.Bracket, s)
	case '(':
		return r.tuple(s)
	}
	if r.Delimiter != "" && strings.HasPrefix(r.Text[r.Pos:r.End], r.Delimiter) {
		return r.delimitedString()
	}
	if r.Delimiter != "" && r.OpensString(r.Pos) {
		r.Fail(report.Ambiguous, r.Pos, "a string without "+r.Delimiter+" around it")
		return nil
	}
	if n := r.escaped(); n != nil {
		return n
	}
	if r.OpensString(r.Pos) {
		n := r.Node(jsontext.String, r.Pos)
		n.Text = r.concatenation(in)
		return n
	}
	if n := r.number(in); n != nil {
		return n
	}
	if n := r.wrapped(in, s); n != nil || r.Err != nil {
		return n
	}
	start := r.Pos
	n := r.bare(in, s)
	if r.Delimiter != "" && strings.Contains(r.Text[start:r.Pos], r.Delimiter) {
		r.Fail(report.Ambiguous, start, "this "+r.Delimiter+" may begin or end a string")
	}
	return n
}

// missing tells whether there is no value at r.Pos, but a member, a separator or
// the end, and returns the hole.
func (r *Reader) missing(in Place, s *jsonschema.Schema) (*jsontext.Node, bool) {
	if i := r.Blank(r.Pos); in == inObject && r.ByteAt(i) == '#' && scan.IsWord(r.ByteAt(i+1)) {
		r.Pos = i
		return nil, false // #ff0000 is no comment
	}
	r.Space()
	c := r.Peek()
	switch {
	case c == 0 && r.Pos == r.End && r.Open:
		r.Cut = true
		return nil, true
	case scan.EndsValue(c):
	case in == inObject && r.OpensKey(r.Pos):
	default:
		return nil, false
	}
	return r.hole(r.Pos, s), true
}

// hole returns what stands where there is no value: null if the schema allows
// nothing else, and else what nothing must be read from.
func (r *Reader) hole(at int, s *jsonschema.Schema) *jsontext.Node {
	n := r.Node(jsontext.Null, at)
	n.Text = "null"
	if s == nil || s.Speaks() != jsonschema.TypesOf(jsontext.Null) {
		n.Mark = tree.Void
	}
	r.Edit(report.Value, r.Pos, r.Pos, "null")
	return n
}

func (r *Reader) object(s *jsonschema.Schema) *jsontext.Node {
	n := r.Node(jsontext.Object, r.Pos)
	r.Pos++
	if r.Push(scan.Brace) {
		r.members(n, s)
	}
	return n
}

// members reads what follows the opening brace of an object, and its end.
func (r *Reader) members(n *jsontext.Node, s *jsonschema.Schema) {
	defer r.Pop()
	edits := len(r.Edits)
	doubled, named := 0, false // opening braces; whether a member had a value
	for separated := true; r.Err == nil; {
		r.Space()
		switch c := r.Peek(); {
		case c == 0:
			r.unclosed("}")
		case scan.IsCloser(c):
			if !r.closes(c, separated && len(n.Items) > 0) {
				continue
			}
		case scan.IsSeparator(c):
			separated = r.comma(separated)
			continue
		case c == '{' && len(n.Items) == 0:
			r.Edit(report.Bracket, r.Pos, r.Pos+1, "")
			r.Pos++
			doubled++
			continue
		case (c == '{' || c == '[') && len(n.Items) > 0 && r.outer() == scan.Bracket:
			if separated {
				r.Pos = r.lastComma
			}
			r.Edit(report.Bracket, r.Pos, r.Pos, "}") // the next element begins
		default:
			at := r.Pos
			if key, bare := r.key(); key != "" { // else members were left out
				r.separate(&separated, at)
				named = r.member(n, s, at, key, bare) || named
			}
			continue
		}
		break
	}
	for ; doubled > 0 && r.After(r.Pos) == '}'; doubled-- {
		r.Space()
		r.Edit(report.Bracket, r.Pos, r.Pos+1, "")
		r.Pos++
	}
	if !named && len(n.Items) > 0 && (tree.Wants(s, jsontext.Array) || !tree.Wants(s, jsontext.Object)) {
		own := slices.DeleteFunc(r.Edits[edits:], func(c report.Change) bool {
			return c.Kind == report.Value || c.Kind == report.Quotes && r.QuoteAt(int(c.From)).Size == 0
		})
		r.Edits = r.Edits[:edits+len(own)]
		r.set(n, tree.ItemOf(s, 0))
	}
}

// member reads the member of n whose name was at a place, and tells whether it had
// a value.
func (r *Reader) member(n *jsontext.Node, s *jsonschema.Schema, at int, key string, unquoted bool) (named bool) {
	name := jsontext.Span{Start: int32(at), End: int32(r.Trimmed(at, r.Pos))}
	if !r.colon() {
		if r.Pos == r.End && r.Open { // so may be the rest of the name
			r.Cut = true
			return true
		}
		m := r.hole(at, tree.Property(s, jsontext.Unquote(key)))
		m.Span, m.KeySpan, m.Key = name, name, key
		if unquoted {
			m.Mark |= tree.Bare
		}
		n.Add(m)
		return false
	}
	m := r.Value(inObject, tree.Property(s, jsontext.Unquote(key)))
	if m != nil {
		m.Key, m.KeySpan = key, name
		n.Add(m)
	}
	return true
}

// array reads a list that ends with the given kind of bracket.
func (r *Reader) array(k scan.BracketKind, s *jsonschema.Schema) *jsontext.Node {
	n := r.Node(jsontext.Array, r.Pos)
	r.Pos++
	if r.Push(k) {
		r.elements(n, k, s)
	}
	return n
}

// elements reads what follows the opening bracket of a list, and its end.
func (r *Reader) elements(n *jsontext.Node, k scan.BracketKind, s *jsonschema.Schema) {
	defer r.Pop()
	index := 0
	for separated := true; r.Err == nil; {
		r.Space()
		switch c := r.Peek(); {
		case c == 0:
			r.unclosed("]")
			return
		case scan.IsCloser(c):
			if r.closes(c, separated && len(n.Items) > 0 && k == scan.Bracket) {
				return
			}
		case scan.IsSeparator(c):
			separated = r.comma(separated)
		case c == ':':
			r.Edit(report.Colon, r.Pos, r.Pos+1, "")
			r.Pos++
		case len(n.Items) > 0 && separated && r.outer() == scan.Brace && r.OpensKey(r.Pos):
			r.Pos = r.lastComma // the object around goes on
			r.Edit(report.Bracket, r.Pos, r.Pos, scan.Closers[k:k+1])
			return
		default:
			r.separate(&separated, r.Pos)
			if e := r.Element(tree.ItemOf(s, index)); e != nil {
				n.Add(e)
				index++
			}
		}
	}
}

// Element reads an element of a list. A name is the beginning of an object.
func (r *Reader) Element(s *jsonschema.Schema) *jsontext.Node {
	if !r.OpensKey(r.Pos) {
		return r.Value(inArray, s)
	}
	r.Edit(report.Bracket, r.Pos, r.Pos, "{")
	n := r.Node(jsontext.Object, r.Pos)
	if r.Push(scan.Brace) {
		r.members(n, s)
	}
	n.End = int32(r.Pos)
	return n
}

// tuple reads what Python writes in parentheses: a list, or a value alone.
func (r *Reader) tuple(s *jsonschema.Schema) *jsontext.Node {
	start := r.Pos
	n := r.array(scan.Parenthesis, s)
	if only := tree.Only(n); only != nil && !r.EndsWithComma(start, r.Pos-1) {
		r.Edit(report.Bracket, start, start+1, "")
		return only
	}
	r.Edit(report.Bracket, start, start+1, "[")
	return n
}

// key reads the name of a member, as JSON, and tells whether it had no quotes.
// It is empty for what is none: members that were left out, or a word that
// belongs to nothing.
func (r *Reader) key() (lit string, bare bool) {
	start := r.Pos
	if r.QuoteAt(start).Size > 0 {
		return r.string(inKey), false
	}
	for r.Pos < r.End && !r.StopsAt(r.Pos) && r.QuoteAt(r.Pos).Size == 0 && !endsName(r.Text[r.Pos]) {
		r.Pos++
	}
	r.Steps += r.Pos - start
	name := r.Text[start:r.Trimmed(start, r.Pos)]
	switch q := r.QuoteAt(r.Pos); {
	case name == "":
		message := "a member of an object is missing its name"
		if c := r.Peek(); c == '{' || c == '[' {
			message = "a member was expected, not a list or an object"
		}
		r.Fail(report.Unreadable, start, message)
		return "", true
	case scan.IsEllipsis(name):
		r.leftOut(start)
		return "", true
	case q.Size > 0 && r.After(r.Pos+q.Size) == ':': // the opening quote is missing
		r.Pos += q.Size
	case q.Size > 0 && r.OpensKey(r.Pos):
		r.Edit(report.Text, start, r.Pos, "")
		return "", true
	}
	lit = r.Quoted(name)
	r.Edit(report.Quotes, start, r.Pos, lit)
	return lit, true
}

// concatenation reads the string at r.Pos, and those that a plus adds to it, and
// returns it as JSON.
func (r *Reader) concatenation(in Place) string {
	start := r.Pos
	lit := r.string(in)
	var b strings.Builder
	parts := 1
	for {
		plus := r.Blank(r.Pos)
		next := r.Blank(plus + 1)
		if plus >= r.End || r.Text[plus] != '+' || !r.OpensString(next) {
			break
		}
		b.WriteString(lit[:len(lit)-1])
		parts++
		r.Pos = next
		lit = r.string(in)[1:]
	}
	if b.Len() == 0 {
		return lit
	}
	b.WriteString(lit)
	if strings.Count(r.Text[start:r.Pos], `"`)-strings.Count(r.Text[start:r.Pos], `\"`) > 2*parts {
		r.Guesses++ // the plus may be in a string with quotes
	}
	r.Edit(report.Literal, start, r.Pos, b.String())
	return b.String()
}

// string reads the string at r.Pos and returns it as JSON.
func (r *Reader) string(in Place) string {
	start := r.Pos
	prefix := r.Prefix(start)
	r.Pos += prefix
	q := r.QuoteAt(r.Pos)
	s, tripled := r.tripled(q)
	if !tripled {
		if s = r.extent(r.Pos+q.Size, q.Class, in); s.nested {
			r.nested(&s, q.Class)
		}
	}
	r.Pos = s.next
	r.Strings.Add(s.from, s.to, tripled || s.closed && s.inner == 0)
	if !tripled && (!s.closed || s.split) {
		r.Doubts++
	}
	if !tripled && !s.nested && s.isGuess(&r.Source, q) {
		r.Guesses++
	}
	written, content := r.Text[start:s.next], r.Text[s.from:s.to]
	if s.unfinished {
		content = literal.WholeCharacters(content)
	}
	if strings.ContainsAny(written[:prefix], "fF") && strings.Contains(content, "{") {
		r.code(start, "that completes a string")
	}
	raw := prefix > 0 && strings.ContainsAny(written[:prefix], "rR")
	right := (!s.rough || !raw && literal.IsEncoded(content)) && utf8.ValidString(content)
	raw = raw || !right && literal.IsPath(content)
	if r.Python && strings.Contains(content, `\N{`) && !raw {
		r.Guesses++ // a character by its name
	}
	if r.Python && !raw && strings.IndexByte(content, '\\') >= 0 {
		lit := literal.EncodePython(content)
		r.Edit(report.Quotes, start, s.next, lit)
		return lit
	}
	if right && q.Class == scan.Double && s.closed && s.inner == 0 && s.from == start+1 {
		return written
	}
	kind, lit := report.Quotes, ""
	if raw {
		lit = r.Quoted(content)
	} else {
		lit = r.encoded(content)
	}
	if !right && s.closed && s.inner == 0 && q.Class == scan.Double {
		kind = report.Escape
	}
	r.Edit(kind, start, s.next, lit)
	return lit
}

// delimitedString reads the string between two delimiters at r.Pos. The format has no
// escapes, so only what may follow a value shows that the second one ends the string.
func (r *Reader) delimitedString() *jsontext.Node {
	n := r.Node(jsontext.String, r.Pos)
	from := r.Pos + len(r.Delimiter)
	end := r.Index(r.Delimiter, from)
	n.Text = r.Quoted(r.Text[from:end])
	r.Pos = min(r.End, end+len(r.Delimiter))
	switch {
	case end == r.End:
		r.Cut = true
	case !scan.EndsValue(r.After(r.Pos)), strings.Contains(r.Text[from:end], r.Delimiter[:len(r.Delimiter)-1]):
		r.Fail(report.Ambiguous, end, "this "+r.Delimiter+" may end a string or be a part of it")
	}
	r.Edit(report.Quotes, int(n.Start), r.Pos, n.Text)
	return n
}

// JSON reads the value at r.Pos if it is valid JSON; nil if it is not. Marks in its strings
// are text, however many there are.
func (r *Reader) JSON() *jsontext.Node {
	d := json.NewDecoder(strings.NewReader(r.Text[r.Pos:r.End]))
	var raw json.RawMessage
	err := d.Decode(&raw)
	var bad *json.SyntaxError
	switch {
	case errors.As(err, &bad):
		r.Steps += int(bad.Offset)
	case err != nil:
		r.Steps += r.End - r.Pos
	}
	if err != nil || !utf8.Valid(raw) {
		return nil
	}
	mark, end, open := r.Mark, r.End, r.Open
	r.Mark, r.End, r.Open = "", r.Pos+int(d.InputOffset()), false
	n := r.Value(InText, nil)
	r.Mark, r.End, r.Open = mark, end, open
	return n
}

// nested reads the value that is the string s, and finds its end.
func (r *Reader) nested(s *extent, c scan.QuoteClass) {
	edits, outside := len(r.Edits), r.outside
	r.outside = len(r.stack)
	r.Pos = r.Blank(s.from)
	r.Levels++
	r.Value(InText, nil)
	r.Levels--
	r.Edits, r.outside = r.Edits[:edits], outside
	s.to, s.next = r.Pos, r.Pos
	s.rough, s.inner = true, 1
	end := r.Blank(r.Pos)
	if q := r.QuoteAt(end); q.Size > 0 && c.ClosedBy(q.Class) {
		s.to, s.next = end, end+q.Size
	}
}

// wrapped reads a value in one of the types, such as ObjectId("5f1") or set([1, 2]).
// It is nil if something else is at r.Pos; what has several numbers is text. Any
// other call is code, whose value nobody knows.
func (r *Reader) wrapped(in Place, s *jsonschema.Schema) *jsontext.Node {
	start := r.Pos
	i := start
	if strings.HasPrefix(r.Text[i:r.End], "new ") {
		i = r.Blank(i + len("new "))
	}
	from := i
	for i < r.End && (scan.IsWord(r.Text[i]) && r.Text[i] < 0x80 || r.Text[i] == '.') {
		i++
	}
	r.Steps += i - from
	if i == from || !scan.IsLetter(r.Text[from]) || r.ByteAt(i) != '(' {
		return nil
	}
	name := r.Text[from:i]
	i = r.Blank(i + 1)
	k, ok := types[name]
	var n *jsontext.Node
	if ok {
		n, ok = r.inType(k, i, s)
	}
	switch c := r.After(r.Pos); {
	case !ok:
	case n == nil || c == 0: // text, or the bracket is missing
		return n
	case c == ')':
		r.Pos = r.Blank(r.Pos) + 1
		ok = r.delimited(r.Pos, in)
	default:
		ok = false
	}
	if !ok {
		r.code(start, "that calls "+report.Cut(name))
		r.Pos = start
		return nil
	}
	return n
}

// inType reads the value at i, of a kind that is in a type; false if there is none,
// nil if that is text, with the type.
func (r *Reader) inType(k jsontext.Kind, i int, s *jsonschema.Schema) (n *jsontext.Node, ok bool) {
	start := r.Pos
	switch c := r.ByteAt(i); {
	case k == jsontext.String:
		n, ok = r.scalarInType(i)
	case c == ')':
		n, ok, r.Pos = r.Node(k, start), true, i
	case c == 0 || !scan.IsOpener(c):
		return nil, c == 0
	default:
		r.Pos = i
		n = r.Value(InText, s)
		ok = n != nil && n.Kind == k
	}
	if !ok || n == nil {
		return nil, ok
	}
	r.Edit(report.Literal, start, i, "")
	return n, true
}

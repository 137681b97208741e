package reader

import (
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// ReadValue reads the value at r.Pos. It returns nil if there is an ellipsis instead of a value, if the text was
// cut off before the value, or if reading fails.
func (r *Reader) ReadValue(in Place, s *jsonschema.Schema) *jsontext.Node {
	n := r.readValue(in, s)
	if n != nil && n.End == 0 {
		n.End = int32(r.Pos)
	}
	return n
}

func (r *Reader) readValue(in Place, s *jsonschema.Schema) *jsontext.Node {
	if n, ok := r.readHole(in, s); ok {
		return n
	}
	switch r.Text[r.Pos] {
	case '{':
		return r.readObject(s)
	case '[':
		return r.readArray(scan.Bracket, s)
	case '(':
		return r.readTuple(s)
	}
	if r.Delimiter != "" {
		if strings.HasPrefix(r.Text[r.Pos:r.End], r.Delimiter) {
			return r.readDelimitedString()
		}
		if r.OpensString(r.Pos) {
			r.Fail(Ambiguous, r.Pos, "a string without "+r.Delimiter+" around it")
			return nil
		}
	}
	if n := r.readEscaped(); n != nil {
		return n
	}
	if r.OpensString(r.Pos) {
		n := r.NewNode(jsontext.String, r.Pos)
		n.Text = r.readConcatenation(in)
		return n
	}
	if n := r.readNumber(in); n != nil {
		return n
	}
	if n := r.readTyped(in, s); n != nil || r.Err != nil {
		return n
	}
	start := r.Pos
	n := r.readBare(in, s)
	if r.Delimiter != "" && strings.Contains(r.Text[start:r.Pos], r.Delimiter) {
		r.Fail(Ambiguous, start, "this "+r.Delimiter+" may begin or end a string")
	}
	return n
}

// readHole reports whether the value at r.Pos is missing: the text ends there, or a separator, a closing bracket
// or the next member is there. It returns a node for the missing value, or nil if the text was cut off.
func (r *Reader) readHole(in Place, s *jsonschema.Schema) (*jsontext.Node, bool) {
	if i := r.SkipBlanks(r.Pos); in == inObject && r.ByteAt(i) == '#' && scan.IsWord(r.ByteAt(i+1)) {
		r.Pos = i
		return nil, false // #ff0000 is not a comment
	}
	r.SkipSpace()
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
	r.Edit(Value, r.Pos, r.Pos, "null")
	return r.newHole(r.Pos, s), true
}

// newHole returns a null for a missing value. The null has the mark Hole unless the schema allows only null. The
// caller must record the edit that inserts the null.
func (r *Reader) newHole(at int, s *jsonschema.Schema) *jsontext.Node {
	n := r.NewNode(jsontext.Null, at)
	n.Text = "null"
	if s == nil || s.Kinds() != jsonschema.TypesOf(jsontext.Null) {
		n.Mark = Hole
	}
	return n
}

func (r *Reader) readObject(s *jsonschema.Schema) *jsontext.Node {
	n := r.NewNode(jsontext.Object, r.Pos)
	r.Pos++
	if r.Push(scan.Brace) {
		r.readMembers(n, s)
	}
	return n
}

// readMembers reads the members of an object after its opening brace, and the closing brace.
func (r *Reader) readMembers(n *jsontext.Node, s *jsonschema.Schema) {
	defer r.Pop()
	firstEdit := len(r.Edits)
	extraBraces, hasValues := 0, false
	for separated := true; r.Err == nil && !r.endsObject(n, separated); {
		c, at := r.Peek(), r.Pos
		switch {
		case scan.IsSeparator(c):
			r.readSeparator(separated)
			separated = true
			continue
		case c == '{' && len(n.Items) == 0:
			r.Edit(Bracket, r.Pos, r.Pos+1, "")
			r.Pos++
			extraBraces++
			continue
		}
		if key, bare := r.readKey(); key != "" { // it is empty for an ellipsis or a stray word
			r.startItem(&separated, at)
			hasValues = r.readMember(n, s, at, key, bare) || hasValues
		}
	}
	for ; extraBraces > 0 && r.ByteAfterBlanks(r.Pos) == '}'; extraBraces-- {
		r.SkipSpace()
		r.Edit(Bracket, r.Pos, r.Pos+1, "")
		r.Pos++
	}
	if !hasValues && len(n.Items) > 0 && (WantsKind(s, jsontext.Array) || !WantsKind(s, jsontext.Object)) {
		r.dropTentative(firstEdit)
		r.convertToSet(n, itemOf(s, 0))
	}
}

// endsObject reports whether an object ends at r.Pos, and reads its closing brace. An object without a closing brace
// also ends before the next element of the list around it.
func (r *Reader) endsObject(n *jsontext.Node, separated bool) bool {
	if r.readEnd("}", separated && len(n.Items) > 0) {
		return true
	}
	if c := r.Peek(); c != '{' && c != '[' || len(n.Items) == 0 || r.outerKind() != scan.Bracket {
		return false
	}
	r.endAtComma(separated, scan.Brace)
	return true
}

// readMember reads the colon and the value of a member of n. The name of the member is key and begins at the
// given position. readMember reports whether there is a value. If there is no value, the edits are tentative, because the name may be an element of a set,
// as in {"a", "b"}.
func (r *Reader) readMember(n *jsontext.Node, s *jsonschema.Schema, at int, key string, bare bool) (hasValue bool) {
	name := jsontext.Span{Start: int32(at), End: int32(r.TrimEnd(at, r.Pos))}
	if !r.readColon() {
		if r.Pos == r.End && r.Open { // the text may have been cut off within the name
			r.Cut = true
			return true
		}
		m := r.newHole(at, PropertyOf(s, jsontext.Unquote(key)))
		r.editTentatively(Value, r.Pos, r.Pos, "null")
		m.Span, m.KeySpan, m.Key = name, name, key
		if bare {
			m.Mark |= Bare
		}
		n.Add(m)
		return false
	}
	m := r.ReadValue(inObject, PropertyOf(s, jsontext.Unquote(key)))
	if m != nil {
		m.Key, m.KeySpan = key, name
		n.Add(m)
	}
	return true
}

// readArray reads a list that ends with the given kind of bracket.
func (r *Reader) readArray(k scan.BracketKind, s *jsonschema.Schema) *jsontext.Node {
	n := r.NewNode(jsontext.Array, r.Pos)
	r.Pos++
	if r.Push(k) {
		r.readElements(n, k, s)
	}
	return n
}

// readElements reads the rest of a list after its opening bracket.
func (r *Reader) readElements(n *jsontext.Node, k scan.BracketKind, s *jsonschema.Schema) {
	defer r.Pop()
	index := 0
	for separated := true; r.Err == nil && !r.endsArray(n, k, separated); {
		switch c := r.Peek(); {
		case scan.IsSeparator(c):
			r.readSeparator(separated)
			separated = true
		case c == ':':
			r.Edit(Colon, r.Pos, r.Pos+1, "")
			r.Pos++
		default:
			r.startItem(&separated, r.Pos)
			if e := r.ReadElement(itemOf(s, index)); e != nil {
				n.Add(e)
				index++
			}
		}
	}
}

// endsArray reports whether a list ends at r.Pos, and reads its closing bracket. A list without a closing bracket
// also ends before the next member of the object around it.
func (r *Reader) endsArray(n *jsontext.Node, k scan.BracketKind, separated bool) bool {
	if r.readEnd("]", separated && len(n.Items) > 0 && k == scan.Bracket) {
		return true
	}
	if len(n.Items) == 0 || !separated || r.outerKind() != scan.Brace || !r.OpensKey(r.Pos) {
		return false
	}
	r.endAtComma(separated, k)
	return true
}

// ReadElement reads an element of a list. If a name is at r.Pos, the element is an object without an opening brace.
func (r *Reader) ReadElement(s *jsonschema.Schema) *jsontext.Node {
	if !r.OpensKey(r.Pos) {
		return r.ReadValue(inArray, s)
	}
	r.Edit(Bracket, r.Pos, r.Pos, "{")
	n := r.NewNode(jsontext.Object, r.Pos)
	if r.Push(scan.Brace) {
		r.readMembers(n, s)
	}
	n.End = int32(r.Pos)
	return n
}

// readTuple reads a Python tuple as a list. It reads a single value in parentheses, such as (1), as that value.
func (r *Reader) readTuple(s *jsonschema.Schema) *jsontext.Node {
	start := r.Pos
	n := r.readArray(scan.Parenthesis, s)
	if only := OnlyItem(n); only != nil && !r.EndsWithComma(start, r.Pos-1) {
		r.Edit(Bracket, start, start+1, "")
		return only
	}
	r.Edit(Bracket, start, start+1, "[")
	return n
}

// readKey reads the name of a member and returns it as JSON. It reports in bare whether the name had no quotes;
// the edit that adds them is tentative. It returns "" for an ellipsis, for a stray word, and if reading fails.
func (r *Reader) readKey() (lit string, bare bool) {
	start := r.Pos
	if r.QuoteAt(start).Size > 0 {
		return r.readString(inKey), false
	}
	for r.Pos < r.End && !r.StopsAt(r.Pos) && r.QuoteAt(r.Pos).Size == 0 && !endsName(r.Text[r.Pos]) {
		r.Pos++
	}
	r.Steps += r.Pos - start
	name := r.Text[start:r.TrimEnd(start, r.Pos)]
	switch q := r.QuoteAt(r.Pos); {
	case name == "":
		message := "a member of an object is missing its name"
		if c := r.Peek(); c == '{' || c == '[' {
			message = "a member was expected, not a list or an object"
		}
		r.Fail(Unreadable, start, message)
		return "", true
	case scan.IsEllipsis(name):
		r.recordEllipsis(start)
		return "", true
	case q.Size > 0 && r.ByteAfterBlanks(r.Pos+q.Size) == ':': // the opening quote is missing
		r.Pos += q.Size
	case q.Size > 0 && r.OpensKey(r.Pos):
		r.Edit(Text, start, r.Pos, "")
		return "", true
	}
	lit = QuoteText(name)
	r.editTentatively(Quotes, start, r.Pos, lit)
	return lit, true
}

// readConcatenation reads the string at r.Pos and the strings that are joined to it with plus signs, and returns the
// result as JSON.
func (r *Reader) readConcatenation(in Place) string {
	start := r.Pos
	lit := r.readString(in)
	var b strings.Builder
	parts := 1
	for {
		plus := r.SkipBlanks(r.Pos)
		next := r.SkipBlanks(plus + 1)
		if plus >= r.End || r.Text[plus] != '+' || !r.OpensString(next) {
			break
		}
		b.WriteString(lit[:len(lit)-1])
		parts++
		r.Pos = next
		lit = r.readString(in)[1:]
	}
	if b.Len() == 0 {
		return lit
	}
	b.WriteString(lit)
	if strings.Count(r.Text[start:r.Pos], `"`)-strings.Count(r.Text[start:r.Pos], `\"`) > 2*parts {
		r.Guesses++ // the plus may be inside a string with quotes
	}
	r.Edit(Literal, start, r.Pos, b.String())
	return b.String()
}

// readString reads the string at r.Pos and returns it as JSON.
func (r *Reader) readString(in Place) string {
	start := r.Pos
	prefix := r.StringPrefix(start)
	r.Pos += prefix
	q := r.QuoteAt(r.Pos)
	s := readExtent(r, q, in)
	content := r.Text[s.from:s.to]
	if s.unfinished {
		content = scan.WholeCharacters(content)
	}
	letters := r.Text[start : start+prefix]
	if strings.ContainsAny(letters, "fF") && strings.Contains(content, "{") {
		r.rejectCode(start, "that completes a string")
	}
	raw := strings.ContainsAny(letters, "rR")
	valid := s.isValidJSON(content, raw)
	raw = raw || !valid && scan.IsPath(content)
	if r.Python && !raw && strings.IndexByte(content, '\\') >= 0 {
		if strings.Contains(content, `\N{`) {
			r.Guesses++ // the escape of a character by its name is not supported
		}
		lit := scan.EncodePython(content)
		r.Edit(Quotes, start, s.next, lit)
		return lit
	}
	kind, lit := Quotes, ""
	if q.Class == scan.Double && s.isClean() {
		switch {
		case !valid:
			kind = Escape
		case s.from == start+1:
			return r.Text[start:s.next]
		}
	}
	if raw {
		lit = QuoteText(content)
	} else {
		lit = scan.Encode(content)
	}
	r.Edit(kind, start, s.next, lit)
	return lit
}

// readExtent reads the string with an opening quote at r.Pos. If the end of the string is uncertain, readExtent
// adds to r.Doubts and r.Guesses.
func readExtent(r *Reader, q scan.Quote, in Place) extent {
	s, tripled := r.tripleQuoted(q)
	if !tripled {
		if s = r.findExtent(r.Pos+q.Size, q.Class, in); s.nested {
			r.readNested(&s, q.Class)
		}
		if !s.closed || s.split {
			r.Doubts++
		}
		if !s.nested && s.isGuess(&r.Source, q) {
			r.Guesses++
		}
	}
	r.Pos = s.next
	r.Strings.Add(s.from, s.to, tripled || s.isClean())
	return s
}

// readDelimitedString reads the string between two delimiters at r.Pos. The format has no escapes. The second
// delimiter ends the string only if the text after it can follow a value.
func (r *Reader) readDelimitedString() *jsontext.Node {
	n := r.NewNode(jsontext.String, r.Pos)
	from := r.Pos + len(r.Delimiter)
	end := r.Index(r.Delimiter, from)
	n.Text = QuoteText(r.Text[from:end])
	r.Pos = min(r.End, end+len(r.Delimiter))
	switch {
	case end == r.End:
		r.Cut = true
	case !scan.EndsValue(r.ByteAfterBlanks(r.Pos)), strings.Contains(r.Text[from:end], r.Delimiter[:len(r.Delimiter)-1]):
		r.Fail(Ambiguous, end, "this "+r.Delimiter+" may end a string or be a part of it")
	}
	r.Edit(Quotes, int(n.Start), r.Pos, n.Text)
	return n
}

// ReadJSON reads the value at r.Pos, or returns nil if the value is not valid JSON. It ignores r.Mark.
func (r *Reader) ReadJSON() *jsontext.Node {
	n, end, err := jsontext.ParseAt(r.Text[:r.End], r.Pos, jsontext.MaxDepth)
	r.Steps += end - r.Pos
	if err != nil || !utf8.ValidString(r.Text[r.Pos:end]) {
		return nil
	}
	r.Pos = end
	return n
}

// readNested reads the value inside the string s and finds the end of the string.
func (r *Reader) readNested(s *extent, c scan.QuoteClass) {
	edits, outside := len(r.Edits), r.outside
	r.outside = len(r.stack)
	r.Pos = r.SkipBlanks(s.from)
	r.Levels++
	r.ReadValue(InText, nil)
	r.Levels--
	r.Edits, r.outside = r.Edits[:edits], outside
	s.to, s.next = r.Pos, r.Pos
	s.hasEscapes, s.innerQuotes = true, 1
	end := r.SkipBlanks(r.Pos)
	if q := r.QuoteAt(end); q.Size > 0 && c.ClosedBy(q.Class) {
		s.to, s.next = end, end+q.Size
	}
}

// readTyped reads a value in a type constructor, such as ObjectId("5f1") or set([1, 2]). It returns nil if there
// is no call at r.Pos. It also returns nil for a constructor with several numbers, such as date(2024, 1, 2),
// which the caller reads as text. It fails for any other call, because that is code.
func (r *Reader) readTyped(in Place, s *jsonschema.Schema) *jsontext.Node {
	start := r.Pos
	i := start
	if strings.HasPrefix(r.Text[i:r.End], "new ") {
		i = r.SkipBlanks(i + len("new "))
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
	i = r.SkipBlanks(i + 1)
	k, ok := typeConstructors[name]
	var n *jsontext.Node
	if ok {
		n, ok = r.readTypedValue(k, i, s)
	}
	switch c := r.ByteAfterBlanks(r.Pos); {
	case !ok:
	case n == nil || c == 0: // text, or the closing bracket is missing
		return n
	case c == ')':
		r.Pos = r.SkipBlanks(r.Pos) + 1
		ok = r.endsNumber(r.Pos, in)
	default:
		ok = false
	}
	if !ok {
		r.rejectCode(start, "that calls "+CutShown(name))
		r.Pos = start
		return nil
	}
	return n
}

// readTypedValue reads the value of kind k at i in a type constructor. It returns false if there is no such
// value. It returns nil and true if the caller must read the whole call as text.
func (r *Reader) readTypedValue(k jsontext.Kind, i int, s *jsonschema.Schema) (n *jsontext.Node, ok bool) {
	start := r.Pos
	switch c := r.ByteAt(i); {
	case k == jsontext.String:
		n, ok = r.readTypedScalar(i)
	case c == ')':
		n, ok, r.Pos = r.NewNode(k, start), true, i
	case c == 0 || !scan.IsOpener(c):
		return nil, c == 0
	default:
		r.Pos = i
		n = r.ReadValue(InText, s)
		ok = n != nil && n.Kind == k
	}
	if !ok || n == nil {
		return nil, ok
	}
	r.Edit(Literal, start, i, "")
	return n, true
}

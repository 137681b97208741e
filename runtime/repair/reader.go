package repair

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// reader reads values out of a text from left to right, each byte once but for
// short looks ahead: what a value is, is decided where it begins, and never
// taken back. Where JSON's grammar does not go on, it does one of these:
//
//   - a bracket closes the innermost thing that it can close; what is open
//     within that is closed before. But an object goes on if a member follows
//     where only elements could.
//   - a quote ends a string if what follows could follow a string here; else it
//     is a part of the string, unless it opens the next member or element.
//   - a comma ends text without quotes in an object if a member follows.
//   - a name where a value belongs begins a member.
//
// Each such decision is an edit. A text without edits is valid JSON, and valid
// JSON has none.
type reader struct {
	text string
	pos  int
	end  int    // of what is to be read
	mark string // what comes at end, or nearer: the end of a fence or a tag
	open bool   // nothing comes at end: the text may have been cut off there
	cut  bool   // it was

	arena
	edits     []change
	editing   bool             // edits are wanted
	made      *strings.Builder // what edits and literals say that the text does not, one after another
	kept      int              // how many edits are those of values before
	err       *failure         // why reading stopped
	stack     []frame
	last      [bracketKinds]int // the innermost frame of each kind; -1 for none
	outside   int               // frames that are around a string that is being read as a value
	levels    int               // how many such strings there are
	lastComma int
	lastLine  int // where the last line of what is to be read begins
	quotes    [quoteClasses]known
	marks     map[string]known
	doubts    int    // strings that may be several or end in code, and commas that are missing
	tracked   bool   // whether places of strings are kept
	literals  []span // of those that have both quotes and none within
	doubtful  []span // of the others
	steps     int    // bytes that were looked at, for tests
}

// A frame is an open bracket.
type frame struct {
	kind  bracketKind
	outer int // the next frame of the same kind
}

type bracketKind uint8

const (
	brace bracketKind = iota
	bracket
	parenthesis
	bracketKinds
)

// maxDepth bounds how deeply values are nested; it is that of encoding/json.
const maxDepth = 10_000

// newReader returns a reader of text[from:to].
func newReader(text string, from, to int) *reader {
	r := &reader{text: text, pos: from, end: to, open: to == len(text), made: new(strings.Builder)}
	r.last = [bracketKinds]int{-1, -1, -1}
	r.lastLine = from + strings.LastIndexByte(text[from:to], '\n') + 1
	return r
}

// place is what is being read; it decides what may follow.
type place uint8

const (
	inText   place = iota // a value by itself
	inKey                 // the name of a member
	inObject              // the value of a member
	inArray               // an element
	inCall                // an argument of a function
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

// comma reads a separator. There should be one between two values.
func (r *reader) comma(separated bool) bool {
	if separated {
		r.edit(editComma, r.pos, r.pos+1, "")
	} else if r.text[r.pos] != ',' {
		r.edit(editComma, r.pos, r.pos+1, ",")
	}
	r.lastComma = r.pos
	r.pos++
	return true
}

// separate is called for a member or an element that begins at a place.
func (r *reader) separate(separated *bool, at int) {
	if !*separated {
		r.edit(editComma, at, at, ",")
		r.doubts++
	}
	*separated = false
}

// closes deals with the closing bracket at r.pos, and tells whether the
// innermost object or list ends there. What was separated from it by a comma
// never came.
func (r *reader) closes(c byte, separated bool) bool {
	own := r.stack[len(r.stack)-1].kind
	k := kindOf(c)
	at := r.last[k] // what it closes, if that is open
	switch {
	case at < r.outside && (r.itemFollows(r.pos+1) || r.after(r.pos+1) == closers[own]):
		r.edit(editBracket, r.pos, r.pos+1, "")
		r.pos++
		return false
	case at < r.outside:
		r.edit(editBracket, r.pos, r.pos+1, closers[own:own+1])
		r.pos++
	case k == brace && r.memberFollows() && (at == r.outside || r.stack[at-1].kind != brace):
		if k == own {
			r.edit(editBracket, r.pos, r.pos+1, "")
			r.pos++
			return false
		}
		r.edit(editBracket, r.pos, r.pos+1, closers[own:own+1])
		r.pos++
	case k != own:
		r.edit(editBracket, r.pos, r.pos, closers[own:own+1])
	default:
		r.pos++
	}
	if separated {
		r.edit(editComma, r.lastComma, r.lastComma+1, "")
	}
	return true
}

// unclosed deals with the end of what is to be read, within an object or list.
func (r *reader) unclosed(closer string) {
	kind := editBracket
	if r.open && r.pos >= r.end {
		kind, r.cut = editCut, true
	}
	r.edit(kind, r.pos, r.pos, closer)
}

// outer returns the kind of what is around the innermost object or list.
func (r *reader) outer() bracketKind {
	if len(r.stack) < r.outside+2 {
		return bracketKinds
	}
	return r.stack[len(r.stack)-2].kind
}

func (r *reader) push(k bracketKind) bool {
	if len(r.stack) >= maxDepth {
		r.fail(codeTooDeep, r.pos-1, "values are nested more than 10000 levels deep")
		return false
	}
	r.stack = append(r.stack, frame{kind: k, outer: r.last[k]})
	r.last[k] = len(r.stack) - 1
	return true
}

func (r *reader) pop() {
	f := r.stack[len(r.stack)-1]
	r.stack = r.stack[:len(r.stack)-1]
	r.last[f.kind] = f.outer
}

// peek returns the byte at r.pos, or 0 at the end of what is to be read, and
// where something else than a value begins.
func (r *reader) peek() byte {
	if r.pos >= r.end || r.stopsAt(r.pos) {
		return 0
	}
	return r.text[r.pos]
}

// edit records that after was read instead of text[from:to]. What is left out in
// a row is one change.
func (r *reader) edit(kind editKind, from, to int, after string) {
	if !r.editing {
		return
	}
	if n := len(r.edits); n > r.kept && after == "" {
		if last := &r.edits[n-1]; last.kind == kind && last.size == 0 && int(last.to) == from {
			last.to = int32(to)
			return
		}
	}
	r.edits = appended(r.edits, r.change(kind, from, to, after))
}

func (r *reader) fail(code string, at int, message string) {
	if r.err == nil {
		r.err = &failure{code, at, message}
	}
}

// appended appends to a list that may become long: append would copy it more
// often.
func appended[T any](list []T, one T) []T {
	if len(list) == cap(list) {
		list = slices.Grow(list, max(8, len(list)))
	}
	return append(list, one)
}

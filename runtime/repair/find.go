package repair

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// A finder finds the values in a text.
type finder struct {
	*reader
	schema *jsonschema.Schema
	found  []document
	failed document // of what cannot be read, the first of the highest rank; if it has a failure

	fence string // that is open
	code  bool   // it is for something else than JSON
	start bool   // only marks came since the beginning of the text or the fence, or the last value
	fresh bool   // and no value
}

func newFinder(text string, from int, s *jsonschema.Schema) *finder {
	return &finder{reader: newReader(text, from, len(text)), schema: s, start: true, fresh: true}
}

// find reads the values from f.pos on, until the end.
func (f *finder) find() {
	for f.pos < f.end {
		if f.start {
			f.space()
			f.edits = f.edits[:f.kept]
		}
		if f.pos == f.end {
			break
		}
		switch c := f.text[f.pos]; {
		case f.fenceMark():
		case c == '<' && f.tag():
		case c == '{' || c == '[':
			f.container()
		case f.start && c == '`' || f.start && !f.fresh && (c == ',' || c == ';'):
			f.pos++
		case f.fresh && f.whole():
		default:
			f.prose()
		}
	}
}

// prose skips what is no value.
func (f *finder) prose() {
	f.start, f.fresh = false, false
	f.pos++
	for f.pos < f.end && classes[f.text[f.pos]]&(classOpener|classStop) == 0 {
		f.pos++
	}
}

// fenceMark reads the mark of a fence, if one is at f.pos.
func (f *finder) fenceMark() bool {
	rest := f.text[f.pos:f.end]
	if !strings.HasPrefix(rest, "```") && !strings.HasPrefix(rest, "~~~") {
		return false
	}
	size := len(rest) - len(strings.TrimLeft(rest, rest[:1]))
	f.pos += size
	if f.fence != "" {
		f.fence, f.start, f.fresh = "", false, false
		return true
	}
	label := f.pos
	for f.pos < f.end && isWord(f.text[f.pos]) {
		f.pos++
	}
	f.fence = rest[:3]
	f.code = f.pos > label && !strings.HasPrefix(strings.ToLower(f.text[label:f.pos]), "json")
	f.start, f.fresh = true, true
	return true
}

// tag skips the tag at f.pos, if there is one, and thoughts.
func (f *finder) tag() bool {
	end := f.tagEnd(f.pos)
	if end == 0 {
		return false
	}
	tag := f.text[f.pos:end]
	f.pos = end
	for _, e := range thoughts {
		if tag == e.open {
			f.pos = min(f.end, f.index(e.close, end)+len(e.close))
			f.start, f.fresh = true, true
		}
	}
	return true
}

// container reads the object or list at f.pos, if it is one.
func (f *finder) container() {
	innermost, inside := f.inside()
	if f.isEscape(inside) && f.levels < mostLevels {
		f.unescape()
		return
	}
	clear := f.promises(innermost, inside)
	if !clear && !f.start {
		f.prose()
		return
	}
	d := f.begin()
	switch {
	case f.fence != "" && f.code:
		d.rank = rankCode
	case f.fence != "":
		d.rank = rankFence
	case f.start && len(f.found) > 0: // the next in a row
		d.rank = f.found[len(f.found)-1].rank
	default:
		d.rank = rankProse
	}
	alone, plain := f.start, innermost == '[' && f.quoteAt(inside).size == 0
	d.value = f.value(inText, f.schema)
	if plain && d.rank == rankProse && !(alone && f.endsLine(f.pos)) {
		d.rank = rankPlain
	}
	if !clear && f.err != nil && f.err.code == codeUnreadable {
		f.err, f.cut = nil, true // it was prose
	}
	f.keep(d, clear || !f.cut && f.after(f.pos) == 0 && (f.fence != "" && innermost == '[' || !isRemark(d.value)))
}

// endsLine tells whether nothing is between i and the end of the line, but
// separators.
func (f *finder) endsLine(i int) bool {
	for i < f.end && f.text[i] != '\n' && (isBlank(f.text[i]) || isSeparator(f.text[i])) {
		i++
	}
	return i == f.end || f.text[i] == '\n'
}

// isRemark tells whether n is a remark in brackets, such as [citation needed], or
// what stands for a value in braces.
func isRemark(n *jsontext.Node) bool {
	only := only(n)
	return only != nil && is(only, bare) && !strings.ContainsAny(only.Text, "0123456789")
}

// begin is called where a value begins, and keep where it ends.
func (f *finder) begin() document {
	f.edits, f.cut = f.edits[:f.kept], false
	if f.fence != "" {
		f.mark = "\n" + f.fence
	}
	return document{from: f.pos}
}

// keep keeps a value that was read, if it is what it should be.
func (f *finder) keep(d document, isOne bool) {
	f.mark = ""
	f.pos = max(f.pos, d.from+1)
	f.start, f.fresh = true, false
	switch {
	case f.err != nil:
		d.failure, f.err = f.err, nil
		if f.failed.failure == nil || d.rank > f.failed.rank {
			f.failed = d
		}
		f.start = false
		f.pos = f.index("```", f.pos) // what is in it is no value by itself
	case isOne:
		d.to, d.edits, d.cut = f.pos, slices.Clip(f.edits[f.kept:]), f.cut
		f.found = append(f.found, d)
		f.kept = len(f.edits)
	}
}

// inside returns what is inside of the bracket at f.pos and of those that
// follow, of which there are only a few, and the innermost of them.
func (f *finder) inside() (innermost byte, i int) {
	i = f.pos
	for range 4 {
		if i == f.end || f.text[i] != '{' && f.text[i] != '[' {
			break
		}
		innermost = f.text[i]
		i = f.blank(i + 1)
	}
	return innermost, i
}

// promises tells whether what is at i shows that the brackets at f.pos begin an
// object or list, and are not those of prose.
func (f *finder) promises(innermost byte, i int) bool {
	if i == f.end {
		return f.start
	}
	c, quoted := f.text[i], f.quoteAt(i).size > 0
	if innermost == '{' {
		return f.opensKey(i) || f.opensBareKey(i) || f.opensComment(i) ||
			quoted && (f.start || f.keyEnd(i) < 0) || c == '}' && f.introduced()
	}
	return quoted && c != '`' || f.introduced() && (c == ']' || f.wordAt(i) || isEllipsis(f.text[i:f.end]))
}

// introduced tells whether what is at f.pos stands by itself, or behind a colon
// or the like.
func (f *finder) introduced() bool {
	before := strings.TrimRight(f.text[max(0, f.pos-longestWord):f.pos], " \t")
	return before == "" && f.pos < longestWord || before != "" && strings.IndexByte("\n\r:=>`(", before[len(before)-1]) >= 0
}

// whole reads what is by itself in the text or the fence: a member, or a value
// that is neither object nor list.
func (f *finder) whole() bool {
	f.fresh = false
	if f.opensKey(f.pos) {
		d := f.begin()
		d.rank = rankProse
		d.value = f.element(f.schema)
		f.keep(d, true)
		return true
	}
	if f.row() {
		return true
	}
	end := f.end
	if f.fence != "" {
		if i := strings.Index(f.text[f.pos:], f.fence); i >= 0 {
			end = f.pos + i
		}
	}
	r := newReader(f.text, f.pos, f.pos+len(strings.TrimRight(f.text[f.pos:end], blanks+",;")))
	r.open = r.end == f.end
	r.strings, r.editing, r.made = f.strings, f.editing, f.made
	known := f.strings.now()
	n := r.scalar(f.schema)
	if n != nil {
		n.End = int32(r.pos)
	}
	if n == nil || r.pos != r.end || r.err != nil || r.cut && strings.Count(f.text[f.pos:r.end], `"`) != 1 {
		f.strings.back(known)
		return false
	}
	f.found = append(f.found, document{value: n, from: f.pos, to: r.pos, edits: r.edits, cut: r.cut, rank: rankFence})
	f.pos = r.pos
	return true
}

// row reads strings of JSON with commas between them, if they are all that the
// text or the fence has.
func (f *finder) row() bool {
	var all []document
	i := f.pos
	for {
		from := i
		if f.byteAt(i) != '"' {
			return false
		}
		if i = f.keyEnd(i); i < 0 || !utf8.ValidString(f.text[from:i]) || !json.Valid([]byte(f.text[from:i])) {
			return false
		}
		n := f.node(jsontext.String, from)
		n.Text, n.End = f.text[from:i], int32(i)
		all = append(all, document{value: n, from: from, to: i, rank: rankFence})
		if i = f.blank(i); i == f.end || f.fence != "" && strings.HasPrefix(f.text[i:f.end], f.fence) {
			break
		}
		if f.text[i] != ',' {
			return false
		}
		i = f.blank(i + 1)
	}
	if len(all) == 1 {
		return false
	}
	f.pos = i
	for _, d := range all {
		f.strings.add(d.from+1, d.to-1, true)
	}
	f.found = append(f.found, all...)
	return true
}

// scalar reads a value that is neither object nor list, and a tuple, or nothing.
func (r *reader) scalar(s *jsonschema.Schema) *jsontext.Node {
	switch {
	case r.text[r.pos] == '(':
		return r.tuple(s)
	case r.quoteAt(r.pos).size > 0:
		n := r.node(jsontext.String, r.pos)
		n.Text = r.concatenation(inText)
		return n
	}
	if r.end-r.pos > longestWord {
		if end, ok := jsontext.NumberEnd(r.text[:r.end], r.pos); !ok || end < r.end {
			return nil
		}
	}
	text := r.text[r.pos:r.end]
	if _, _, ok := word(text); !ok {
		return nil
	}
	n := r.node(jsontext.String, r.pos)
	r.classify(n, r.end, text, s)
	r.pos = r.end
	return n
}

// isEscape tells whether an escaped quote or line break is at i.
func (f *finder) isEscape(i int) bool {
	if f.byteAt(i) != '\\' {
		return false
	}
	rest := strings.TrimLeft(f.text[i:min(f.end, i+1<<mostLevels)], `\`)
	return rest != "" && (rest[0] == '"' || rest[0] == 'n')
}

// mostLevels bounds how often text is read that was put into a string again and
// again.
const mostLevels = 4

// unescape reads the rest of the text without one level of backslashes.
func (f *finder) unescape() {
	inner := newFinder(unescaped(f.text[f.pos:f.end]), 0, f.schema)
	inner.editing, inner.made, inner.levels = f.editing, f.made, f.levels+1
	inner.fence, inner.code, inner.start = f.fence, f.code, f.start
	inner.find()
	for _, d := range inner.found {
		for i := range d.edits {
			d.edits[i].from, d.edits[i].to = int32(f.pos), int32(f.pos)
		}
		if f.editing {
			d.edits = append(d.edits, f.change(editEscape, f.pos, f.end, inner.text))
		}
		d.from, d.to = f.pos, f.end
		relocate(d.value, jsontext.Span{Start: int32(d.from), End: int32(d.to)})
		f.found = append(f.found, d)
	}
	if bad := inner.failed; bad.failure != nil && f.failed.failure == nil {
		bad.failure.at = f.pos
		f.failed = bad
	}
	f.pos = f.end
}

// unescaped returns text without one level of backslashes.
func unescaped(text string) string {
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' && i+1 < len(text) {
			i++
			switch c = text[i]; c {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case 'r':
				c = '\r'
			case '"', '\\', '/':
			default:
				b = append(b, '\\')
			}
		}
		b = append(b, c)
	}
	return string(b)
}

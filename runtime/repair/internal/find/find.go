package find

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/literal"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
)

// A Finder finds the values in a text.
type Finder struct {
	*reader.Reader
	schema *jsonschema.Schema
	Found  []Document
	Failed Document // of what cannot be read, the first of the highest rank; if it has a failure

	fence string // that is open
	code  bool   // it is for something else than JSON
	start bool   // only marks came since the beginning of the text or the fence, or the last value
	fresh bool   // and no value
	tried int    // bytes that were read as a value by itself, and are none
}

func New(text string, from int, s *jsonschema.Schema) *Finder {
	return &Finder{Reader: reader.New(text, from, len(text)), schema: s, start: true, fresh: true}
}

// Find reads the values from f.Pos on, until the end.
func (f *Finder) Find() {
	for f.Pos < f.End {
		if f.start {
			f.Space()
			f.Edits = f.Edits[:f.Kept]
		}
		if f.Pos == f.End {
			break
		}
		switch c := f.Text[f.Pos]; {
		case f.fenceMark():
		case c == '<' && f.tag():
		case c == '{' || c == '[':
			f.container()
		case f.start && c == '`' || f.start && !f.fresh && (c == ',' || c == ';'):
			f.Pos++
		case f.fresh && f.whole():
		default:
			f.prose()
		}
	}
}

// prose skips what is no value.
func (f *Finder) prose() {
	f.start, f.fresh = false, false
	f.Pos++
	for f.Pos < f.End && !scan.IsOpener(f.Text[f.Pos]) && !scan.IsStop(f.Text[f.Pos]) {
		f.Pos++
	}
}

// fenceMark reads the mark of a fence, if one is at f.Pos.
func (f *Finder) fenceMark() bool {
	rest := f.Text[f.Pos:f.End]
	if !strings.HasPrefix(rest, "```") && !strings.HasPrefix(rest, "~~~") {
		return false
	}
	size := len(rest) - len(strings.TrimLeft(rest, rest[:1]))
	f.Pos += size
	if f.fence != "" {
		f.fence, f.start, f.fresh = "", false, false
		return true
	}
	label := f.Pos
	for f.Pos < f.End && scan.IsWord(f.Text[f.Pos]) {
		f.Pos++
	}
	f.fence = rest[:3]
	f.code = f.Pos > label && !strings.HasPrefix(strings.ToLower(f.Text[label:f.Pos]), "json")
	f.start, f.fresh = true, true
	return true
}

// tag skips the tag at f.Pos, if there is one, and thoughts.
func (f *Finder) tag() bool {
	end := f.TagEnd(f.Pos)
	if end == 0 {
		return false
	}
	tag := f.Text[f.Pos:end]
	f.Pos = end
	for _, e := range scan.Thoughts {
		if tag == e.Open {
			f.Pos = min(f.End, f.Index(e.Close, end)+len(e.Close))
			f.start, f.fresh = true, true
		}
	}
	return true
}

// container reads the object or list at f.Pos, if it is one.
func (f *Finder) container() {
	innermost, inside := f.inside()
	if f.isEscape(inside) && f.Levels < reader.MostLevels {
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
	case f.start && len(f.Found) > 0: // the next in a row
		d.rank = f.Found[len(f.Found)-1].rank
	default:
		d.rank = rankProse
	}
	alone, plain := f.start, innermost == '[' && f.QuoteAt(inside).Size == 0
	d.Value = f.Value(reader.InText, f.schema)
	if plain && d.rank == rankProse && !(alone && f.endsLine(f.Pos)) {
		d.rank = rankPlain
	}
	if !clear && f.Err != nil && f.Err.Code == report.Unreadable {
		f.Err, f.Cut = nil, true // it was prose
	}
	f.keep(d, clear || !f.Cut && f.After(f.Pos) == 0 && (f.fence != "" && innermost == '[' || !isRemark(d.Value)))
}

// endsLine tells whether nothing is between i and the end of the line, but
// separators.
func (f *Finder) endsLine(i int) bool {
	for i < f.End && f.Text[i] != '\n' && (scan.IsBlank(f.Text[i]) || scan.IsSeparator(f.Text[i])) {
		i++
	}
	return i == f.End || f.Text[i] == '\n'
}

// isRemark tells whether n is a remark in brackets, such as [citation needed], or
// what stands for a value in braces.
func isRemark(n *jsontext.Node) bool {
	only := tree.Only(n)
	return only != nil && tree.Is(only, tree.Bare) && !strings.ContainsAny(only.Text, "0123456789")
}

// begin is called where a value begins, and keep where it ends.
func (f *Finder) begin() Document {
	f.Edits, f.Cut = f.Edits[:f.Kept], false
	if f.fence != "" {
		f.Mark = "\n" + f.fence
	}
	return Document{From: f.Pos}
}

// keep keeps a value that was read, if it is what it should be.
func (f *Finder) keep(d Document, isOne bool) {
	f.Mark = ""
	f.Pos = max(f.Pos, d.From+1)
	f.start, f.fresh = true, false
	switch {
	case f.Err != nil:
		d.Failure, f.Err = f.Err, nil
		if f.Failed.Failure == nil || d.rank > f.Failed.rank {
			f.Failed = d
		}
		f.start = false
		f.Pos = f.Index("```", f.Pos) // what is in it is no value by itself
	case isOne:
		d.To, d.Edits, d.Cut = f.Pos, slices.Clip(f.Edits[f.Kept:]), f.Cut
		f.Found = append(f.Found, d)
		f.Kept = len(f.Edits)
	}
}

// inside returns what is inside of the bracket at f.Pos and of those that
// follow, of which there are only a few, and the innermost of them.
func (f *Finder) inside() (innermost byte, i int) {
	i = f.Pos
	for range 4 {
		if i == f.End || f.Text[i] != '{' && f.Text[i] != '[' {
			break
		}
		innermost = f.Text[i]
		i = f.Blank(i + 1)
	}
	return innermost, i
}

// promises tells whether what is at i shows that the brackets at f.Pos begin an
// object or list, and are not those of prose.
func (f *Finder) promises(innermost byte, i int) bool {
	if i == f.End {
		return f.start
	}
	c, quoted := f.Text[i], f.QuoteAt(i).Size > 0
	if innermost == '{' {
		return f.OpensKey(i) || f.OpensBareKey(i) || f.OpensComment(i) ||
			quoted && (f.start || f.KeyEnd(i) < 0) || c == '}' && f.introduced()
	}
	return quoted && c != '`' || f.introduced() && (c == ']' || f.WordAt(i) || scan.IsEllipsis(f.Text[i:f.End]))
}

// introduced tells whether what is at f.Pos stands by itself, or behind a colon
// or the like.
func (f *Finder) introduced() bool {
	before := strings.TrimRight(f.Text[max(0, f.Pos-literal.Longest):f.Pos], " \t")
	return before == "" && f.Pos < literal.Longest || before != "" && strings.IndexByte("\n\r:=>`(", before[len(before)-1]) >= 0
}

// mostTried bounds how often a byte is read as part of a value by itself: behind each
// thought there may be one, and no end of it.
const mostTried = 4

// whole reads what is by itself in the text or the fence: a member, or a value
// that is neither object nor list.
func (f *Finder) whole() bool {
	f.fresh = false
	if f.tried > mostTried*len(f.Text) {
		return false
	}
	if f.OpensKey(f.Pos) {
		d := f.begin()
		d.rank = rankProse
		d.Value = f.Element(f.schema)
		f.keep(d, true)
		return true
	}
	if f.row() {
		return true
	}
	end := f.End
	if f.fence != "" {
		end = f.Index(f.fence, f.Pos)
	}
	r := reader.New(f.Text, f.Pos, f.Pos+len(strings.TrimRight(f.Text[f.Pos:end], scan.Blanks+",;")))
	r.Open = r.End == f.End
	r.Strings, r.Editing, r.Made = f.Strings, f.Editing, f.Made
	known := f.Strings.Kept()
	n := r.Scalar(f.schema)
	if n != nil {
		n.End = int32(r.Pos)
	}
	f.Steps += r.Steps
	if n == nil || r.Pos != r.End || r.Err != nil || r.Cut && strings.Count(f.Text[f.Pos:r.End], `"`) != 1 {
		f.tried += r.Pos - f.Pos
		f.Strings.Reset(known)
		return false
	}
	f.Found = append(f.Found, Document{Value: n, From: f.Pos, To: r.Pos, Edits: r.Edits, Cut: r.Cut, rank: rankFence})
	f.Pos = r.Pos
	return true
}

// row reads strings of JSON with commas between them, if they are all that the
// text or the fence has.
func (f *Finder) row() bool {
	var all []Document
	i := f.Pos
	for {
		from := i
		if f.ByteAt(i) != '"' {
			return false
		}
		if i = f.KeyEnd(i); i < 0 || !utf8.ValidString(f.Text[from:i]) || !json.Valid([]byte(f.Text[from:i])) {
			return false
		}
		n := f.Node(jsontext.String, from)
		n.Text, n.End = f.Text[from:i], int32(i)
		all = append(all, Document{Value: n, From: from, To: i, rank: rankFence})
		if i = f.Blank(i); i == f.End || f.fence != "" && strings.HasPrefix(f.Text[i:f.End], f.fence) {
			break
		}
		if f.Text[i] != ',' {
			return false
		}
		i = f.Blank(i + 1)
	}
	if len(all) == 1 {
		return false
	}
	f.Pos = i
	for _, d := range all {
		f.Strings.Add(d.From+1, d.To-1, true)
	}
	f.Found = append(f.Found, all...)
	return true
}

// isEscape tells whether an escaped quote or line break is at i.
func (f *Finder) isEscape(i int) bool {
	if f.ByteAt(i) != '\\' {
		return false
	}
	rest := strings.TrimLeft(f.Text[i:min(f.End, i+1<<reader.MostLevels)], `\`)
	return rest != "" && (rest[0] == '"' || rest[0] == 'n')
}

// unescape reads the rest of the text without one level of backslashes.
func (f *Finder) unescape() {
	inner := New(unescaped(f.Text[f.Pos:f.End]), 0, f.schema)
	inner.Editing, inner.Made, inner.Levels = f.Editing, f.Made, f.Levels+1
	inner.fence, inner.code, inner.start = f.fence, f.code, f.start
	inner.Find()
	for _, d := range inner.Found {
		for i := range d.Edits {
			d.Edits[i].From, d.Edits[i].To = int32(f.Pos), int32(f.Pos)
		}
		if f.Editing {
			d.Edits = append(d.Edits, f.Change(report.Escape, f.Pos, f.End, inner.Text))
		}
		d.From, d.To = f.Pos, f.End
		tree.Relocate(d.Value, jsontext.Span{Start: int32(d.From), End: int32(d.To)})
		f.Found = append(f.Found, d)
	}
	if bad := inner.Failed; bad.Failure != nil && f.Failed.Failure == nil {
		bad.Failure.At = f.Pos
		f.Failed = bad
	}
	f.Pos = f.End
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

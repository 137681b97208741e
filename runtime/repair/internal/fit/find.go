package fit

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// A Finder finds the values in a text.
type Finder struct {
	*reader.Reader
	schema *jsonschema.Schema
	Found  []Document
	Failed Document // the first unreadable value of the highest rank, if it has a Failure

	fence        string // mark of the open fence
	code         bool   // the open fence is for another language than JSON
	start        bool   // no prose was read since the beginning of the text or of the fence, or since the last value
	empty        bool   // neither prose nor a value was read since the beginning of the text or of the fence
	retriedBytes int    // bytes that readWholeValue read without success
}

// NewFinder returns a Finder for the values in text[from:]. The schema, which may be nil, decides between readings.
func NewFinder(text string, from int, s *jsonschema.Schema) *Finder {
	return &Finder{Reader: reader.New(text, from, len(text)), schema: s, start: true, empty: true}
}

// Find reads the values from f.Pos to the end of the text, and records them in f.Found.
func (f *Finder) Find() {
	for f.Pos < f.End {
		if f.start {
			f.SkipSpace()
			f.Edits = f.Edits[:f.Committed]
		}
		if f.Pos == f.End {
			break
		}
		switch c := f.Text[f.Pos]; {
		case f.readFenceMark():
		case c == '<' && f.skipTag():
		case c == '{' || c == '[':
			f.readContainer()
		case f.start && (c == '`' || !f.empty && scan.IsSeparator(c)):
			f.Pos++
		case f.empty && f.readWholeValue():
		default:
			f.skipProse()
		}
	}
}

// skipProse skips text that is not a value.
func (f *Finder) skipProse() {
	f.start, f.empty = false, false
	f.Pos++
	for f.Pos < f.End && !scan.IsOpener(f.Text[f.Pos]) && !scan.IsStop(f.Text[f.Pos]) {
		f.Pos++
	}
}

// readFenceMark reads the mark of a fence if one is at f.Pos.
func (f *Finder) readFenceMark() bool {
	rest := f.Text[f.Pos:f.End]
	if !strings.HasPrefix(rest, "```") && !strings.HasPrefix(rest, "~~~") {
		return false
	}
	size := len(rest) - len(strings.TrimLeft(rest, rest[:1]))
	f.Pos += size
	if f.fence != "" {
		f.fence, f.start, f.empty = "", false, false
		return true
	}
	label := f.Pos
	for f.Pos < f.End && scan.IsWord(f.Text[f.Pos]) {
		f.Pos++
	}
	f.fence = rest[:3]
	f.code = f.Pos > label && !strings.HasPrefix(strings.ToLower(f.Text[label:f.Pos]), "json")
	f.start, f.empty = true, true
	return true
}

// skipTag skips the tag at f.Pos, if there is one, and a thought that it opens.
func (f *Finder) skipTag() bool {
	end := f.TagEnd(f.Pos)
	if end == 0 {
		return false
	}
	tag := f.Text[f.Pos:end]
	f.Pos = end
	for _, e := range scan.AllThoughtMarks {
		if tag == e.Open {
			f.Pos = min(f.End, f.Index(e.Close, end)+len(e.Close))
			f.start, f.empty = true, true
		}
	}
	return true
}

// readContainer reads the object or list at f.Pos, unless the brackets there are part of prose.
func (f *Finder) readContainer() {
	innermost, inside := f.skipBrackets()
	if f.isEscape(inside) && f.Levels < reader.MostLevels {
		f.readUnescaped()
		return
	}
	clear := f.opensContainer(innermost, inside)
	if !clear && !f.start {
		f.skipProse()
		return
	}
	d := f.beginDocument()
	d.rank = f.nextRank()
	alone, plain := f.start, innermost == '[' && f.QuoteAt(inside).Size == 0
	d.Value = f.ReadValue(reader.InText, f.schema)
	if plain && d.rank == rankProse && !(alone && f.endsLine(f.Pos)) {
		d.rank = rankPlain
	}
	if !clear && f.Err != nil && f.Err.Code == reader.Unreadable {
		f.Err, f.Cut = nil, true // the text was prose
	}
	f.endDocument(d, clear || f.standsAlone(d.Value, innermost))
}

// nextRank returns the rank that a value at f.Pos would have.
func (f *Finder) nextRank() documentRank {
	switch {
	case f.fence != "" && f.code:
		return rankCode
	case f.fence != "":
		return rankFence
	case f.start && len(f.Found) > 0: // only separators are between this value and the last
		return f.Found[len(f.Found)-1].rank
	}
	return rankProse
}

// standsAlone reports whether the value n, which was just read, is certainly not part of prose: it is complete,
// it is not a remark, and nothing follows it in the text or the fence.
func (f *Finder) standsAlone(n *jsontext.Node, innermost byte) bool {
	return !f.Cut && f.ByteAfterBlanks(f.Pos) == 0 && (f.fence != "" && innermost == '[' || !isRemark(n))
}

// endsLine reports whether only separators are between i and the end of the line.
func (f *Finder) endsLine(i int) bool {
	for i < f.End && f.Text[i] != '\n' && (scan.IsBlank(f.Text[i]) || scan.IsSeparator(f.Text[i])) {
		i++
	}
	return i == f.End || f.Text[i] == '\n'
}

// isRemark reports whether n is a remark in brackets, such as [citation needed], or a placeholder in braces.
func isRemark(n *jsontext.Node) bool {
	only := reader.OnlyItem(n)
	return only != nil && reader.HasMark(only, reader.Bare) && !strings.ContainsAny(only.Text, "0123456789")
}

// beginDocument starts a value; endDocument ends it.
func (f *Finder) beginDocument() Document {
	f.Edits, f.Cut = f.Edits[:f.Committed], false
	if f.fence != "" {
		f.Mark = "\n" + f.fence
	}
	return Document{From: f.Pos}
}

// endDocument records the value that was read if isValue is true, or why reading failed.
func (f *Finder) endDocument(d Document, isValue bool) {
	f.Mark = ""
	f.Pos = max(f.Pos, d.From+1)
	f.start, f.empty = true, false
	switch {
	case f.Err != nil:
		d.Failure, f.Err = f.Err, nil
		if f.Failed.Failure == nil || d.rank > f.Failed.rank {
			f.Failed = d
		}
		f.start = false
		f.Pos = f.Index("```", f.Pos) // the rest of the fence is not a separate value
	case isValue:
		d.To, d.Edits, d.Cut = f.Pos, slices.Clip(f.Edits[f.Committed:]), f.Cut
		f.Found = append(f.Found, d)
		f.Committed = len(f.Edits)
	}
}

// skipBrackets skips up to four opening brackets at f.Pos. It returns the last of them and the position after it.
func (f *Finder) skipBrackets() (innermost byte, i int) {
	i = f.Pos
	for range 4 {
		if i == f.End || f.Text[i] != '{' && f.Text[i] != '[' {
			break
		}
		innermost = f.Text[i]
		i = f.SkipBlanks(i + 1)
	}
	return innermost, i
}

// opensContainer reports whether the brackets at f.Pos begin an object or a list rather than a remark in prose.
// It looks at the text at i, which is after the brackets.
func (f *Finder) opensContainer(innermost byte, i int) bool {
	if i == f.End {
		return f.start
	}
	c, quoted := f.Text[i], f.QuoteAt(i).Size > 0
	if innermost == '{' {
		return f.OpensKey(i) || f.OpensBareKey(i) || f.OpensComment(i) ||
			quoted && (f.start || f.KeyEnd(i) < 0) || c == '}' && f.isIntroduced()
	}
	return quoted && c != '`' || f.isIntroduced() && (c == ']' || f.WordAt(i) || scan.IsEllipsis(f.Text[i:f.End]))
}

// isIntroduced reports whether a value may begin at f.Pos, given the text before it: f.Pos is at the beginning of
// the text, or after a character such as a line break or a colon.
func (f *Finder) isIntroduced() bool {
	before := strings.TrimRight(f.Text[max(0, f.Pos-scan.Longest):f.Pos], " \t")
	return before == "" && f.Pos < scan.Longest || before != "" && strings.IndexByte("\n\r:=>`(", before[len(before)-1]) >= 0
}

// maxTried limits the work of readWholeValue, which may have to try again after each thought. In total, it may
// read about maxTried times the length of the text without success.
const maxTried = 4

// readWholeValue reads the content of the text or the fence if it consists only of a value without brackets: a
// string, a number or a word, several strings separated by commas, or members such as "a": 1.
func (f *Finder) readWholeValue() bool {
	f.empty = false
	if f.retriedBytes > maxTried*len(f.Text) {
		return false
	}
	if f.OpensKey(f.Pos) {
		d := f.beginDocument()
		d.rank = rankProse
		d.Value = f.ReadElement(f.schema)
		f.endDocument(d, true)
		return true
	}
	if f.readStringRow() {
		return true
	}
	end := f.End
	if f.fence != "" {
		end = f.Index(f.fence, f.Pos)
	}
	r := reader.New(f.Text, f.Pos, f.Pos+len(strings.TrimRight(f.Text[f.Pos:end], scan.Blanks+",;")))
	r.Open = r.End == f.End
	r.Strings, r.Editing = &reader.Quotation{}, f.Editing
	n := r.ReadScalar(f.schema)
	if n != nil {
		n.End = int32(r.Pos)
	}
	f.Steps += r.Steps
	if n == nil || r.Pos != r.End || r.Err != nil || r.Cut && strings.Count(f.Text[f.Pos:r.End], `"`) != 1 {
		f.retriedBytes += r.Pos - f.Pos
		return false
	}
	f.Strings.AddAll(r.Strings)
	f.Found = append(f.Found, Document{Value: n, From: f.Pos, To: r.Pos, Edits: r.Edits, Cut: r.Cut, rank: rankFence})
	f.Pos = r.Pos
	return true
}

// readStringRow reads several JSON strings separated by commas, if the text or the fence contains nothing else.
func (f *Finder) readStringRow() bool {
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
		n := f.NewNode(jsontext.String, from)
		n.Text, n.End = f.Text[from:i], int32(i)
		all = append(all, Document{Value: n, From: from, To: i, rank: rankFence})
		if i = f.SkipBlanks(i); i == f.End || f.fence != "" && strings.HasPrefix(f.Text[i:f.End], f.fence) {
			break
		}
		if f.Text[i] != ',' {
			return false
		}
		i = f.SkipBlanks(i + 1)
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

// isEscape reports whether an escaped quote or line break is at i.
func (f *Finder) isEscape(i int) bool {
	if f.ByteAt(i) != '\\' {
		return false
	}
	rest := strings.TrimLeft(f.Text[i:min(f.End, i+1<<reader.MostLevels)], `\`)
	return rest != "" && (rest[0] == '"' || rest[0] == 'n')
}

// readUnescaped reads the rest of the text after removing one level of backslashes.
func (f *Finder) readUnescaped() {
	inner := NewFinder(unescapeText(f.Text[f.Pos:f.End]), 0, f.schema)
	inner.Editing, inner.Levels = f.Editing, f.Levels+1
	inner.fence, inner.code, inner.start = f.fence, f.code, f.start
	inner.Find()
	for _, d := range inner.Found {
		for i := range d.Edits {
			d.Edits[i].From, d.Edits[i].To = int32(f.Pos), int32(f.Pos)
		}
		if f.Editing {
			d.Edits = append(d.Edits, reader.NewChange(reader.Escape, f.Pos, f.End, inner.Text))
		}
		d.From, d.To = f.Pos, f.End
		reader.Relocate(d.Value, jsontext.Span{Start: int32(d.From), End: int32(d.To)})
		f.Found = append(f.Found, d)
	}
	if bad := inner.Failed; bad.Failure != nil && f.Failed.Failure == nil {
		bad.Failure.At = f.Pos
		f.Failed = bad
	}
	f.Pos = f.End
}

// unescapeText removes one level of backslashes.
func unescapeText(text string) string {
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

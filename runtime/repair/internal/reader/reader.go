package reader

import (
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
)

// Reader reads values out of a text from left to right, each byte once but for
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
type Reader struct {
	scan.Source
	report.Log
	tree.Arena
	Pos       int
	Open      bool            // nothing comes at end: the text may have been cut off there
	Cut       bool            // it was
	Err       *report.Failure // why reading stopped
	stack     []frame
	last      [scan.BracketKinds]int // the innermost frame of each kind; -1 for none
	outside   int                    // frames that are around a string that is being read as a value
	Levels    int                    // how many such strings there are
	lastComma int
	Doubts    int        // strings that may be several or end in code, commas that are missing, and brackets of another kind
	Guesses   int        // strings and comments that may have another end
	Strings   *Quotation // their places; nil where nobody asks
	Python    bool       // strings have the escapes of Python
	Delimiter string     // stands at both ends of strings in the format of Gemma; empty elsewhere
}

// A frame is an open bracket.
type frame struct {
	kind  scan.BracketKind
	outer int // the next frame of the same kind
}

// New returns a reader of text[from:to].
func New(text string, from, to int) *Reader {
	return &Reader{
		Source: scan.Source{Text: text, End: to},
		Log:    report.Log{Made: new(strings.Builder)},
		Pos:    from,
		Open:   to == len(text),
		last:   [scan.BracketKinds]int{-1, -1, -1},
	}
}

// Place is what is being read; it decides what may follow.
type Place uint8

const (
	InText   Place = iota // a value by itself
	inKey                 // the name of a member
	inObject              // the value of a member
	inArray               // an element
	InCall                // an argument of a function
	places
)

// outer returns the kind of what is around the innermost object or list.
func (r *Reader) outer() scan.BracketKind {
	if len(r.stack) < r.outside+2 {
		return scan.BracketKinds
	}
	return r.stack[len(r.stack)-2].kind
}

func (r *Reader) Push(k scan.BracketKind) bool {
	if len(r.stack) >= jsontext.MaxDepth {
		r.Fail(report.TooDeep, r.Pos-1, "values are nested more than 10000 levels deep")
		return false
	}
	r.stack = append(r.stack, frame{kind: k, outer: r.last[k]})
	r.last[k] = len(r.stack) - 1
	return true
}

func (r *Reader) Pop() {
	f := r.stack[len(r.stack)-1]
	r.stack = r.stack[:len(r.stack)-1]
	r.last[f.kind] = f.outer
}

// Space skips blanks and comments.
func (r *Reader) Space() {
	for r.Pos < r.End {
		c := r.Text[r.Pos]
		if '0' <= c && c <= '}' && c != '<' { // most of all bytes
			return
		}
		if scan.IsBlank(c) {
			r.Pos++
			r.Steps++
			continue
		}
		size := 0
		switch {
		case c == '/' || c == '#' || c == '<':
			size = r.Comment(r.Pos)
			if size > 0 {
				r.Edit(report.Comment, r.Pos, r.Pos+size, "")
				if strings.IndexByte(r.Text[r.Pos:r.Pos+size], '"') >= 0 || c != '<' && r.ByteAt(r.Pos+1) != '*' && r.ByteAt(r.Pos+size) != '\n' {
					r.Guesses++
				}
			}
		case c >= utf8.RuneSelf || c == '\v' || c == '\f':
			size = scan.OddBlank(r.Text[r.Pos:r.End])
			if size > 0 {
				r.Edit(report.Space, r.Pos, r.Pos+size, "")
			}
		}
		if size == 0 {
			return
		}
		r.Pos += size
		r.Steps += size
	}
}

// Peek returns the byte at r.Pos, or 0 at the end of what is to be read, and
// where something else than a value begins.
func (r *Reader) Peek() byte {
	if r.Pos >= r.End || r.StopsAt(r.Pos) {
		return 0
	}
	return r.Text[r.Pos]
}

func (r *Reader) Fail(code string, at int, message string) {
	if r.Err == nil {
		r.Err = &report.Failure{Code: code, At: at, Message: message}
	}
}

// MostLevels bounds how often text is read that was put into a string again and
// again.
const MostLevels = 4

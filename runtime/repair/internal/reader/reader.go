package reader

import (
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// Reader reads values from a text, from left to right, each byte once except for short lookaheads. The first byte
// of a value decides how the Reader reads it, and the Reader never goes back. Where the text deviates from JSON,
// it applies these rules:
//
//   - A closing bracket closes the innermost container of its kind, and all containers inside that one. There is
//     an exception: in [{"a": 1}, "b": 2}], the first closing brace does not close the object, because a member
//     follows, which a list cannot contain.
//   - A quote ends a string if the text after the quote may follow a string. Otherwise the quote is part of the
//     string, unless it opens the next member or element.
//   - A comma ends unquoted text in an object if a member follows.
//   - A name where a value should be begins the next member.
//
// Each such decision is recorded as an edit. Valid JSON has no edits, and text without edits is valid JSON.
type Reader struct {
	scan.Source
	Log
	jsontext.Arena
	Pos  int
	Open bool     // End is the end of the whole text, which may have been cut off there
	Cut  bool     // the text was cut off
	Err  *Failure // why reading stopped
	nesting
	Levels    int        // number of nested strings whose content is being read as a value
	lastComma int        // position of the last separator
	Doubts    int        // doubtful strings, missing commas and mismatched brackets
	Guesses   int        // strings and comments that may end elsewhere
	Strings   *Quotation // records the positions of strings; may be nil
	Python    bool       // strings have Python escapes
	Delimiter string     // mark at both ends of strings in the format of Gemma; "" in other formats
}

// A nesting is the stack of open brackets.
type nesting struct {
	stack   []frame
	last    [scan.BracketKinds]int // the innermost frame of each kind; -1 for none
	outside int                    // number of frames around the string whose content is being read as a value
}

// A frame is an open bracket.
type frame struct {
	kind  scan.BracketKind
	outer int // the next frame of the same kind
}

// New returns a reader for text[from:to].
func New(text string, from, to int) *Reader {
	return &Reader{
		Source:  scan.Source{Text: text, End: to},
		Pos:     from,
		Open:    to == len(text),
		nesting: nesting{last: [scan.BracketKinds]int{-1, -1, -1}},
	}
}

// Place is where a value is, for example in a list. It determines what may follow the value.
type Place uint8

// These are the places of values.
const (
	InText   Place = iota // a value on its own
	inKey                 // the name of a member
	inObject              // the value of a member
	inArray               // an element
	InCall                // an argument of a function
)

// outerKind returns the kind of the container around the innermost object or list; scan.BracketKinds if there is
// none.
func (n *nesting) outerKind() scan.BracketKind {
	if len(n.stack) < n.outside+2 {
		return scan.BracketKinds
	}
	return n.stack[len(n.stack)-2].kind
}

// Push begins an object or a list. It returns false if it would be nested too deeply.
func (r *Reader) Push(k scan.BracketKind) bool {
	if len(r.stack) >= jsontext.MaxDepth {
		r.Fail(TooDeep, r.Pos-1, "values are nested more than 10000 levels deep")
		return false
	}
	r.stack = append(r.stack, frame{kind: k, outer: r.last[k]})
	r.last[k] = len(r.stack) - 1
	return true
}

// Pop ends the innermost object or list.
func (n *nesting) Pop() {
	f := n.stack[len(n.stack)-1]
	n.stack = n.stack[:len(n.stack)-1]
	n.last[f.kind] = f.outer
}

// SkipSpace skips blanks and comments.
func (r *Reader) SkipSpace() {
	for r.Pos < r.End {
		c := r.Text[r.Pos]
		if '0' <= c && c <= '}' && c != '<' { // most bytes
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
			size = r.removeComment()
		case c >= utf8.RuneSelf || c == '\v' || c == '\f':
			size = scan.OddBlankSize(r.Text[r.Pos:r.End])
			if size > 0 {
				r.Edit(Space, r.Pos, r.Pos+size, "")
			}
		}
		if size == 0 {
			return
		}
		r.Pos += size
		r.Steps += size
	}
}

// removeComment records that the comment at r.Pos is removed, and returns its size; 0 if there is none. A comment
// may be data if it contains a quote, or if it is a line comment in the last line. In these cases, removeComment
// adds to r.Guesses.
func (r *Reader) removeComment() int {
	size := r.CommentSize(r.Pos)
	if size == 0 {
		return 0
	}
	end := r.Pos + size
	r.Edit(Comment, r.Pos, end, "")
	isLine := r.Text[r.Pos] != '<' && r.ByteAt(r.Pos+1) != '*'
	if strings.IndexByte(r.Text[r.Pos:end], '"') >= 0 || isLine && r.ByteAt(end) != '\n' {
		r.Guesses++
	}
	return size
}

// Peek returns the byte at r.Pos. It returns 0 at the end of the input and at a mark that ends it, such as a closing
// tag.
func (r *Reader) Peek() byte {
	if r.EndsAt(r.Pos) {
		return 0
	}
	return r.Text[r.Pos]
}

// Fail records why the value at a position cannot be read. It keeps only the first failure.
func (r *Reader) Fail(code string, at int, message string) {
	if r.Err == nil {
		r.Err = &Failure{Code: code, At: at, Message: message}
	}
}

// MostLevels is the maximum number of nested strings whose content is read as a value.
const MostLevels = 4

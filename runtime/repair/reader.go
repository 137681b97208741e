package repair

import (
	"strings"
	"unicode/utf8"
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
	source
	changes
	arena
	pos       int
	open      bool     // nothing comes at end: the text may have been cut off there
	cut       bool     // it was
	err       *failure // why reading stopped
	stack     []frame
	last      [bracketKinds]int // the innermost frame of each kind; -1 for none
	outside   int               // frames that are around a string that is being read as a value
	levels    int               // how many such strings there are
	lastComma int
	doubts    int        // strings that may be several or end in code, and commas that are missing
	strings   *quotation // their places; nil where nobody asks
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
	return &reader{
		source:  newSource(text, from, to),
		changes: changes{made: new(strings.Builder)},
		pos:     from,
		open:    to == len(text),
		last:    [bracketKinds]int{-1, -1, -1},
	}
}

// place is what is being read; it decides what may follow.
type place uint8

const (
	inText   place = iota // a value by itself
	inKey                 // the name of a member
	inObject              // the value of a member
	inArray               // an element
	inCall                // an argument of a function
	places
)

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

// space skips blanks and comments.
func (r *reader) space() {
	for r.pos < r.end {
		c := r.text[r.pos]
		if '0' <= c && c <= '}' && c != '<' { // most of all bytes
			return
		}
		if isBlank(c) {
			r.pos++
			r.steps++
			continue
		}
		size := 0
		switch {
		case c == '/' || c == '#' || c == '<':
			size = r.comment(r.pos)
			if size > 0 {
				r.edit(editComment, r.pos, r.pos+size, "")
			}
		case c >= utf8.RuneSelf || c == '\v' || c == '\f':
			size = oddBlank(r.text[r.pos:r.end])
			if size > 0 {
				r.edit(editSpace, r.pos, r.pos+size, "")
			}
		}
		if size == 0 {
			return
		}
		r.pos += size
		r.steps += size
	}
}

// peek returns the byte at r.pos, or 0 at the end of what is to be read, and
// where something else than a value begins.
func (r *reader) peek() byte {
	if r.pos >= r.end || r.stopsAt(r.pos) {
		return 0
	}
	return r.text[r.pos]
}

func (r *reader) fail(code string, at int, message string) {
	if r.err == nil {
		r.err = &failure{code: code, at: at, message: message}
	}
}

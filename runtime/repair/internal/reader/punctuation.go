package reader

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// readSeparator reads a separator and records an edit if it is redundant or not a comma. separated states that it
// is redundant, because another separator is directly before it or no item has been read.
func (r *Reader) readSeparator(separated bool) {
	if separated {
		r.Edit(Comma, r.Pos, r.Pos+1, "")
	} else if r.Text[r.Pos] != ',' {
		r.Edit(Comma, r.Pos, r.Pos+1, ",")
	}
	r.lastComma = r.Pos
	r.Pos++
}

// startItem begins a member or element at a position. If *separated is false, no comma precedes the item,
// and startItem records that it is missing. startItem sets *separated to false.
func (r *Reader) startItem(separated *bool, at int) {
	if !*separated {
		r.Edit(Comma, at, at, ",")
		r.Doubts++
		r.Guesses++
	}
	*separated = false
}

// readColon reads the colon between a name and its value. If there is = or => instead, or nothing, it records
// an edit. It returns false if no value follows the name.
func (r *Reader) readColon() bool {
	r.SkipSpace()
	c := r.Peek()
	switch {
	case c == ':':
		r.Pos++
		r.skipExtraColons()
		return true
	case c == '=':
		size := 1
		if strings.HasPrefix(r.Text[r.Pos:r.End], "=>") {
			size = 2
		}
		r.Edit(Colon, r.Pos, r.Pos+size, ":")
		r.Pos += size
		return true
	case scan.EndsValue(c):
		return false
	}
	r.Edit(Colon, r.Pos, r.Pos, ":")
	return true
}

// skipExtraColons skips further colons, unless they may begin the value, as in the address ::1.
func (r *Reader) skipExtraColons() {
	from := r.SkipBlanks(r.Pos)
	to := from
	for to < r.End && r.Text[to] == ':' {
		to++
	}
	r.Steps += to - from
	if to > from && !scan.EndsValue(r.ByteAfterBlanks(to)) && (r.SkipBlanks(to) > to || r.QuoteAt(to).Size > 0 || scan.IsOpener(r.Text[to])) {
		r.Edit(Colon, from, to, "")
		r.Pos = to
	}
}

// readEnd skips space and superfluous closing brackets, and then reports whether the innermost object or list
// ends. If it ends at a closing bracket, readEnd reads the bracket. If it ends because the input ends, readEnd
// records an edit that adds closer. separated states that a comma is directly before r.Pos.
func (r *Reader) readEnd(closer string, separated bool) bool {
	for {
		r.SkipSpace()
		switch c := r.Peek(); {
		case c == 0:
			kind := Bracket
			if r.Open && r.Pos >= r.End {
				kind, r.Cut = CutOff, true
			}
			r.Edit(kind, r.Pos, r.Pos, closer)
			return true
		case !scan.IsCloser(c):
			return false
		case r.readCloser(c, separated):
			return true
		}
	}
}

// endAtComma ends the innermost object or list, whose kind is k. It inserts the missing closing bracket at r.Pos
// or, if separated is true, before the comma that precedes r.Pos.
func (r *Reader) endAtComma(separated bool, k scan.BracketKind) {
	if separated {
		r.Pos = r.lastComma
	}
	r.Edit(Bracket, r.Pos, r.Pos, scan.Closers[k:k+1])
}

// readCloser reads the closing bracket at r.Pos and reports whether the innermost object or list ends there.
// separated states that a comma is directly before the bracket; readCloser then removes the comma.
func (r *Reader) readCloser(c byte, separated bool) bool {
	own := r.stack[len(r.stack)-1].kind
	k := scan.KindOf(c)
	at := r.last[k] // index of the container that c closes; less than r.outside if there is none
	if k != own {
		r.Doubts++
		r.Guesses++
	}
	switch {
	case at < r.outside && (r.itemFollows(r.Pos+1) || r.ByteAfterBlanks(r.Pos+1) == scan.Closers[own]):
		r.Edit(Bracket, r.Pos, r.Pos+1, "")
		r.Pos++
		return false
	case at < r.outside:
		r.Edit(Bracket, r.Pos, r.Pos+1, scan.Closers[own:own+1])
		r.Pos++
	case k == scan.Brace && r.MemberFollows(r.Pos+1) && (at == r.outside || r.stack[at-1].kind != scan.Brace):
		if k == own {
			r.Edit(Bracket, r.Pos, r.Pos+1, "")
			r.Pos++
			return false
		}
		r.Edit(Bracket, r.Pos, r.Pos+1, scan.Closers[own:own+1])
		r.Pos++
	case k != own:
		r.Edit(Bracket, r.Pos, r.Pos, scan.Closers[own:own+1])
	default:
		r.Pos++
	}
	if separated {
		r.Edit(Comma, r.lastComma, r.lastComma+1, "")
	}
	return true
}

// itemFollows reports whether a comma and an item of the innermost object or list are at i.
func (r *Reader) itemFollows(i int) bool {
	if r.ByteAfterBlanks(i) != ',' {
		return false
	}
	in := inArray
	if r.stack[len(r.stack)-1].kind == scan.Brace {
		in = inObject
	}
	return r.itemFits(r.SkipBlanks(i)+1, in, false)
}

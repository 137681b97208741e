package reader

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// comma reads a separator. There should be one between two values.
func (r *Reader) comma(separated bool) bool {
	if separated {
		r.Edit(report.Comma, r.Pos, r.Pos+1, "")
	} else if r.Text[r.Pos] != ',' {
		r.Edit(report.Comma, r.Pos, r.Pos+1, ",")
	}
	r.lastComma = r.Pos
	r.Pos++
	return true
}

// separate is called for a member or an element that begins at a place.
func (r *Reader) separate(separated *bool, at int) {
	if !*separated {
		r.Edit(report.Comma, at, at, ",")
		r.Doubts++
		r.Guesses++
	}
	*separated = false
}

// colon reads what is between a name and its value, if there is a value.
func (r *Reader) colon() bool {
	r.Space()
	c := r.Peek()
	switch {
	case c == ':':
		r.Pos++
		r.colons()
		return true
	case c == '=':
		size := 1
		if strings.HasPrefix(r.Text[r.Pos:r.End], "=>") {
			size = 2
		}
		r.Edit(report.Colon, r.Pos, r.Pos+size, ":")
		r.Pos += size
		return true
	case scan.EndsValue(c):
		return false
	}
	r.Edit(report.Colon, r.Pos, r.Pos, ":")
	return true
}

// colons leaves out more colons, unless they may begin the value, as in ::1.
func (r *Reader) colons() {
	from := r.Blank(r.Pos)
	to := from
	for to < r.End && r.Text[to] == ':' {
		to++
	}
	r.Steps += to - from
	if to > from && !scan.EndsValue(r.After(to)) && (r.Blank(to) > to || r.QuoteAt(to).Size > 0 || scan.IsOpener(r.Text[to])) {
		r.Edit(report.Colon, from, to, "")
		r.Pos = to
	}
}

// closes deals with the closing bracket at r.Pos, and tells whether the
// innermost object or list ends there. What was separated from it by a comma
// never came.
func (r *Reader) closes(c byte, separated bool) bool {
	own := r.stack[len(r.stack)-1].kind
	k := scan.KindOf(c)
	at := r.last[k] // what it closes, if that is open
	if k != own {
		r.Doubts++
		r.Guesses++
	}
	switch {
	case at < r.outside && (r.itemFollows(r.Pos+1) || r.After(r.Pos+1) == scan.Closers[own]):
		r.Edit(report.Bracket, r.Pos, r.Pos+1, "")
		r.Pos++
		return false
	case at < r.outside:
		r.Edit(report.Bracket, r.Pos, r.Pos+1, scan.Closers[own:own+1])
		r.Pos++
	case k == scan.Brace && r.MemberFollows(r.Pos+1) && (at == r.outside || r.stack[at-1].kind != scan.Brace):
		if k == own {
			r.Edit(report.Bracket, r.Pos, r.Pos+1, "")
			r.Pos++
			return false
		}
		r.Edit(report.Bracket, r.Pos, r.Pos+1, scan.Closers[own:own+1])
		r.Pos++
	case k != own:
		r.Edit(report.Bracket, r.Pos, r.Pos, scan.Closers[own:own+1])
	default:
		r.Pos++
	}
	if separated {
		r.Edit(report.Comma, r.lastComma, r.lastComma+1, "")
	}
	return true
}

// unclosed deals with the end of what is to be read, within an object or list.
func (r *Reader) unclosed(closer string) {
	kind := report.Bracket
	if r.Open && r.Pos >= r.End {
		kind, r.Cut = report.CutOff, true
	}
	r.Edit(kind, r.Pos, r.Pos, closer)
}

// itemFollows tells whether a comma, and what can follow it in the innermost
// object or list, are at i.
func (r *Reader) itemFollows(i int) bool {
	if r.After(i) != ',' {
		return false
	}
	in := inArray
	if r.stack[len(r.stack)-1].kind == scan.Brace {
		in = inObject
	}
	return r.itemFits(r.Blank(i)+1, in, false)
}

package reader

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// endsString reports whether the quote before i can end a string, given the text that follows the quote. odd
// states that the string contains an odd number of quotes so far, so that this quote may be the second of a pair.
func (r *Reader) endsString(i int, in Place, odd bool) bool {
	j := r.SkipBlanks(i)
	if r.EndsAt(j) {
		return true
	}
	switch c := r.Text[j]; {
	case c == '+':
		return r.OpensString(r.SkipBlanks(j + 1))
	case in == InText:
		return false
	case in == inKey:
		return r.endsKey(i, j)
	case c == ')':
		return r.mayClose(')', in) && r.bracketFits(j)
	case scan.IsCloser(c):
		return r.bracketFits(j)
	case scan.IsSeparator(c):
		return r.itemFits(j+1, in, odd)
	case r.OpensComment(j):
		return c != '#' || j > i
	}
	return in != InCall && r.separatorMissing(i, j, in)
}

// endsKey reports whether the quote before i can end the name of a member, given the text at j, after blanks.
func (r *Reader) endsKey(i, j int) bool {
	if r.QuoteAt(j).Size > 0 {
		return j > i
	}
	return !scan.IsLetter(r.Text[j]) || j > i && r.WordAt(j)
}

// separatorMissing reports whether the quote before i can end a value because the next member or element begins at
// j, after blanks, although there is no separator.
func (r *Reader) separatorMissing(i, j int, in Place) bool {
	isQuote, isOpener := r.QuoteAt(j).Size > 0, scan.IsOpener(r.Text[j])
	switch {
	case in == inArray && isQuote:
		return r.OpensElement(j, false)
	case in == inArray:
		return isOpener || j > i && r.WordAt(j)
	case isQuote:
		return r.OpensKey(j)
	case isOpener: // of the next element, if the object is in a list
		return r.Text[j] != '(' && r.outerKind() == scan.Bracket
	}
	return strings.IndexByte(r.Text[i:j], '\n') >= 0 && r.OpensBareKey(j)
}

// mayClose reports whether the closing bracket c may end a value. A closing parenthesis may do so only if a
// parenthesis is open.
func (r *Reader) mayClose(c byte, in Place) bool {
	return c != ')' || in == InCall || r.last[scan.Parenthesis] >= r.outside
}

// bracketFits reports whether the closing bracket at j may be outside of a string, given the text that follows
// it. Anything may follow the outermost bracket.
func (r *Reader) bracketFits(j int) bool {
	if len(r.stack) <= r.outside+1 {
		return true
	}
	k := r.SkipBlanks(j + 1)
	return r.EndsAt(k) || scan.IsCloser(r.Text[k]) || scan.IsSeparator(r.Text[k]) || scan.IsOpener(r.Text[k]) ||
		strings.IndexByte(r.Text[j:k], '\n') >= 0 || r.OpensComment(k) || r.QuoteAt(k).Size > 0
}

// itemFits reports whether a member, an element, an argument or the end of a container follows at j, after a
// separator. For odd, see endsString.
func (r *Reader) itemFits(j int, in Place, odd bool) bool {
	j = r.SkipBlanks(j)
	if r.EndsAt(j) {
		return true
	}
	c := r.Text[j]
	if scan.EndsValue(c) || r.OpensComment(j) || strings.HasPrefix(r.Text[j:r.End], "...") {
		return true
	}
	quoted := r.QuoteAt(j).Size > 0
	switch in {
	case inObject:
		return r.MemberFits(j, odd)
	case inArray:
		return quoted || !scan.IsLetter(c) || r.BareElement(j, odd)
	case InCall:
		return quoted || !scan.IsLetter(c) || r.OpensArgument(j) || r.WordAt(j)
	}
	return false
}

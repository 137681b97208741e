package reader

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// follower is the kind of text after a quote and blanks.
type follower uint8

const (
	endFollows         follower = iota // the end of the input, or a mark such as a closing tag
	plusFollows                        // +
	closerFollows                      // } or ]
	parenthesisFollows                 // )
	separatorFollows                   // , or ;
	commentFollows                     // a comment
	quoteFollows                       // a quote
	openerFollows                      // { or [
	tupleFollows                       // (
	letterFollows                      // the first letter of an unquoted name
	elseFollows                        // anything else
	followers                          // the number of kinds
)

// ending is a condition under which a quote ends a string. It depends on the follower of the quote.
type ending uint8

const (
	neverEnds ending = iota
	alwaysEnds
	ifString  // if a string follows the plus sign
	ifApart   // if blanks are between the quote and its follower
	ifRemark  // always, except if a comment with # follows without blanks between
	ifWord    // if blanks are between, and the follower is a number or a word for a value
	ifBracket // if the closing bracket may be outside of the string; see bracketFits
	ifTuple   // like ifBracket, but only if a parenthesis is open
	ifItem    // if a member, an element or an argument follows the separator
	ifKey     // if the follower begins a quoted name and a colon
	ifBareKey // if the follower is an unquoted name and a colon, on another line
	ifElement // if the follower begins an element
	ifInList  // if the object is in a list, so that the bracket begins the next element
)

// endings contains the condition for each place of the string and each follower of the quote.
var endings = [places][followers]ending{
	//         the end  +         } or ]     )        , or ;  comment   quote      { or [    (    letter     else
	InText:   {alwaysEnds, ifString, neverEnds, neverEnds, neverEnds, neverEnds, neverEnds, neverEnds, neverEnds, neverEnds, neverEnds},
	inKey:    {alwaysEnds, ifString, alwaysEnds, alwaysEnds, alwaysEnds, alwaysEnds, ifApart, alwaysEnds, alwaysEnds, ifWord, alwaysEnds},
	inObject: {alwaysEnds, ifString, ifBracket, ifTuple, ifItem, ifRemark, ifKey, ifInList, neverEnds, ifBareKey, ifBareKey},
	inArray:  {alwaysEnds, ifString, ifBracket, ifTuple, ifItem, ifRemark, ifElement, alwaysEnds, alwaysEnds, ifWord, ifWord},
	InCall:   {alwaysEnds, ifString, ifBracket, ifTuple, ifItem, ifRemark, neverEnds, neverEnds, neverEnds, neverEnds, neverEnds},
}

// followerAt returns the kind of the text at j.
func followerAt(s *scan.Source, j int) follower {
	if s.EndsAt(j) {
		return endFollows
	}
	switch c := s.Text[j]; {
	case c == '+':
		return plusFollows
	case c == ')':
		return parenthesisFollows
	case c == '(':
		return tupleFollows
	case scan.IsCloser(c):
		return closerFollows
	case scan.IsOpener(c):
		return openerFollows
	case scan.IsSeparator(c):
		return separatorFollows
	case s.OpensComment(j):
		return commentFollows
	case s.QuoteAt(j).Size > 0:
		return quoteFollows
	case scan.IsLetter(c):
		return letterFollows
	}
	return elseFollows
}

// endsString reports whether the quote before i can end a string, given the text that follows the quote. odd
// states that the string contains an odd number of quotes so far, so that this quote may be the second of a pair.
//
//nolint:gocyclo // one case for each condition
func (r *Reader) endsString(i int, in Place, odd bool) bool {
	j := r.SkipBlanks(i)
	switch endings[in][followerAt(&r.Source, j)] {
	case alwaysEnds:
		return true
	case ifString:
		return r.OpensString(r.SkipBlanks(j + 1))
	case ifApart:
		return j > i
	case ifRemark:
		return r.Text[j] != '#' || j > i
	case ifWord:
		return j > i && r.WordAt(j)
	case ifBracket:
		return r.bracketFits(j)
	case ifTuple:
		return r.mayClose(')', in) && r.bracketFits(j)
	case ifItem:
		return r.itemFits(j+1, in, odd)
	case ifKey:
		return r.OpensKey(j)
	case ifBareKey:
		return strings.IndexByte(r.Text[i:j], '\n') >= 0 && r.OpensBareKey(j)
	case ifElement:
		return r.OpensElement(j, false)
	case ifInList:
		return r.outerKind() == scan.Bracket
	}
	return false
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

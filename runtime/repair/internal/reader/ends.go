package reader

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// follower is what may follow a quote.
type follower uint8

const (
	endFollows         follower = iota // of what is to be read, or what comes after values only
	plusFollows                        // +
	closerFollows                      // } or ]
	parenthesisFollows                 // )
	separatorFollows                   // , or ;
	commentFollows                     // a comment
	quoteFollows                       // quote
	openerFollows                      // { or [
	tupleFollows                       // (
	letterFollows                      // of a name without quotes
	elseFollows
	followers
)

// ending says whether a quote ends a string: it does, does not, or what has to be
// seen for it.
type ending uint8

const (
	no ending = iota
	yes
	ifString  // a string follows the plus
	ifApart   // there are blanks between
	ifRemark  // there are, if it is #
	ifWord    // there are, and then a number or a word that stands for a value
	ifBracket // what is behind the bracket can follow it
	ifTuple   // that, and a parenthesis is open
	ifItem    // a member, an element or an argument is behind the separator
	ifKey     // it begins a name
	ifBareKey // a name without quotes is there, in another line
	ifElement // it begins an element
	ifInList  // the object is an element of a list, whose next begins
)

// endings are by the place of the string, and by what follows the quote.
var endings = [places][followers]ending{
	//         the end  +         } or ]     )        , or ;  comment   quote      { or [    (    letter     else
	InText:   {yes, ifString, no, no, no, no, no, no, no, no, no},
	inKey:    {yes, ifString, yes, yes, yes, yes, ifApart, yes, yes, ifWord, yes},
	inObject: {yes, ifString, ifBracket, ifTuple, ifItem, ifRemark, ifKey, ifInList, no, ifBareKey, ifBareKey},
	inArray:  {yes, ifString, ifBracket, ifTuple, ifItem, ifRemark, ifElement, yes, yes, ifWord, ifWord},
	InCall:   {yes, ifString, ifBracket, ifTuple, ifItem, ifRemark, no, no, no, no, no},
}

// followerAt returns what is at j.
func followerAt(s *scan.Source, j int) follower {
	if j >= s.End || s.StopsAt(j) {
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

// endsString tells whether the quote before i can end a string, for what
// follows it. If the string has had an odd number of quotes, this one is more
// likely to be the second of a pair.
func (r *Reader) endsString(i int, in Place, odd bool) bool {
	j := r.Blank(i)
	switch endings[in][followerAt(&r.Source, j)] {
	case yes:
		return true
	case ifString:
		return r.OpensString(r.Blank(j + 1))
	case ifApart:
		return j > i
	case ifRemark:
		return r.Text[j] != '#' || j > i
	case ifWord:
		return j > i && r.WordAt(j)
	case ifBracket:
		return r.bracketFits(j)
	case ifTuple:
		return (in == InCall || r.last[scan.Parenthesis] >= r.outside) && r.bracketFits(j)
	case ifItem:
		return r.itemFits(j+1, in, odd)
	case ifKey:
		return r.OpensKey(j)
	case ifBareKey:
		return strings.IndexByte(r.Text[i:j], '\n') >= 0 && r.OpensBareKey(j)
	case ifElement:
		return r.OpensElement(j, false)
	case ifInList:
		return r.outer() == scan.Bracket
	}
	return false
}

// bracketFits tells whether what follows the closing bracket at j could follow
// it outside of a string. Anything may follow the end of the whole.
func (r *Reader) bracketFits(j int) bool {
	if len(r.stack) <= r.outside+1 {
		return true
	}
	k := r.Blank(j + 1)
	return k >= r.End || r.StopsAt(k) || scan.IsCloser(r.Text[k]) || scan.IsSeparator(r.Text[k]) || scan.IsOpener(r.Text[k]) ||
		strings.IndexByte(r.Text[j:k], '\n') >= 0 || r.OpensComment(k) || r.QuoteAt(k).Size > 0
}

// itemFits tells whether what follows the comma before j can be a member, an
// element or an argument, or the end.
func (r *Reader) itemFits(j int, in Place, odd bool) bool {
	j = r.Blank(j)
	if j >= r.End || r.StopsAt(j) {
		return true
	}
	c := r.Text[j]
	if scan.EndsValue(c) || r.OpensComment(j) || strings.HasPrefix(r.Text[j:r.End], "...") {
		return true
	}
	quoted := r.QuoteAt(j).Size > 0
	switch in {
	case inObject:
		if !quoted {
			return c == ':' || !odd && (c == '{' || c == '[' || r.OpensBareKey(j)) || r.OpensKey(r.Blank(r.WordEnd(j)))
		}
		if odd && scan.EndsValue(r.After(j+r.QuoteAt(j).Size)) {
			return false // it ends the string
		}
		end := r.KeyEnd(j)
		if end < 0 {
			return true // the text was cut off in the name
		}
		switch r.After(end) {
		case 0, ':', '=', '{', '[':
			return true
		case '"':
			return !odd || r.ByteAt(end) != '"' || r.OpensBareKey(j+r.QuoteAt(j).Size)
		}
		return r.OpensBareKey(j+r.QuoteAt(j).Size) || r.WordAt(r.Blank(end))
	case inArray:
		return quoted || !scan.IsLetter(c) || r.BareElement(j, odd)
	case InCall:
		return quoted || !scan.IsLetter(c) || r.OpensArgument(j) || r.WordAt(j)
	}
	return false
}

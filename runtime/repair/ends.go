package repair

import "strings"

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
	inText:   {yes, ifString, no, no, no, no, no, no, no, no, no},
	inKey:    {yes, ifString, yes, yes, yes, yes, ifApart, yes, yes, ifWord, yes},
	inObject: {yes, ifString, ifBracket, ifTuple, ifItem, ifRemark, ifKey, ifInList, no, ifBareKey, ifBareKey},
	inArray:  {yes, ifString, ifBracket, ifTuple, ifItem, ifRemark, ifElement, yes, yes, ifWord, ifWord},
	inCall:   {yes, ifString, ifBracket, ifTuple, ifItem, ifRemark, no, no, no, no, no},
}

// follows returns what is at j.
func (t *source) follows(j int) follower {
	if j >= t.end || t.stopsAt(j) {
		return endFollows
	}
	switch c := t.text[j]; {
	case c == '+':
		return plusFollows
	case c == ')':
		return parenthesisFollows
	case c == '(':
		return tupleFollows
	case isCloser(c):
		return closerFollows
	case isOpener(c):
		return openerFollows
	case isSeparator(c):
		return separatorFollows
	case t.opensComment(j):
		return commentFollows
	case t.quoteAt(j).size > 0:
		return quoteFollows
	case isLetter(c):
		return letterFollows
	}
	return elseFollows
}

// endsString tells whether the quote before i can end a string, for what
// follows it. If the string has had an odd number of quotes, this one is more
// likely to be the second of a pair.
func (r *reader) endsString(i int, in place, odd bool) bool {
	j := r.blank(i)
	switch endings[in][r.follows(j)] {
	case yes:
		return true
	case ifString:
		return r.opensString(r.blank(j + 1))
	case ifApart:
		return j > i
	case ifRemark:
		return r.text[j] != '#' || j > i
	case ifWord:
		return j > i && r.wordAt(j)
	case ifBracket:
		return r.bracketFits(j)
	case ifTuple:
		return (in == inCall || r.last[parenthesis] >= r.outside) && r.bracketFits(j)
	case ifItem:
		return r.itemFits(j+1, in, odd)
	case ifKey:
		return r.opensKey(j)
	case ifBareKey:
		return strings.IndexByte(r.text[i:j], '\n') >= 0 && r.opensBareKey(j)
	case ifElement:
		return r.opensElement(j, false)
	case ifInList:
		return r.outer() == bracket
	}
	return false
}

// bracketFits tells whether what follows the closing bracket at j could follow
// it outside of a string. Anything may follow the end of the whole.
func (r *reader) bracketFits(j int) bool {
	if len(r.stack) <= r.outside+1 {
		return true
	}
	k := r.blank(j + 1)
	return k >= r.end || r.stopsAt(k) || classes[r.text[k]]&(classCloser|classSeparator|classOpener) != 0 ||
		strings.IndexByte(r.text[j:k], '\n') >= 0 || r.opensComment(k) || r.quoteAt(k).size > 0
}

// itemFollows tells whether a comma, and what can follow it in the innermost
// object or list, are at i.
func (r *reader) itemFollows(i int) bool {
	if r.after(i) != ',' {
		return false
	}
	in := inArray
	if r.stack[len(r.stack)-1].kind == brace {
		in = inObject
	}
	return r.itemFits(r.blank(i)+1, in, false)
}

// memberFollows tells whether a comma and a member are behind the bracket at
// r.pos.
func (r *reader) memberFollows() bool {
	return r.after(r.pos+1) == ',' && r.opensKey(r.blank(r.blank(r.pos+1)+1))
}

package repair

import (
	"strings"
	"unicode/utf8"
)

// A quote is a mark that begins or ends a string, by its class and its size in
// bytes; there is none if that is 0.
type quote struct {
	class quoteClass
	size  int
}

type quoteClass uint8

const (
	double  quoteClass = iota // "
	single                    // '
	back                      // ` ´
	curly                     // “ ” „ ‟ ＂
	curlet                    // ‘ ’ ‚ ‛
	angular                   // « » ‹ ›
	quoteClasses
)

// closedBy tells whether a string that begins with a quote of class c may end
// with one of class d.
func (c quoteClass) closedBy(d quoteClass) bool {
	return c == d || c == curly && d == double || (c == curlet || c == back) && d == single
}

// byteAt returns the byte at i, or 0 at the end of what is to be read.
func (r *reader) byteAt(i int) byte {
	if i >= r.end {
		return 0
	}
	return r.text[i]
}

// quoteAt returns the quote at i.
func (r *reader) quoteAt(i int) quote {
	if i < r.end && classes[r.text[i]]&classQuote != 0 {
		return r.quote(i)
	}
	return quote{}
}

func (r *reader) quote(i int) quote {
	c, size := utf8.DecodeRuneInString(r.text[i:r.end])
	switch c {
	case '"':
		return quote{double, size}
	case '\'':
		return quote{single, size}
	case '`', '´':
		return quote{back, size}
	case '“', '”', '„', '‟', '＂':
		return quote{curly, size}
	case '‘', '’', '‚', '‛':
		return quote{curlet, size}
	case '«', '»', '‹', '›':
		return quote{angular, size}
	}
	return quote{}
}

// known is what was found out by looking ahead: the next of something from a
// place on is at another, or, if that is negative, nowhere.
type known struct{ from, at int }

// holds tells whether what is known is so for place i, too.
func (k known) holds(i int) bool {
	return k.from > 0 && k.from <= i && (i <= k.at || k.at < 0)
}

// index returns the place of the next mark from i on; the end of the text if
// there is none.
func (r *reader) index(mark string, i int) int {
	k := r.marks[mark]
	if !k.holds(i + 1) {
		k = known{i + 1, strings.Index(r.text[i:r.end], mark)}
		if k.at >= 0 {
			r.steps += k.at
			k.at += i + 1
		} else {
			r.steps += r.end - i
		}
		if r.marks == nil {
			r.marks = map[string]known{}
		}
		r.marks[mark] = k
	}
	if k.at < 0 {
		return r.end
	}
	return k.at - 1
}

// nextQuote returns the place of the first quote at or after i that can end a
// string of class c, and is not escaped; -1 if there is none. It remembers what
// it found, so that asking again and again costs no more than once.
func (r *reader) nextQuote(c quoteClass, i int) int {
	k := &r.quotes[c]
	if k.holds(i) {
		return k.at
	}
	k.from, k.at = i, -1
	for ; i < r.end; i++ {
		r.steps++
		b := r.text[i]
		if b == '\\' {
			i++
			continue
		}
		if b > '`' && b < 0xc2 {
			continue
		}
		if q := r.quoteAt(i); q.size > 0 && c.closedBy(q.class) {
			k.at = i
			return i
		}
	}
	return -1
}

// keyEnd returns the place behind the string at i, which is a name, taken by
// its quotes alone; -1 if it does not end. Quotes may be doubled.
func (r *reader) keyEnd(i int) int {
	q := r.quoteAt(i)
	end := r.nextQuote(q.class, i+q.size)
	if end < 0 {
		return -1
	}
	end += r.quoteAt(end).size
	if end == i+2*q.size && end < r.end && isWord(r.text[end]) {
		if end = r.nextQuote(q.class, end); end < 0 {
			return -1
		}
		end += r.quoteAt(end).size
		end += r.quoteAt(end).size
	}
	return end
}

// opensKey tells whether a name in quotes and a colon are at i.
func (r *reader) opensKey(i int) bool {
	if r.quoteAt(i).size == 0 {
		return false
	}
	end := r.keyEnd(i)
	return end >= 0 && r.after(end) == ':'
}

// opensBareKey tells whether a name without quotes and a colon are at i. What
// follows a colon in an address or a time does not count.
func (r *reader) opensBareKey(i int) bool {
	end := r.wordEnd(i)
	if end == i {
		return false
	}
	end = r.blank(end + r.quoteAt(end).size)
	return end < r.end && r.text[end] == ':' && !strings.HasPrefix(r.text[end:r.end], "://") &&
		(isLetter(r.text[i]) || end+1 < r.end && isBlank(r.text[end+1]))
}

// wordEnd returns where the name without quotes at i ends.
func (r *reader) wordEnd(i int) int {
	end := i
	for end < r.end && (isWord(r.text[end]) || r.text[end] == '-') {
		end++
	}
	r.steps += end - i
	return end
}

// endsString tells whether the quote before i can end a string, for what
// follows it. If the string has had an odd number of quotes, this one is more
// likely to be the second of a pair.
func (r *reader) endsString(i int, in place, odd bool) bool {
	j := r.blank(i)
	if j >= r.end || r.stopsAt(j) {
		return true
	}
	c := r.text[j]
	if c == '+' {
		return r.opensString(r.blank(j + 1))
	}
	switch in {
	case inText:
		return false
	case inKey:
		return endsValue(c) || c == ':' || c == '=' || j > i && r.quoteAt(j).size > 0 ||
			c < 0x80 && !isLetter(c) && r.quoteAt(j).size == 0 || j > i && r.wordAt(j)
	}
	switch {
	case c == '}' || c == ']':
		return r.bracketFits(j)
	case c == ')':
		return (in == inCall || r.last[parenthesis] >= r.outside) && r.bracketFits(j)
	case isSeparator(c):
		return r.itemFits(j+1, in, odd)
	case r.opensComment(j):
		return c != '#' || j > i
	case r.quoteAt(j).size > 0:
		return in == inObject && r.opensKey(j) || in == inArray && r.opensElement(j, false)
	}
	switch in {
	case inObject:
		return strings.IndexByte(r.text[i:j], '\n') >= 0 && r.opensBareKey(j) ||
			(c == '{' || c == '[') && r.outer() == bracket
	case inArray:
		return c == '{' || c == '[' || c == '(' || j > i && r.wordAt(j)
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

// itemFits tells whether what follows the comma before j can be a member, an
// element or an argument, or the end.
func (r *reader) itemFits(j int, in place, odd bool) bool {
	j = r.blank(j)
	if j >= r.end || r.stopsAt(j) {
		return true
	}
	c := r.text[j]
	if endsValue(c) || r.opensComment(j) || strings.HasPrefix(r.text[j:r.end], "...") {
		return true
	}
	quoted := r.quoteAt(j).size > 0
	switch in {
	case inObject:
		if !quoted {
			return c == ':' || !odd && (c == '{' || c == '[' || r.opensBareKey(j)) || r.opensKey(r.blank(r.wordEnd(j)))
		}
		if odd && endsValue(r.after(j+r.quoteAt(j).size)) {
			return false // it ends the string
		}
		end := r.keyEnd(j)
		if end < 0 {
			return true // the text was cut off in the name
		}
		c = r.after(end)
		return c == 0 || r.opensBareKey(j+r.quoteAt(j).size) || c == ':' || c == '=' || c == '{' || c == '[' || c == '"' && !(odd && r.byteAt(end) == '"') || r.wordAt(r.blank(end))
	case inArray:
		return quoted || !isLetter(c) || r.bareElement(j, odd)
	case inCall:
		return quoted || !isLetter(c) || r.opensArgument(j) || r.wordAt(j)
	}
	return false
}

// opensElement tells whether the string at j, taken by its quotes alone, is a
// whole element of a list, for the separator behind it or, in a list without
// separators, the next element.
func (r *reader) opensElement(j int, separated bool) bool {
	q := r.quoteAt(j)
	end := r.nextQuote(q.class, j+q.size)
	if end < 0 {
		return true
	}
	end += r.quoteAt(end).size
	next := r.blank(end)
	switch r.after(end) {
	case 0, ',', ']', '}':
		return true
	}
	return !separated && next > end && (r.quoteAt(next).size > 0 || r.wordAt(next))
}

// bareElement tells whether the text at j can be an element of a list without
// quotes. What has only a closing quote may belong to the string before, if that
// has had an odd number of quotes.
func (r *reader) bareElement(j int, odd bool) bool {
	words := false
	for i := j; i < r.end; i++ {
		r.steps++
		switch c := r.text[i]; {
		case c == ',' || c == ']' || c == '\n':
			return true
		case c == ' ':
			words = true
		case r.quoteAt(i).size > 0 && c != '\'':
			return !words || !odd
		}
	}
	return true
}

// opensArgument tells whether a name and an equals sign are at j, or a colon.
func (r *reader) opensArgument(j int) bool {
	end := r.wordEnd(j)
	c := r.after(end)
	return end > j && (c == ':' && isLetter(r.text[j]) || c == '=' && !strings.HasPrefix(r.text[r.blank(end):r.end], "=="))
}

// wordAt tells whether a number or a word that stands for a value is at j.
func (r *reader) wordAt(j int) bool {
	end := j
	for end < r.end && end < j+longestWord && (isWord(r.text[end]) || r.text[end] == '+' || r.text[end] == '-' || r.text[end] == '.') {
		end++
	}
	r.steps += end - j
	_, _, ok := word(r.text[j:end])
	return ok
}

func (r *reader) opensComment(j int) bool {
	rest := r.text[j:r.end]
	return rest[0] == '#' || strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") || strings.HasPrefix(rest, "<!--")
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

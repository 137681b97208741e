package repair

import (
	"strings"
)

// keyEnd returns the place behind the string at i, which is a name, taken by
// its quotes alone; -1 if it does not end. Quotes may be doubled.
func (t *source) keyEnd(i int) int {
	q := t.quoteAt(i)
	end := t.nextQuote(q.class, i+q.size)
	if end < 0 {
		return -1
	}
	end += t.quoteAt(end).size
	if end == i+2*q.size && end < t.end && isWord(t.text[end]) {
		if end = t.nextQuote(q.class, end); end < 0 {
			return -1
		}
		end += t.quoteAt(end).size
		end += t.quoteAt(end).size
	}
	return end
}

// opensKey tells whether a name in quotes and a colon are at i.
func (t *source) opensKey(i int) bool {
	if t.quoteAt(i).size == 0 {
		return false
	}
	end := t.keyEnd(i)
	return end >= 0 && t.after(end) == ':'
}

// opensBareKey tells whether a name without quotes and a colon are at i. What
// follows a colon in an address or a time does not count.
func (t *source) opensBareKey(i int) bool {
	end := t.wordEnd(i)
	if end == i {
		return false
	}
	end = t.blank(end + t.quoteAt(end).size)
	return end < t.end && t.text[end] == ':' && !strings.HasPrefix(t.text[end:t.end], "://") &&
		(isLetter(t.text[i]) || end+1 < t.end && isBlank(t.text[end+1]))
}

// wordEnd returns where the name without quotes at i ends.
func (t *source) wordEnd(i int) int {
	end := i
	for end < t.end && (isWord(t.text[end]) || t.text[end] == '-') {
		end++
	}
	t.steps += end - i
	return end
}

// itemFits tells whether what follows the comma before j can be a member, an
// element or an argument, or the end.
func (t *source) itemFits(j int, in place, odd bool) bool {
	j = t.blank(j)
	if j >= t.end || t.stopsAt(j) {
		return true
	}
	c := t.text[j]
	if endsValue(c) || t.opensComment(j) || strings.HasPrefix(t.text[j:t.end], "...") {
		return true
	}
	quoted := t.quoteAt(j).size > 0
	switch in {
	case inObject:
		if !quoted {
			return c == ':' || !odd && (c == '{' || c == '[' || t.opensBareKey(j)) || t.opensKey(t.blank(t.wordEnd(j)))
		}
		if odd && endsValue(t.after(j+t.quoteAt(j).size)) {
			return false // it ends the string
		}
		end := t.keyEnd(j)
		if end < 0 {
			return true // the text was cut off in the name
		}
		c = t.after(end)
		return c == 0 || t.opensBareKey(j+t.quoteAt(j).size) || c == ':' || c == '=' || c == '{' || c == '[' || c == '"' && !(odd && t.byteAt(end) == '"') || t.wordAt(t.blank(end))
	case inArray:
		return quoted || !isLetter(c) || t.bareElement(j, odd)
	case inCall:
		return quoted || !isLetter(c) || t.opensArgument(j) || t.wordAt(j)
	}
	return false
}

// opensElement tells whether the string at j, taken by its quotes alone, is a
// whole element of a list, for the separator behind it or, in a list without
// separators, the next element.
func (t *source) opensElement(j int, separated bool) bool {
	q := t.quoteAt(j)
	end := t.nextQuote(q.class, j+q.size)
	if end < 0 {
		return true
	}
	end += t.quoteAt(end).size
	next := t.blank(end)
	switch t.after(end) {
	case 0, ',', ']', '}':
		return true
	}
	return !separated && next > end && (t.quoteAt(next).size > 0 || t.wordAt(next))
}

// bareElement tells whether the text at j can be an element of a list without
// quotes. What has only a closing quote may belong to the string before, if that
// has had an odd number of quotes.
func (t *source) bareElement(j int, odd bool) bool {
	words := false
	for i := j; i < t.end; i++ {
		t.steps++
		switch c := t.text[i]; {
		case c == ',' || c == ']' || c == '\n':
			return true
		case c == ' ':
			words = true
		case t.quoteAt(i).size > 0 && c != '\'':
			return !words || !odd
		}
	}
	return true
}

// opensArgument tells whether a name and an equals sign are at j, or a colon.
func (t *source) opensArgument(j int) bool {
	end := t.wordEnd(j)
	c := t.after(end)
	return end > j && (c == ':' && isLetter(t.text[j]) || c == '=' && !strings.HasPrefix(t.text[t.blank(end):t.end], "=="))
}

// wordAt tells whether a number or a word that stands for a value is at j.
func (t *source) wordAt(j int) bool {
	end := j
	for end < t.end && end < j+longestWord && (isWord(t.text[end]) || t.text[end] == '+' || t.text[end] == '-' || t.text[end] == '.') {
		end++
	}
	t.steps += end - j
	_, _, ok := word(t.text[j:end])
	return ok
}

// lacksValue tells whether a name in quotes is at i, and no value.
func (t *source) lacksValue(i int) bool {
	if i = t.blank(i); t.quoteAt(i).size == 0 {
		return false
	}
	end := t.keyEnd(i)
	return end >= 0 && endsValue(t.after(end))
}

func isEllipsis(text string) bool {
	return strings.HasPrefix(text, "...") || strings.HasPrefix(text, "…")
}

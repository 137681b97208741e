// Package words builds texts and names that people and models read. Both the compiler and
// the runtime use it.
//
// Near and Nearest find the names that a misspelled name may mean. List and Join write lists as in "a, b or c".
// Cut shortens a text, and Visible replaces invisible characters. ToolName makes a name that every model provider
// accepts.
package words

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cut shortens s to at most limit bytes and appends "…". It does not split a character. If s is not UTF-8, Cut may
// remove up to four bytes more than necessary.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return s[:Boundary(s, limit)] + "…"
}

// Boundary returns the index at which the character that contains s[i] starts. If s is not UTF-8, the
// index is at most four less than i.
func Boundary(s string, i int) int {
	at := i
	for at > max(0, i-utf8.UTFMax) && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// Visible replaces invisible characters with blanks: characters that break a line, control a
// terminal, change the direction of text or have no shape. It keeps the characters in except. It
// also keeps a single joiner or emoji selector after a character that is not ASCII, because some scripts and emoji need
// them.
func Visible(text, except string) string {
	var before rune
	return strings.Map(func(r rune) rune {
		last := before
		before = r
		if strings.ContainsRune(except, r) || strconv.IsPrint(r) && !isShapeless(r) || isJoiner(r) && canFollow(last, r) {
			return r
		}
		return ' '
	}, text)
}

// isJoiner reports whether a character changes how its neighbors are drawn.
func isJoiner(r rune) bool { return r == '\u200c' || r == '\u200d' || r == '\ufe0f' }

// canFollow reports whether Visible keeps a joiner after the character last.
func canFollow(last, joiner rune) bool {
	return last >= utf8.RuneSelf && (!isJoiner(last) || last == '\ufe0f' && joiner == '\u200d')
}

// isShapeless reports whether a character is invisible although package unicode considers it printable.
func isShapeless(r rune) bool {
	return r == '\u2800' || unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

const (
	longestWord = 64 // bytes
	maxWords    = 16
)

// List joins words as in "a, b or c"; last is the separator before the last word, such as " or ". It quotes words that
// would be unclear in a sentence, shortens long words, and lists at most the first 16.
func List(words []string, last string) string { return joinWords(words, last, maxWords, quoteUnclear) }

func quoteUnclear(word string) string {
	if word = Cut(word, longestWord); word == "" || strings.ContainsAny(word, " \t\r\n\",") {
		return strconv.Quote(word)
	}
	return word
}

// Join is like List, but does not change the words, and lists at most limit of them.
func Join(words []string, last string, limit int) string {
	return joinWords(words, last, limit, func(word string) string { return word })
}

func joinWords(words []string, last string, limit int, format func(string) string) string {
	var b strings.Builder
	for i, word := range words {
		switch {
		case i == 0:
		case i == limit:
			return b.String() + " " + andMore(len(words)-i)
		case i == len(words)-1:
			b.WriteString(last)
		default:
			b.WriteString(", ")
		}
		b.WriteString(format(word))
	}
	return b.String()
}

// First returns texts. If count is larger than their number, it appends a text such as "and 3 more".
func First(texts []string, count int) []string {
	if more := count - len(texts); more > 0 {
		texts = append(texts, andMore(more))
	}
	return texts
}

func andMore(n int) string { return "and " + strconv.Itoa(n) + " more" }

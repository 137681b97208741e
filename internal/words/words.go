// Package words puts together what people and models are told: names that may
// have been meant, lists in words, texts cut short. Compiler and runtime share it.
//
// Its layers, from top to bottom:
//
//	fault, sample        what is wrong with a value, and the like of one, in words
//	nearest, folded      names that may have been meant, and what all spellings share
//	unsupplied           placeholders without a value
//	number               numbers that tell names apart
//	words                lists, counts and cuts
package words

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cut shortens s to at most limit bytes, between characters. It need not be
// UTF-8: no more is given up for the sake of a whole character than one can be
// long.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return s[:Boundary(s, limit)] + "…"
}

// Boundary returns the place where the character at s[i] begins, which need not be
// one of UTF-8.
func Boundary(s string, i int) int {
	at := i
	for at > max(0, i-utf8.UTFMax) && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// Visible returns a text with blanks instead of characters that cannot be seen, such as
// those that break a line, steer a terminal, change the direction of text or have no shape.
// Characters of but stay, and joiners and emoji selectors where scripts and emoji need
// them: one between two characters that are not ASCII.
func Visible(text, but string) string {
	var before rune
	return strings.Map(func(r rune) rune {
		last := before
		before = r
		if strings.ContainsRune(but, r) || strconv.IsPrint(r) && !isShapeless(r) || isJoiner(r) && joins(last, r) {
			return r
		}
		return ' '
	}, text)
}

// isJoiner reports whether a character changes how its neighbors are drawn.
func isJoiner(r rune) bool { return r == '\u200c' || r == '\u200d' || r == '\ufe0f' }

// joins reports whether a joiner may stand after a character.
func joins(last, joiner rune) bool {
	return last >= utf8.RuneSelf && (!isJoiner(last) || last == '\ufe0f' && joiner == '\u200d')
}

// isShapeless reports whether nothing is drawn for a character that counts as printable.
func isShapeless(r rune) bool {
	return r == '\u2800' || unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

const (
	longestWord = 64 // bytes
	mostWords   = 16
)

// List joins words that others chose as in "a, b or c". Words that would not stand
// out are quoted, long ones are cut, and of many the first 16 are told.
func List(words []string, last string) string { return join(words, last, mostWords, standingOut) }

func standingOut(word string) string {
	if word = Cut(word, longestWord); word == "" || strings.ContainsAny(word, " \t\r\n\",") {
		return strconv.Quote(word)
	}
	return word
}

// Join joins words as they are, as in "a, b or c". Of many the first few are told,
// at most so many.
func Join(words []string, last string, most int) string {
	return join(words, last, most, func(word string) string { return word })
}

func join(words []string, last string, most int, spelt func(string) string) string {
	var b strings.Builder
	for i, word := range words {
		switch {
		case i == 0:
		case i == most:
			return b.String() + " " + andMore(len(words)-i)
		case i == len(words)-1:
			b.WriteString(last)
		default:
			b.WriteString(", ")
		}
		b.WriteString(spelt(word))
	}
	return b.String()
}

// First are the first of so many texts, and how many more there are: "and 3 more".
func First(texts []string, count int) []string {
	if more := count - len(texts); more > 0 {
		texts = append(texts, andMore(more))
	}
	return texts
}

func andMore(n int) string { return "and " + strconv.Itoa(n) + " more" }

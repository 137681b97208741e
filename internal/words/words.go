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

// Visible returns a text with blanks in the place of what cannot be seen: what breaks a
// line, steers a terminal, or turns the order of characters around; but for some, and for
// joiners, without which some scripts are misspelt.
func Visible(text, but string) string {
	const joiners = "\u200c\u200d"
	return strings.Map(func(r rune) rune {
		if strconv.IsPrint(r) || strings.ContainsRune(joiners, r) || strings.ContainsRune(but, r) {
			return r
		}
		return ' '
	}, text)
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

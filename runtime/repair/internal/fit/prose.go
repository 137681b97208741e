package fit

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// proseText is text that is not JSON. It records which bytes of the text were found in leaves of the repaired
// value.
type proseText struct {
	text string
	used []bool // whether each byte was used
}

// takeWanted searches the text for each wanted leaf, as whole words, and marks these words as used. It starts
// with the longest leaf. It returns the leaves that the text does not contain.
func (p *proseText) takeWanted(f *Fitter, wanted []want) (rest []want) {
	wanted = slices.Clone(wanted)
	slices.SortStableFunc(wanted, func(a, b want) int { return len(b.node.Text) - len(a.node.Text) })
	for _, w := range wanted {
		if !p.takeWords(f, wordsOf(w.node)) {
			rest = append(rest, w)
		}
	}
	return slices.DeleteFunc(rest, func(w want) bool {
		return f.Err() == nil && p.takeWord(func(word string) bool { return f.isReading(w.node, textNode(word), w.place) })
	})
}

// wordsOf returns the text of a leaf.
func wordsOf(n *jsontext.Node) string {
	if n.Kind == jsontext.String {
		return n.Str()
	}
	return n.String()
}

// takeWords marks an unused occurrence of words in the text as used. It returns false if there is none.
func (p *proseText) takeWords(f *Fitter, words string) bool {
	f.Spend(len(p.text) / 64)
	for at := 0; words != "" && f.Err() == nil; f.Spend(8) {
		i := strings.Index(p.text[at:], words)
		if i < 0 {
			break
		}
		i += at
		end := i + len(words)
		if isWholeWord(p.text, i, end) && p.markUsed(i, end) {
			return true
		}
		at = i + 1
	}
	return false
}

// takeWord finds the first unused word for which matches returns true, and marks it as used. It returns false if
// there is none.
func (p *proseText) takeWord(matches func(string) bool) bool {
	const marks = "\"'`.,;:!?()[]{}<>"
	at := 0
	for word := range strings.FieldsSeq(p.text) {
		i := at + strings.Index(p.text[at:], word)
		at = i + len(word)
		left := strings.TrimLeft(word, marks)
		i += len(word) - len(left)
		inner := strings.TrimRight(left, marks)
		if inner != "" && !slices.Contains(p.used[i:i+len(inner)], true) && matches(inner) {
			return p.markUsed(i, i+len(inner))
		}
	}
	return false
}

// markUsed marks a part of the text as used. It returns false if some of the part is already used.
func (p *proseText) markUsed(from, to int) bool {
	if slices.Contains(p.used[from:to], true) {
		return false
	}
	for i := from; i < to; i++ {
		p.used[i] = true
	}
	return true
}

// joiners are the characters that may be inside a word, as in 7.5, 4711-XYZ and ada@example.org.
const joiners = "-._@/+:,'’"

// isWholeWord reports whether a part of a text consists of whole words.
func isWholeWord(text string, from, to int) bool {
	first, _ := utf8.DecodeRuneInString(text[from:to])
	last, _ := utf8.DecodeLastRuneInString(text[from:to])
	before, size := utf8.DecodeLastRuneInString(text[:from])
	beyond, _ := utf8.DecodeLastRuneInString(text[:from-size])
	if isWord(first) && (isWord(before) || strings.ContainsRune(joiners, before) && (isWord(beyond) || unicode.IsDigit(first) && (before == '-' || before == '.'))) {
		return false
	}
	after, size := utf8.DecodeRuneInString(text[to:])
	beyond, _ = utf8.DecodeRuneInString(text[to+size:])
	return !isWord(last) || !isWord(after) && !(strings.ContainsRune(joiners, after) && isWord(beyond))
}

func isWord(c rune) bool {
	return c != utf8.RuneError && (unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c))
}

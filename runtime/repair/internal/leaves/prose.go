package leaves

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// prose is a text that is no JSON, with what was not taken from it yet.
type prose struct {
	text string
	used []bool // bytes
}

// take takes the words of each leaf out of the text, long ones first, and returns
// what does not stand there as whole words.
func (p *prose) take(j judge, wanted []want) (rest []want) {
	wanted = slices.Clone(wanted)
	slices.SortStableFunc(wanted, func(a, b want) int { return len(b.node.Text) - len(a.node.Text) })
	for _, w := range wanted {
		if !p.takeWords(j, said(w.node)) {
			rest = append(rest, w)
		}
	}
	return slices.DeleteFunc(rest, func(w want) bool {
		return j.Err() == nil && p.takeWord(func(word string) bool { return j.isReading(w.node, text(word), w.place) })
	})
}

// said returns what a leaf says.
func said(n *jsontext.Node) string {
	if n.Kind == jsontext.String {
		return n.Str()
	}
	return n.String()
}

// takeWords takes words that stand in the text, and were not taken before.
func (p *prose) takeWords(j judge, words string) bool {
	j.Spend(len(p.text) / 64)
	for at := 0; words != "" && j.Err() == nil; j.Spend(8) {
		i := strings.Index(p.text[at:], words)
		if i < 0 {
			break
		}
		i += at
		end := i + len(words)
		if isWhole(p.text, i, end) && p.mark(i, end) {
			return true
		}
		at = i + 1
	}
	return false
}

// takeWord takes the first word that is what is wanted.
func (p *prose) takeWord(is func(string) bool) bool {
	const marks = "\"'`.,;:!?()[]{}<>"
	at := 0
	for word := range strings.FieldsSeq(p.text) {
		i := at + strings.Index(p.text[at:], word)
		at = i + len(word)
		left := strings.TrimLeft(word, marks)
		i += len(word) - len(left)
		inner := strings.TrimRight(left, marks)
		if inner != "" && !slices.Contains(p.used[i:i+len(inner)], true) && is(inner) {
			return p.mark(i, i+len(inner))
		}
	}
	return false
}

// mark takes a part of the text; false if some of it is taken.
func (p *prose) mark(from, to int) bool {
	if slices.Contains(p.used[from:to], true) {
		return false
	}
	for i := from; i < to; i++ {
		p.used[i] = true
	}
	return true
}

// joiners hold what is around them together: 7.5, 4711-XYZ, ada@example.org.
const joiners = "-._@/+:,'’"

// isWhole tells whether a part of a text is whole words of it.
func isWhole(text string, from, to int) bool {
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

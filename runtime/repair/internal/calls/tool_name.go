package calls

import (
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// skipSeparators returns the position after blanks, separators, Markdown marks and the label of a fence.
func (c *cursor) skipSeparators(i int) int {
	start := i
	defer func() { c.Steps += i - start }()
	for i < c.End {
		switch {
		case strings.HasPrefix(c.Text[i:c.End], "```"):
			i += 3
			for i < c.End && scan.IsWord(c.Text[i]) {
				i++
			}
		case scan.IsBlank(c.Text[i]) || scan.IsSeparator(c.Text[i]) || isMarkdown(c.Text[i]):
			i++
		default:
			return i
		}
	}
	return i
}

const markdownMarks = "`*"

func isMarkdown(b byte) bool { return strings.IndexByte(markdownMarks, b) >= 0 }

// readToolName reads the name of a tool.
func (c *cursor) readToolName() string {
	start := c.Pos
	end := strings.IndexFunc(c.Text[start:c.End], func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_$.-:/", r)
	})
	if end < 0 {
		end = c.End - start
	}
	c.Pos += end
	return c.Text[start:c.Pos]
}

// longestLabel is the maximum length, in bytes, of names, special tokens, headers, and the text between a name and
// its separator.
const longestLabel = 128

// skipSeparator skips the text between a name and its arguments and returns the separator in it. It does not
// look beyond an opening brace or the next call.
func (c *cursor) skipSeparator() separator {
	adjacent := true // there are only blanks and Markdown before i
	for i := c.Pos; i < min(c.End, c.Pos+longestLabel) && c.Text[i] != '{'; i++ {
		b := c.Text[i]
		if b == '"' || b == '<' && !opensToken(c.Text[i:]) {
			break // a value follows
		}
		if opensMark[b] || opensSeparator[b] {
			if _, ok := callAt(c.Text, i); ok {
				break
			}
			for _, s := range separators {
				if strings.HasPrefix(c.Text[i:c.End], s.mark) && (adjacent || !s.text) {
					c.Pos = i + len(s.mark)
					return s
				}
			}
		}
		adjacent = adjacent && (scan.IsBlank(b) || isMarkdown(b))
	}
	return separator{}
}

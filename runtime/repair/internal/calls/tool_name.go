package calls

import (
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// skip returns the place behind blanks, separators and marks of Markdown, with
// the label of a fence.
func (c *cursor) skip(i int) int {
	start := i
	defer func() { c.Steps += i - start }()
	for i < c.End {
		switch {
		case strings.HasPrefix(c.Text[i:c.End], "```"):
			for i += 3; i < c.End && scan.IsWord(c.Text[i]); i++ {
			}
		case scan.IsBlank(c.Text[i]) || scan.IsSeparator(c.Text[i]) || isMarkdown(c.Text[i]):
			i++
		default:
			return i
		}
	}
	return i
}

const markdown = "`*"

func isMarkdown(b byte) bool { return strings.IndexByte(markdown, b) >= 0 }

// toolName reads the name of a tool.
func (c *cursor) toolName() string {
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

// longestLabel bounds how far a separator is looked for.
const longestLabel = 128

// separator skips what is between a name and its arguments, with the separator. It
// is not beyond an opening brace, or the next call.
func (c *cursor) separator() separator {
	named := true // nothing but the name and Markdown came
	for i := c.Pos; i < min(c.End, c.Pos+longestLabel) && c.Text[i] != '{'; i++ {
		b := c.Text[i]
		if b == '"' || b == '<' && !strings.HasPrefix(c.Text[i:], "<|") && !strings.HasPrefix(c.Text[i:], "<｜") {
			break // what follows is a value
		}
		if opensMark[b] || opensSeparator[b] {
			if _, ok := callAt(c.Text, i); ok {
				break
			}
			for _, s := range separators {
				if strings.HasPrefix(c.Text[i:c.End], s.mark) && (named || !s.text) {
					c.Pos = i + len(s.mark)
					return s
				}
			}
		}
		named = named && (scan.IsBlank(b) || isMarkdown(b))
	}
	return separator{}
}

package tool

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Quote returns the outcome of the call as a line of a prompt: the output and what is
// attached to it, or [ModelText] of the error. Text of others is in JSON strings, which
// cannot look like a line of the program's own. Each part is cut to limit bytes.
func (c *Call) Quote(limit int) string {
	if c.Err != nil {
		return jsontext.QuoteLine(ModelText(c.Err), limit)
	}
	text := jsontext.CompactLine(c.Output, limit)
	if attached := c.QuoteAttached(limit); attached != "" {
		text += " (note: " + jsontext.QuoteLine(attached, limit) + ")"
	}
	return text
}

// QuoteAttached returns what a model reads in addition to the output of the call, in lines:
// the note, and a description of each attached part. Images, audio and files are only named.
// The parts share limit bytes; a text that exceeds them is cut, and further parts are counted.
func (c *Call) QuoteAttached(limit int) string {
	var lines []string
	if c.Note != "" {
		lines = append(lines, c.Note)
	}
	for i, p := range c.Content {
		if limit <= 0 {
			lines = append(lines, fmt.Sprintf("Attached: %d more", len(c.Content)-i))
			break
		}
		lines = append(lines, "Attached: "+jsontext.QuoteLine(p.String(), limit))
		limit -= len(lines[len(lines)-1])
	}
	return strings.Join(lines, "\n")
}

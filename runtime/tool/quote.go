package tool

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Quote returns the outcome of the call as one line of a prompt: the output, the note and the
// attached parts, or [ModelText] of the error. It writes untrusted text as JSON strings, which
// cannot be mistaken for lines of the prompt itself. It cuts each part to limit bytes.
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

// QuoteAttached returns lines that a model reads in addition to the output of the call: the
// note, and a description of each attached part. For images, audio and files, the description
// is only a name. The parts are cut to limit bytes in total. If some do not fit,
// the last line is their number, as in "Attached: 3 more".
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

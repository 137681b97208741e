package calls

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/find"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Found are those that a text has.
type Found struct {
	Requests []tool.Request
	Failures []*report.Failure // why others cannot be read
	Alone    bool              // there is nothing else in the text, but what the model thought
	Text     string            // in which the places of failures are
	Steps    int               // bytes that were looked at
}

// Read reads the calls in a text.
func Read(text string, definitions []tool.Definition) Found {
	for _, mark := range []string{"<escape>", `<|"|>`} { // FunctionGemma, Gemma 4
		text = requoted(text, mark)
	}
	start := AfterThoughts(text)
	c := newCaller(text, start, newOffers(definitions))
	c.read()
	found := Found{Text: text, Steps: c.Steps}
	if len(c.requests) == 0 && len(c.broken) == 0 {
		return found
	}
	c.Cut = c.Cut || endsInMark(text)
	for i := range c.requests {
		c.requests[i].Truncated = c.Cut
	}
	found.Requests, found.Failures = c.requests, append(c.unusable, c.broken...)
	found.Alone = c.isAlone(start)
	return found
}

// read reads the calls in envelopes; if there are none, those that are JSON; if
// there are none, those of Python.
func (c *caller) read() {
	start := c.Pos
	for _, read := range []func(){c.enveloped, c.values, c.lines} {
		c.Pos, c.Cut = start, false
		if read(); len(c.requests) > 0 || len(c.broken) > 0 {
			return
		}
	}
}

// values reads the calls in the JSON values of the text.
func (c *caller) values() {
	f := find.New(c.Text, c.Pos, nil)
	f.Find()
	c.Steps += f.Steps
	for _, d := range f.Found {
		if within(c.aside, d.From) || c.isMentioned(d.From, d.To) {
			continue
		}
		isCall := c.shape(d.Value, false)
		if isCall {
			c.take(d.From, d.To)
		}
		if isCall || d.To == c.End { // it was to become one
			c.Cut = c.Cut || d.Cut
		}
	}
	requests := len(c.requests)
	if bad := f.Failed; bad.Failure != nil && bad.Value != nil && c.shape(bad.Value, false) { // as far as it was read
		c.requests = c.requests[:requests]
		c.reject(bad.Failure.At, bad.Failure.Message)
	}
}

// requoted returns text with JSON strings instead of text between marks.
func requoted(text, mark string) string {
	parts := strings.Split(text, mark)
	if last := len(parts) - 1; len(parts)%2 == 0 { // it was cut off
		parts[last] = strings.TrimSuffix(jsontext.Quote(parts[last]), `"`)
	}
	for i := 1; i < len(parts)-1; i += 2 {
		parts[i] = jsontext.Quote(parts[i])
	}
	return strings.Join(parts, "")
}

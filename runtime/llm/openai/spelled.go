package openai

import (
	"strings"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/llm/internal/thought"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Servers without a parser for the calls of their model pass them on as text.
// [repair.Requests] reads those at its end. It does not read calls that are only mentioned.

// spelled returns the calls at the end of a text, or none if one cannot be read. Without
// tags it accepts only tools that were offered, because JSON may be an answer.
func (r *request) spelled(text string) (calls []tool.Request) {
	if !r.spells {
		return nil
	}
	found, err := repair.Requests(text, r.offered()...)
	if err != nil {
		return nil
	}
	tagged := hasTaggedLine(text)
	for _, c := range found {
		if !tagged && !r.tools.has(c.Name) {
			return nil
		}
		call := r.tools.Request(openai.ToolCall{ID: c.ID, Function: openai.FunctionCall{Name: c.Name, Arguments: string(c.Arguments)}})
		call.Truncated = c.Truncated
		calls = append(calls, call)
	}
	return calls
}

// offered returns the tools by the names that the endpoint knows.
func (r *request) offered() (all []tool.Definition) {
	for _, l := range r.tools.all {
		all = append(all, tool.Definition{Name: l.Name, Input: l.Input})
	}
	return all
}

// hasTaggedLine reports whether a line begins with a tag that is not one of a thought.
func hasTaggedLine(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t\r")
		for _, tag := range thought.Tags {
			line = strings.TrimPrefix(strings.TrimPrefix(line, tag[0]), tag[1])
		}
		if strings.HasPrefix(line, "<") {
			return true
		}
	}
	return false
}

// tells returns how many bytes of the text so far cannot become a call any more. These are
// the bytes before the first line that may begin a call.
func (a *assembly) tells() int {
	text := a.text.String()
	if !a.request.spells {
		return len(text)
	}
	offered := a.request.offered()
	begins := func(i int) bool { return repair.MayBeginCall(text[i:min(len(text), i+longestBeginning)], offered...) }
	if a.told-a.line < longestBeginning && strings.TrimLeft(text[a.line:a.told], " \t\r") == "" && begins(a.line) {
		if blanks := len(text) - a.told; blanks > longestBeginning && strings.TrimLeft(text[a.told:], " \t\r\n") == "" {
			return len(text) - longestBeginning // a call loses no blanks before it
		}
		return a.told
	}
	for i := max(0, a.told-longestTag); i < len(text); { // the end of a thought may have begun there
		i = nextBeginning(text, i)
		if i >= a.told && begins(i) {
			return i
		}
	}
	return len(text)
}

// longestBeginning bounds how much of a line, in bytes, is looked at to find out whether it may
// begin a call.
const longestBeginning = 256

// nextBeginning returns the end of the next line or thought at or after i; the length of the
// text if there is none.
func nextBeginning(text string, i int) int {
	next := len(text)
	if end := strings.IndexByte(text[i:], '\n'); end >= 0 {
		next = i + end + 1
	}
	for _, tag := range thought.Tags {
		if end := strings.Index(text[i:next], tag[1]); end >= 0 {
			next = i + end + len(tag[1])
		}
	}
	return next
}

// longestTag bounds the tags around what is thought.
const longestTag = 16

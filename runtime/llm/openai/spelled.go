package openai

import (
	"slices"
	"strings"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/llm/internal/thought"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Servers without a parser for the calls of their model hand them on as text. They are
// taken for calls only where nothing else is said: an answer that explains a call runs
// nothing.

// spelled returns the calls that a text is. Names of tools that were not offered are
// believed only in tags: JSON may be an answer.
func (r *request) spelled(text string) (calls []tool.Request) {
	if !r.spells {
		return nil
	}
	var offered []tool.Definition
	for _, l := range r.tools.all {
		offered = append(offered, tool.Definition{Name: l.Name, Input: l.Input})
	}
	found, err := repair.RequestsAlone(text, offered...)
	if err != nil {
		return nil
	}
	tagged := strings.HasPrefix(strings.TrimLeft(text[thoughtEnd(text):], " \t\r\n"), "<")
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

// tells returns how much of the text so far, in bytes, can become no call any more.
func (a *assembly) tells() int {
	text := a.text.String()
	if !a.request.spells {
		return len(text)
	}
	if a.held {
		return a.told
	}
	seen := max(0, a.told-longestTag) // in which the end of a thought may have begun
	start := seen + thoughtEnd(text[seen:])
	if start == seen && a.told > 0 {
		return len(text)
	}
	rest := strings.TrimLeft(text[start:], " \t\r\n")
	switch {
	case rest == "":
		return max(start, a.told)
	case strings.IndexByte("<{[`~", rest[0]) >= 0:
		a.held = true
	case !slices.ContainsFunc(a.request.tools.all, func(l lowered) bool { return strings.HasPrefix(rest, l.Name) || strings.HasPrefix(l.Name, rest) }):
		return len(text)
	}
	return max(len(text)-len(rest), a.told)
}

// longestTag bounds the tags around what is thought.
const longestTag = 16

// thoughtEnd returns the end of the last tag that ends what is thought; 0 if there is none.
func thoughtEnd(text string) (end int) {
	for _, tag := range thought.Tags {
		if i := strings.LastIndex(text, tag[1]); i >= 0 {
			end = max(end, i+len(tag[1]))
		}
	}
	return end
}

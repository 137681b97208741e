package openai

import (
	"strings"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/llm/internal/reasoning"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Some servers have no parser for the calls of their model and return them as text.
// [repair.Requests] reads calls at the end of a text, and ignores calls that are only mentioned.

// readTextCalls returns the calls at the end of a text, or none if one of them cannot be read. In a
// text without tags it accepts only calls of offered tools, because JSON may be the answer.
func (r *request) readTextCalls(text string) (calls []tool.Request) {
	if !r.spells {
		return nil
	}
	found, err := repair.Requests(text, r.offeredTools()...)
	if err != nil {
		return nil
	}
	tagged := hasTaggedLine(text)
	for _, c := range found {
		if !tagged && !r.tools.hasTool(c.Name) {
			return nil
		}
		call := r.tools.Request(openai.ToolCall{ID: c.ID, Function: openai.FunctionCall{Name: c.Name, Arguments: string(c.Arguments)}})
		call.Truncated = c.Truncated
		calls = append(calls, call)
	}
	return calls
}

// offeredTools returns the tools with the names that the endpoint knows.
func (r *request) offeredTools() (all []tool.Definition) {
	for _, l := range r.tools.lowered.All {
		all = append(all, tool.Definition{Name: l.Name, Input: l.Input})
	}
	return all
}

// hasTaggedLine reports whether a line begins with a tag other than those around reasoning.
func hasTaggedLine(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t\r")
		for _, tag := range reasoning.Tags {
			line = strings.TrimPrefix(strings.TrimPrefix(line, tag[0]), tag[1])
		}
		if strings.HasPrefix(line, "<") {
			return true
		}
	}
	return false
}

// safeTextLength returns the length of the text that can be emitted, because it is not part of a
// call: it ends before the first line that may begin a call.
func (a *assembly) safeTextLength() int {
	text := a.text.String()
	if !a.request.spells {
		return len(text)
	}
	offered := a.request.offeredTools()
	begins := func(i int) bool { return repair.MayBeginCall(text[i:min(len(text), i+maxBeginning)], offered...) }
	if a.emitted-a.line < maxBeginning && strings.TrimLeft(text[a.line:a.emitted], " \t\r") == "" && begins(a.line) {
		if blanks := len(text) - a.emitted; blanks > maxBeginning && strings.TrimLeft(text[a.emitted:], " \t\r\n") == "" {
			return len(text) - maxBeginning // blanks before a call are not part of it
		}
		return a.emitted
	}
	for i := max(0, a.emitted-maxTag); i < len(text); { // a closing tag may have begun there
		i = nextBeginning(text, i)
		if i >= a.emitted && begins(i) {
			return i
		}
	}
	return len(text)
}

// maxBeginning is the number of bytes of a line that are examined to find out whether it may begin
// a call.
const maxBeginning = 256

// nextBeginning returns the end of the next line or reasoning tag at or after i, where a call may
// begin; the length of the text if there is none.
func nextBeginning(text string, i int) int {
	next := len(text)
	if end := strings.IndexByte(text[i:], '\n'); end >= 0 {
		next = i + end + 1
	}
	for _, tag := range reasoning.Tags {
		if end := strings.Index(text[i:next], tag[1]); end >= 0 {
			next = i + end + len(tag[1])
		}
	}
	return next
}

// maxTag is at least the length of every closing tag of reasoning.
const maxTag = 16

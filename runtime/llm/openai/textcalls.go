package openai

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/llm/internal/reasoning"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Some servers have no parser for the calls of their model and return them as text.
// [repair.Requests] reads calls at the end of a text, and ignores calls that are only mentioned.

// readTextCalls returns the calls at the end of a text, or none if one of them cannot be read. JSON
// at the end of a text without tags may also be the answer itself, so it is a call only if it names
// an offered tool.
func (r *request) readTextCalls(text string) (calls []tool.Request) {
	if !r.allowTextCalls {
		return nil
	}
	found, err := repair.Requests(text, r.offeredTools()...)
	if err != nil {
		return nil
	}
	tagged := hasTaggedLine(text)
	for _, c := range found {
		if !tagged && r.tools.FindLowered(c.Name) == nil {
			return nil
		}
		call := r.tools.Request(c.ID, c.Name, c.Arguments)
		call.Truncated = c.Truncated
		calls = append(calls, call)
	}
	return calls
}

// offeredTools returns the tools of the request in their lowered form.
func (r *request) offeredTools() (all []tool.Definition) {
	for _, l := range r.tools.All {
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

// safeTextLength returns the length of the text that can be emitted before the rest arrives: the
// text up to the first line that may begin a call.
func (a *assembly) safeTextLength() int {
	text := a.text.String()
	if !a.request.allowTextCalls {
		return len(text)
	}
	offered := a.request.offeredTools()
	begins := func(i int) bool { return repair.MayBeginCall(text[i:min(len(text), i+maxBeginning)], offered...) }
	if a.emitted-a.lineStart < maxBeginning && strings.TrimLeft(text[a.lineStart:a.emitted], " \t\r") == "" && begins(a.lineStart) {
		if blanks := len(text) - a.emitted; blanks > maxBeginning && strings.TrimLeft(text[a.emitted:], " \t\r\n") == "" {
			return len(text) - maxBeginning // blanks before a call are not part of it
		}
		return a.emitted
	}
	for i := max(0, a.emitted-maxTag); i < len(text); { // the emitted text may end inside a closing tag
		i = nextBeginning(text, i)
		if i >= a.emitted && begins(i) {
			return i
		}
	}
	return len(text)
}

// maxBeginning is the number of bytes that decide whether a line may begin a call.
const maxBeginning = 256

// nextBeginning returns the next position after i at which a call may begin: after a line break or a
// closing tag of reasoning. It returns len(text) if there is none.
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

// maxTag is an upper bound for the length of closing tags of reasoning, in bytes.
const maxTag = 16

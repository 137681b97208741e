// Package reasoning separates the reasoning that a model writes in tags before its answer from
// the answer.
package reasoning

import "strings"

// Splitter splits a text that arrives in pieces.
type Splitter struct {
	pending string // text that cannot be classified yet
	end     string // closing tag, while inside the reasoning
	some    bool   // the reasoning has ended
	past    bool   // the answer has begun
}

// Tags are the tags that models and endpoints use.
var Tags = [][2]string{{"<think>", "</think>"}, {"<thought>", "</thought>"}, {"<thinking>", "</thinking>"}, {"<reasoning>", "</reasoning>"}}

// Add processes a piece of the text and returns the parts that belong to the answer and to the reasoning.
func (t *Splitter) Add(piece string) (text, thought string) {
	if t.past {
		return piece, ""
	}
	t.pending += piece
	if t.end == "" && (t.some || !t.startReasoning()) {
		if t.some && strings.TrimSpace(t.pending) == "" {
			t.pending = "" // drop the space before the answer
			return "", ""
		}
		return t.Flush()
	}
	if t.end == "" {
		return "", ""
	}
	thought, rest, closed := strings.Cut(t.pending, t.end)
	if !closed {
		safe := max(0, len(t.pending)-len(t.end)+1) // the rest may be the beginning of the closing tag
		thought, t.pending = t.pending[:safe], t.pending[safe:]
		return "", thought
	}
	t.pending, t.end, t.some = "", "", true
	text, _ = t.Add(rest)
	return text, thought
}

// longestSpace limits the space before a tag, in bytes.
const longestSpace = 1024

// startReasoning reports whether the pending text begins with an opening tag, or with part of one. It
// removes a complete tag.
func (t *Splitter) startReasoning() bool {
	begin := strings.TrimLeft(t.pending, " \t\r\n")
	if begin == "" && len(t.pending) > longestSpace {
		return false
	}
	for _, tag := range Tags {
		if rest, ok := strings.CutPrefix(begin, tag[0]); ok {
			t.pending, t.end = rest, tag[1]
			return true
		}
		if strings.HasPrefix(tag[0], begin) {
			return true
		}
	}
	return false
}

// Flush returns the pending text at the end of the text or the beginning of the answer.
func (t *Splitter) Flush() (text, thought string) {
	rest := t.pending
	t.pending, t.past = "", true
	switch {
	case t.end != "":
		return "", rest
	case t.some:
		return strings.TrimLeft(rest, " \t\r\n"), ""
	}
	return rest, ""
}

// Split splits a complete text. The opening tag may be missing, because some prompts end with it:
// then the closing tag must end a line or stand alone on one.
func Split(text string) (answer, thought string) {
	var t Splitter
	answer, thought = t.Add(text)
	rest, more := t.Flush()
	if answer, thought = answer+rest, thought+more; t.some || thought != "" {
		return answer, thought
	}
	for _, tag := range Tags {
		thought, rest, closed := strings.Cut(text, tag[1])
		ends := strings.HasSuffix(thought, "\n") || strings.HasPrefix(strings.TrimLeft(rest, " \t\r"), "\n")
		if closed && ends && !strings.Contains(thought, tag[0]) {
			return strings.TrimLeft(rest, " \t\r\n"), thought
		}
	}
	return answer, ""
}

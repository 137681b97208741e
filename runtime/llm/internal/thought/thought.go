// Package thought tells what a model thinks, in tags before its answer, from the answer.
package thought

import "strings"

// Splitter parts a text that comes in pieces.
type Splitter struct {
	held string // of which it is not known yet
	end  string // of what is thought, while that goes on
	some bool   // something was thought
	past bool   // the answer has begun
}

// Tags are the ones that models, and endpoints, put around by themselves.
var Tags = [][2]string{{"<think>", "</think>"}, {"<thought>", "</thought>"}, {"<thinking>", "</thinking>"}, {"<reasoning>", "</reasoning>"}}

// Add goes on with a piece of the text.
func (t *Splitter) Add(piece string) (text, thought string) {
	if t.past {
		return piece, ""
	}
	t.held += piece
	if t.end == "" && (t.some || !t.open()) {
		if t.some && strings.TrimSpace(t.held) == "" {
			t.held = "" // the space before the answer goes on
			return "", ""
		}
		return t.Flush()
	}
	if t.end == "" {
		return "", ""
	}
	thought, rest, closed := strings.Cut(t.held, t.end)
	if !closed {
		known := max(0, len(t.held)-len(t.end)+1) // the end may have begun
		thought, t.held = t.held[:known], t.held[known:]
		return "", thought
	}
	t.held, t.end, t.some = "", "", true
	text, _ = t.Add(rest)
	return text, thought
}

// longestSpace is how much of it, in bytes, may come before a tag.
const longestSpace = 1024

// open tells whether the text begins with a tag, or may do so.
func (t *Splitter) open() bool {
	begin := strings.TrimLeft(t.held, " \t\r\n")
	if begin == "" && len(t.held) > longestSpace {
		return false
	}
	for _, tag := range Tags {
		if rest, ok := strings.CutPrefix(begin, tag[0]); ok {
			t.held, t.end = rest, tag[1]
			return true
		}
		if strings.HasPrefix(tag[0], begin) {
			return true
		}
	}
	return false
}

// Flush returns what is held when no more comes, or the answer begins.
func (t *Splitter) Flush() (text, thought string) {
	held := t.held
	t.held, t.past = "", true
	switch {
	case t.end != "":
		return "", held
	case t.some:
		return strings.TrimLeft(held, " \t\r\n"), ""
	}
	return held, ""
}

// Split parts a whole text. What begins it may also lack its tag, which some prompts end
// with: then the other one has to end a line or to stand in one of its own.
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

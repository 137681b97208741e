package openai

import "strings"

// thoughts tells what a model thinks, in tags before its answer, from the answer.
type thoughts struct {
	held string // of which it is not known yet
	end  string // of what is thought, while that goes on
	some bool   // something was thought
	past bool   // the answer has begun
}

// thoughtTags are the ones that models, and endpoints, put around by themselves.
var thoughtTags = [][2]string{{"<think>", "</think>"}, {"<thought>", "</thought>"}}

// add goes on with a piece of the text.
func (t *thoughts) add(piece string) (text, thought string) {
	if t.past {
		return piece, ""
	}
	t.held += piece
	if t.end == "" && (t.some || !t.open()) {
		if t.some && strings.TrimSpace(t.held) == "" {
			return "", "" // the space before the answer goes on
		}
		return t.flush()
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
	text, _ = t.add(rest)
	return text, thought
}

// open tells whether the text begins with a tag, or may do so.
func (t *thoughts) open() bool {
	begin := strings.TrimLeft(t.held, " \t\r\n")
	for _, tag := range thoughtTags {
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

// flush returns what is held when no more comes, or the answer begins.
func (t *thoughts) flush() (text, thought string) {
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

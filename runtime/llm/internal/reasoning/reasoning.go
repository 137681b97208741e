// Package reasoning separates an answer from the reasoning that a model writes in tags before it,
// as in "<think>…</think>It snows."
package reasoning

import "strings"

// Splitter separates reasoning from a text that arrives in pieces.
type Splitter struct {
	pending        string // text that may belong to the reasoning or to the answer
	closingTag     string // closing tag of the reasoning that is being read; "" otherwise
	reasoningEnded bool   // only white space may precede the answer
	answerBegun    bool   // all further text belongs to the answer
}

// Tags are the tags that models and endpoints use.
var Tags = [][2]string{{"<think>", "</think>"}, {"<thought>", "</thought>"}, {"<thinking>", "</thinking>"}, {"<reasoning>", "</reasoning>"}}

// Add processes a piece of the text and returns the parts that belong to the answer and to the reasoning.
func (t *Splitter) Add(piece string) (text, thought string) {
	if t.answerBegun {
		return piece, ""
	}
	t.pending += piece
	if t.closingTag == "" && (t.reasoningEnded || !t.startReasoning()) {
		if t.reasoningEnded && strings.TrimSpace(t.pending) == "" {
			t.pending = "" // drop the space before the answer
			return "", ""
		}
		return t.Flush()
	}
	if t.closingTag == "" {
		return "", ""
	}
	thought, rest, closed := strings.Cut(t.pending, t.closingTag)
	if !closed {
		safe := max(0, len(t.pending)-len(t.closingTag)+1) // the rest may be the beginning of the closing tag
		thought, t.pending = t.pending[:safe], t.pending[safe:]
		return "", thought
	}
	t.pending, t.closingTag, t.reasoningEnded = "", "", true
	text, _ = t.Add(rest)
	return text, thought
}

// longestSpace limits the space before a tag, in bytes.
const longestSpace = 1024

// startReasoning reports whether the pending text begins with an opening tag or may be the beginning
// of one. It removes a complete tag.
func (t *Splitter) startReasoning() bool {
	begin := strings.TrimLeft(t.pending, " \t\r\n")
	if begin == "" && len(t.pending) > longestSpace {
		return false
	}
	for _, tag := range Tags {
		if rest, ok := strings.CutPrefix(begin, tag[0]); ok {
			t.pending, t.closingTag = rest, tag[1]
			return true
		}
		if strings.HasPrefix(tag[0], begin) {
			return true
		}
	}
	return false
}

// Flush returns the pending text. Call it after the last piece; later pieces belong to the answer.
func (t *Splitter) Flush() (text, thought string) {
	rest := t.pending
	t.pending, t.answerBegun = "", true
	switch {
	case t.closingTag != "":
		return "", rest
	case t.reasoningEnded:
		return strings.TrimLeft(rest, " \t\r\n"), ""
	}
	return rest, ""
}

// Split separates reasoning from a complete text. The opening tag may be missing, because some prompts
// end with it. In this case, the closing tag must be at the end of a line or on its own line.
func Split(text string) (answer, thought string) {
	var t Splitter
	answer, thought = t.Add(text)
	rest, restThought := t.Flush()
	if answer, thought = answer+rest, thought+restThought; t.reasoningEnded || thought != "" {
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

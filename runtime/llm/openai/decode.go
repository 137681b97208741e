package openai

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/internal/thought"
	"github.com/aiongen/aiongen/runtime/llm/openai/internal/growth"
)

const (
	maxCalls    = 1000 // in one answer
	longestName = 1024 // bytes of one that comes in pieces
)

var (
	errName     = fmt.Errorf("the name of a call is longer than %d bytes", longestName)
	errCalls    = fmt.Errorf("there are more than %d calls in the answer", maxCalls)
	errNoChoice = errors.New("there is no choice in the answer")

	errNoMessage = errors.New("there is no message in the answer")
)

func malformed(err error) *llm.Error { return &llm.Error{Kind: llm.Malformed, Err: err} }

// chunk returns the only chunk of an answer that was requested as a stream and came as
// one document.
func (r *request) chunk(document piece) (llm.Chunk, error) {
	response, err := r.decode(document)
	if err != nil {
		return llm.Chunk{}, err
	}
	return llm.Chunk{Text: response.Text, Reasoning: response.Reasoning, Response: &response}, nil
}

// decode returns an answer that came as one document.
func (r *request) decode(document piece) (llm.Response, error) {
	if len(document.choices) == 0 {
		return llm.Response{}, malformed(errNoChoice)
	}
	choice := document.choices[0]
	message := parseMembers(choice["message"])
	if message == nil {
		message = parseMembers(choice["delta"])
	}
	a := assembly{request: r}
	a.addTotals(document, choice)
	if err := a.addText(message); err != nil {
		return llm.Response{}, malformed(err)
	}
	for _, c := range callsOf(message) {
		if len(a.calls) == maxCalls {
			return llm.Response{}, malformed(errCalls)
		}
		part := &callParts{index: c.index, id: c.id, name: c.name}
		part.arguments.WriteString(argumentsText(c.arguments))
		if err := a.keepCall(part, c); err != nil {
			return llm.Response{}, malformed(err)
		}
		a.calls = append(a.calls, part)
	}
	return a.response(), nil
}

// assembly is an answer that is put together from its pieces.
type assembly struct {
	request *request
	tags    thought.Splitter // in the text
	text    strings.Builder
	told    int // of the text, in bytes
	line    int // start of the line that told is in
	thought strings.Builder
	shared  int // of the thought, in bytes
	kept    growth.Object
	size    int // of all that is kept, in bytes
	refusal strings.Builder
	calls   []*callParts
	model   string
	usage   llm.Usage
	finish  string
	begun   bool // there was a piece of the message

	halves  map[string]*half // of texts, by the names of their members
	content strings.Builder  // all that came as content, with reasoning in tags
	deltas  bool             // deltas had content or calls

	snapshot members // the latest whole message
}

// add adds a piece of a stream.
func (a *assembly) add(p piece) error {
	for _, choice := range p.choices {
		if choiceIndex(choice) != 0 {
			continue // only one choice was requested
		}
		a.begun = a.begun || hasMessage(choice)
		if err := a.addChoice(choice); err != nil {
			return err
		}
		a.addTotals(p, choice)
	}
	if len(p.choices) == 0 {
		a.addTotals(p, nil)
	}
	return nil
}

// addTotals adds what an answer says once: its model, its usage and why it ended.
func (a *assembly) addTotals(p piece, choice members) {
	a.model = cmp.Or(textOf(p.members["model"]), a.model)
	if u, ok := p.usage(); ok {
		a.usage = u
	}
	if isString(choice["finish_reason"]) {
		a.finish = cmp.Or(textOf(choice["finish_reason"]), a.finish)
	}
}

// addChoice adds a piece of the choice. Some endpoints stream messages instead of
// deltas, and some repeat the whole message next to the last delta or instead of it.
func (a *assembly) addChoice(choice members) error {
	delta, message := parseMembers(choice["delta"]), parseMembers(choice["message"])
	if delta != nil {
		a.deltas = a.deltas || contentText(delta["content"]) != "" || len(callsOf(delta)) > 0
		if err := a.addMessage(delta); err != nil {
			return err
		}
	}
	content := contentText(message["content"])
	isLast := isThere(choice["finish_reason"]) && content != "" && content == a.content.String()
	switch {
	case !a.deltas && !isLast:
		return a.addMessage(message)
	case content != "" || len(callsOf(message)) > 0:
		a.snapshot = message
	}
	return nil
}

// addMessage adds a piece of the message.
func (a *assembly) addMessage(m members) error {
	a.joinHalves(m)
	if err := a.addText(m); err != nil {
		return err
	}
	for _, c := range callsOf(m) {
		part, err := a.findCall(c)
		if err != nil {
			return err
		}
		if part == nil {
			continue // a repetition
		}
		if err := part.add(c); err != nil {
			return err
		}
		if err := a.keepCall(part, c); err != nil {
			return err
		}
	}
	return nil
}

// addText adds a piece of the text, the reasoning and the refusal, and what the
// provider wants back.
func (a *assembly) addText(m members) error {
	if err := a.keep(m); err != nil {
		return err
	}
	a.say(contentText(m["content"]))
	if isString(m["refusal"]) {
		a.refusal.WriteString(textOf(m["refusal"]))
	}
	return nil
}

// addSnapshot adds a whole message, of which all or a part came in pieces before: only
// what is missing is added.
func (a *assembly) addSnapshot(m members) error {
	rest := m.beside(ofMessage)
	maps.DeleteFunc(rest, func(name string, _ json.RawMessage) bool { return a.kept.Has(name) })
	if err := a.grow(&a.kept, rest); err != nil {
		return err
	}
	if more, ok := strings.CutPrefix(contentText(m["content"]), a.content.String()); ok {
		a.say(more)
	}
	streamed := withoutRepetitions(a.calls)
	a.calls = streamed
	for _, c := range callsOf(m) {
		at := slices.IndexFunc(streamed, func(s *callParts) bool { return s.isRepeatedBy(c) })
		if at >= 0 {
			streamed = slices.Delete(slices.Clone(streamed), at, at+1)
			continue
		}
		if len(a.calls) == maxCalls {
			return errCalls
		}
		part := &callParts{}
		if err := part.add(c); err != nil {
			return err
		}
		if err := a.keepCall(part, c); err != nil {
			return err
		}
		a.calls = append(a.calls, part)
	}
	return nil
}

// joinHalves joins the surrogate pairs in the texts of a piece that began in the piece
// before it.
func (a *assembly) joinHalves(m members) {
	for _, name := range []string{"content", "refusal", "reasoning_content", "reasoning", "reasoning_text"} {
		if !isString(m[name]) {
			continue
		}
		if a.halves[name] == nil {
			if a.halves == nil {
				a.halves = map[string]*half{}
			}
			a.halves[name] = new(half)
		}
		m[name] = a.halves[name].join(m[name])
	}
}

// say adds a piece of the text, and what is thought in it.
func (a *assembly) say(piece string) {
	a.content.WriteString(piece)
	text, thought := a.tags.Add(piece)
	a.text.WriteString(text)
	a.thought.WriteString(thought)
}

// next returns what was not told yet. A text that has to be raised is told when it is
// whole.
func (a *assembly) next() (chunk llm.Chunk) {
	if a.request.answer == nil || !a.request.answer.Raises() {
		chunk.Text = a.text.String()[a.told:a.tells()]
		if end := strings.LastIndexByte(chunk.Text, '\n'); end >= 0 {
			a.line = a.told + end + 1
		}
		a.told += len(chunk.Text)
	}
	chunk.Reasoning = a.thought.String()[a.shared:]
	a.shared += len(chunk.Reasoning)
	return chunk
}

// end returns the last chunk, with the response. The answer is incomplete, and the
// error is the given one, if neither a reason to finish nor the end mark has come.
func (a *assembly) end(done bool, cut *llm.Error) (llm.Chunk, error) {
	switch {
	case a.finish == "" && !(done && a.begun):
		return llm.Chunk{}, cut
	case !a.begun:
		return llm.Chunk{}, malformed(errNoMessage)
	}
	if a.snapshot != nil {
		if err := a.addSnapshot(a.snapshot); err != nil {
			return llm.Chunk{}, malformed(err)
		}
	}
	response := a.response()
	return llm.Chunk{Text: response.Text[a.told:], Reasoning: response.Reasoning[a.shared:], Response: &response}, nil
}

// response returns the whole answer.
func (a *assembly) response() llm.Response {
	if h := a.halves["content"]; h != nil {
		a.say(h.rest())
	}
	text, thought := a.tags.Flush()
	a.text.WriteString(text)
	a.thought.WriteString(thought)
	a.calls = withoutRepetitions(a.calls)
	r := llm.Response{
		Text: a.text.String(), Finish: finishes[openai.FinishReason(strings.ToLower(a.finish))], Reasoning: a.thought.String(),
		Provider: a.provider(), Model: a.model, Usage: a.usage,
	}
	if len(a.calls) == 0 && a.refusal.Len() == 0 && r.Finish == llm.FinishStop {
		r.Calls = a.request.spelled(r.Text)
	}
	if r.Calls != nil {
		r.Text, r.CallText = r.Text[:a.told], r.Text[a.told:]
	} else if a.request.answer != nil {
		r.Text = string(raise(a.request.answer, json.RawMessage(r.Text)))
	}
	if r.Finish == "" {
		r.Finish = llm.Finish(a.finish)
	}
	if a.refusal.Len() > 0 {
		r.Finish = llm.FinishRefused
		if r.Text == "" {
			r.Text = a.refusal.String()
		}
	}
	for i, c := range a.calls {
		call := a.request.tools.Request(openai.ToolCall{ID: c.id, Function: openai.FunctionCall{Name: c.name, Arguments: c.text()}})
		// If the answer was cut off, the last call is whole only if it is JSON.
		call.Truncated = r.Finish == llm.FinishLength && i == len(a.calls)-1 && !json.Valid(call.Arguments)
		r.Calls = append(r.Calls, call)
	}
	if r.Calls != nil && r.Finish == llm.FinishStop {
		r.Finish = llm.FinishCalls
	}
	return r
}

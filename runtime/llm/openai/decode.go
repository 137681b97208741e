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
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
	"github.com/aiongen/aiongen/runtime/llm/internal/reasoning"
)

const (
	maxCalls    = 1000 // in one answer
	longestName = 1024 // in bytes, for names that arrive in several pieces
)

var (
	errName     = fmt.Errorf("the name of a call is longer than %d bytes", longestName)
	errCalls    = fmt.Errorf("there are more than %d calls in the answer", maxCalls)
	errNoChoice = errors.New("there is no choice in the answer")

	errNoMessage = errors.New("there is no message in the answer")
)

func malformedError(err error) *llm.Error { return &llm.Error{Kind: llm.Malformed, Err: err} }

// decodeChunk decodes a document that an endpoint sent although a stream was requested, and returns
// the whole answer as one chunk.
func (r *request) decodeChunk(document piece) (llm.Chunk, error) {
	response, err := r.decodeResponse(document)
	if err != nil {
		return llm.Chunk{}, err
	}
	return llm.Chunk{Text: response.Text, Reasoning: response.Reasoning, Response: &response}, nil
}

// decodeResponse decodes an answer that arrived as one document.
func (r *request) decodeResponse(document piece) (llm.Response, error) {
	if len(document.choices) == 0 {
		return llm.Response{}, malformedError(errNoChoice)
	}
	choice := document.choices[0]
	message := choice.Object("message")
	if message == nil {
		message = choice.Object("delta")
	}
	a := assembly{request: r}
	a.addTotals(document, choice)
	if err := a.addText(message); err != nil {
		return llm.Response{}, malformedError(err)
	}
	for _, c := range callsOf(message) {
		if err := a.addCall(c); err != nil {
			return llm.Response{}, malformedError(err)
		}
	}
	return a.buildResponse(), nil
}

// assembly is an answer assembled from its pieces.
type assembly struct {
	request          *request
	tags             reasoning.Splitter // separates reasoning in tags from the text
	text             strings.Builder
	emitted          int // bytes of text that earlier chunks contain
	lineStart        int // start of the line that contains the end of the emitted text
	reasoning        strings.Builder
	emittedReasoning int    // bytes of reasoning that earlier chunks contain
	extra            Object // additional members of the message
	extraSize        int    // total size of all additional members, in bytes
	refusal          strings.Builder
	calls            []*callParts
	model            string
	usage            llm.Usage
	finish           string
	hasMessage       bool // a piece of the message has arrived

	halves    map[string]pendingHalf // first halves of surrogate pairs whose second half has not arrived, by the name of the member
	content   strings.Builder        // all text, including reasoning in tags
	hasDeltas bool                   // a delta with content or calls has arrived

	snapshot members // the latest complete message, if the endpoint sends any in addition to deltas
}

// addPiece adds a piece of a stream.
func (a *assembly) addPiece(p piece) error {
	for _, choice := range p.choices {
		if choiceIndex(choice) != 0 {
			continue // only one choice was requested
		}
		a.hasMessage = a.hasMessage || hasMessage(choice)
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

// addTotals records the members that do not arrive in pieces: model, usage and finish reason.
func (a *assembly) addTotals(p piece, choice members) {
	a.model = cmp.Or(textOf(p.members["model"]), a.model)
	if u, ok := p.readUsage(); ok {
		a.usage = u
	}
	if isString(choice["finish_reason"]) {
		a.finish = cmp.Or(textOf(choice["finish_reason"]), a.finish)
	}
}

// addChoice adds a piece of the choice. Some endpoints stream messages instead of deltas, and some
// repeat the whole message with the last delta or instead of it.
func (a *assembly) addChoice(choice members) error {
	delta, message := choice.Object("delta"), choice.Object("message")
	if delta != nil {
		a.hasDeltas = a.hasDeltas || contentText(delta["content"]) != "" || len(callsOf(delta)) > 0
		if err := a.addMessage(delta); err != nil {
			return err
		}
	}
	content := contentText(message["content"])
	isLast := hasValue(choice["finish_reason"]) && content != "" && content == a.content.String()
	switch {
	case !a.hasDeltas && !isLast:
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
		if err := a.addCallPiece(c); err != nil {
			return err
		}
	}
	return nil
}

// addText adds everything in a piece of the message except the calls: text, reasoning, refusal and
// additional members.
func (a *assembly) addText(m members) error {
	if err := a.collectExtra(m); err != nil {
		return err
	}
	a.addAnswerText(contentText(m["content"]))
	if isString(m["refusal"]) {
		a.refusal.WriteString(textOf(m["refusal"]))
	}
	return nil
}

// addSnapshot adds those parts of a complete message that have not arrived in deltas.
func (a *assembly) addSnapshot(m members) error {
	rest := withoutMembers(m, messageMembers)
	maps.DeleteFunc(rest, func(name string, _ json.RawMessage) bool { return a.extra.Has(name) })
	if err := a.mergeExtra(&a.extra, rest); err != nil {
		return err
	}
	if missing, ok := strings.CutPrefix(contentText(m["content"]), a.content.String()); ok {
		a.addAnswerText(missing)
	}
	streamed := withoutRepetitions(a.calls)
	a.calls = streamed
	for _, c := range callsOf(m) {
		index := slices.IndexFunc(streamed, func(s *callParts) bool { return s.isRepeatedBy(c) })
		if index >= 0 {
			streamed = slices.Delete(slices.Clone(streamed), index, index+1)
			continue
		}
		c.index = nil // it may be that of another call in the stream
		if err := a.addCall(c); err != nil {
			return err
		}
	}
	return nil
}

// joinHalves joins surrogate pairs that were split between this piece and the previous one.
func (a *assembly) joinHalves(m members) {
	if a.halves == nil {
		a.halves = map[string]pendingHalf{}
	}
	for _, name := range []string{"content", "refusal", "reasoning_content", "reasoning", "reasoning_text"} {
		if isString(m[name]) {
			half := a.halves[name]
			m[name] = half.joinHalves(m[name])
			a.halves[name] = half
		}
	}
}

// addAnswerText adds a piece of the content, and separates the text from reasoning in tags.
func (a *assembly) addAnswerText(piece string) {
	a.content.WriteString(piece)
	text, thought := a.tags.Add(piece)
	a.text.WriteString(text)
	a.reasoning.WriteString(thought)
}

// nextChunk returns the text and reasoning that are not in an earlier chunk. If the text must be
// raised (see [schema.Lowered.Raise]), it is in the last chunk, because only a whole text can be raised.
func (a *assembly) nextChunk() (chunk llm.Chunk) {
	if a.request.answer == nil || !a.request.answer.Raises() {
		chunk.Text = a.text.String()[a.emitted:a.safeTextLength()]
		if end := strings.LastIndexByte(chunk.Text, '\n'); end >= 0 {
			a.lineStart = a.emitted + end + 1
		}
		a.emitted += len(chunk.Text)
	}
	chunk.Reasoning = a.reasoning.String()[a.emittedReasoning:]
	a.emittedReasoning += len(chunk.Reasoning)
	return chunk
}

// finishAnswer returns the last chunk, which contains the response. done reports whether the end
// mark has arrived. If neither the end mark nor a finish reason has arrived, it returns cutOff.
func (a *assembly) finishAnswer(done bool, cutOff *llm.Error) (llm.Chunk, error) {
	switch {
	case a.finish == "" && !(done && a.hasMessage):
		return llm.Chunk{}, cutOff
	case !a.hasMessage:
		return llm.Chunk{}, malformedError(errNoMessage)
	}
	if a.snapshot != nil {
		if err := a.addSnapshot(a.snapshot); err != nil {
			return llm.Chunk{}, malformedError(err)
		}
	}
	response := a.buildResponse()
	return llm.Chunk{Text: response.Text[a.emitted:], Reasoning: response.Reasoning[a.emittedReasoning:], Response: &response}, nil
}

// buildResponse returns the response after all pieces have been added.
func (a *assembly) buildResponse() llm.Response {
	a.addAnswerText(a.halves["content"].takeRest())
	text, thought := a.tags.Flush()
	a.text.WriteString(text)
	a.reasoning.WriteString(thought)
	a.calls = withoutRepetitions(a.calls)
	r := llm.Response{
		Text: a.text.String(), Finish: finishes[openai.FinishReason(strings.ToLower(a.finish))], Reasoning: a.reasoning.String(),
		Provider: a.encodeProvider(), Model: a.model, Usage: a.usage,
	}
	if len(a.calls) == 0 && a.refusal.Len() == 0 && r.Finish == llm.FinishStop {
		r.Calls = a.request.readTextCalls(r.Text)
	}
	if r.Calls != nil {
		r.Text, r.CallText = r.Text[:a.emitted], r.Text[a.emitted:]
	} else if a.request.answer != nil {
		r.Text = string(endpoint.Raise(a.request.answer, json.RawMessage(r.Text)))
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
		call := a.request.tools.Request(c.id, c.name, json.RawMessage(c.argumentsText()))
		// If the answer was cut off, the last call is complete only if its arguments are JSON.
		call.Truncated = r.Finish == llm.FinishLength && i == len(a.calls)-1 && !json.Valid(call.Arguments)
		r.Calls = append(r.Calls, call)
	}
	if r.Calls != nil && r.Finish == llm.FinishStop {
		r.Finish = llm.FinishCalls
	}
	return r
}

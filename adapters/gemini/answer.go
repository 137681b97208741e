package gemini

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
	"github.com/aiongen/aiongen/runtime/tool"
)

const (
	maxCalls        = 1000    // maximum number of calls in one answer
	maxProviderData = 4 << 20 // maximum size of the parts that are sent back, in bytes
)

// finishes maps the reasons of the protocol. An answer without a reason is complete.
var finishes = map[string]llm.Finish{
	"": llm.FinishStop, "STOP": llm.FinishStop, "FINISH_REASON_UNSPECIFIED": llm.FinishStop,
	"MAX_TOKENS": llm.FinishLength,
	"SAFETY":     llm.FinishRefused, "RECITATION": llm.FinishRefused, "LANGUAGE": llm.FinishRefused,
	"BLOCKLIST": llm.FinishRefused, "PROHIBITED_CONTENT": llm.FinishRefused, "SPII": llm.FinishRefused,
	"IMAGE_SAFETY": llm.FinishRefused, "IMAGE_PROHIBITED_CONTENT": llm.FinishRefused, "IMAGE_RECITATION": llm.FinishRefused,
	"FUNCTION_CALL": llm.FinishCalls, // not from Gemini, but from test servers
}

// failures are the finish reasons of unusable answers. Repeating the request may help.
var failures = map[string]bool{"MALFORMED_FUNCTION_CALL": true, "MALFORMED_RESPONSE": true, "UNEXPECTED_TOOL_CALL": true, "TOO_MANY_TOOL_CALLS": true}

// assembly is an answer assembled from its documents.
type assembly struct {
	request    *request
	output     endpoint.Output
	parts      []answerPart
	size       int  // total size of the parts, in bytes
	needsParts bool // the parts contain more than text and calls, so they must be sent back
	calls      []tool.Request
	model      string
	usage      llm.Usage
	finished   bool // a finish reason has arrived
	reason     string
	message    string // why the answer was refused
	blocked    bool   // the prompt was refused
	candidate  bool   // a candidate has arrived
}

// answerPart is a part of the answer, or several successive texts of the same kind.
type answerPart struct {
	raw     json.RawMessage
	text    *strings.Builder // nil for a part that must be sent back unchanged
	thought bool
}

// receive reads the answer to a request, unless sending the request failed with sendErr. It yields the
// chunks of a stream except the last one, and reports whether the caller has stopped the iteration.
func (a *assembly) receive(sendErr error, stream bool, yield func(llm.Chunk, error) bool) (stopped bool, err error) {
	answer := &a.request.answer
	switch {
	case answer.Failed():
		return false, reportedError(answer)
	case sendErr != nil:
		return false, sendErr
	case !stream || !answer.IsStream():
		err = a.addDocuments()
	default:
		stopped, err = a.readEvents(yield)
	}
	if err == nil && !stopped {
		err = a.checkEnd()
	}
	return stopped, err
}

// readEvents reads a stream and yields chunks. It reports whether the caller has stopped the iteration.
func (a *assembly) readEvents(yield func(llm.Chunk, error) bool) (stopped bool, err error) {
	for event, err := range a.request.answer.Events() {
		if err == nil {
			err = a.addDocument(event)
		}
		if err != nil {
			return false, err
		}
		if chunk := a.output.NextChunk(); chunk != (llm.Chunk{}) && !yield(chunk, nil) {
			return true, nil
		}
	}
	if !a.finished && !a.blocked {
		return false, a.request.answer.CutOff()
	}
	return false, nil
}

// addDocuments reads an answer that is a JSON document or a list of documents, and adds it.
func (a *assembly) addDocuments() error {
	documents, err := a.request.answer.ReadDocuments()
	for _, document := range documents {
		if err == nil {
			err = a.addDocument(document)
		}
	}
	return err
}

// addDocument adds a response of the protocol.
func (a *assembly) addDocument(document endpoint.Members) error {
	if report := document.Object("error"); report != nil {
		return newError(&a.request.answer, report, "")
	}
	a.model = cmp.Or(document.Text("modelVersion"), a.model)
	if counts := document.Object("usageMetadata"); counts != nil {
		a.usage = usageOf(counts)
	}
	if feedback := document.Object("promptFeedback"); feedback.Text("blockReason") != "" {
		a.blocked, a.message = true, feedback.Text("blockReasonMessage")
	}
	for _, raw := range document.List("candidates") {
		candidate := endpoint.ParseMembers(raw)
		if candidate == nil || candidate.Count("index") > 0 {
			continue // only one candidate was requested
		}
		if err := a.addCandidate(candidate); err != nil {
			return err
		}
	}
	return nil
}

// usageOf converts token counts. Thoughts count as output, and results of Google's own tools as input.
func usageOf(counts endpoint.Members) llm.Usage {
	u := llm.Usage{Input: counts.Count("promptTokenCount"), Output: counts.Count("candidatesTokenCount")}
	u = u.Add(llm.Usage{Input: counts.Count("toolUsePromptTokenCount"), Output: counts.Count("thoughtsTokenCount")})
	u.Cached, u.Reasoning = counts.Count("cachedContentTokenCount"), counts.Count("thoughtsTokenCount")
	return u
}

// addCandidate adds a piece of the candidate, as the protocol calls an answer of the model.
func (a *assembly) addCandidate(candidate endpoint.Members) error {
	a.candidate = true
	for _, raw := range candidate.Object("content").List("parts") {
		if part := endpoint.ParseMembers(raw); len(part) > 0 {
			if err := a.addPart(raw, part); err != nil {
				return err
			}
		}
	}
	if reason := candidate.Text("finishReason"); reason != "" {
		a.finished, a.reason = true, reason
		a.message = cmp.Or(candidate.Text("finishMessage"), a.message)
	}
	return nil
}

// addPart adds a part, which may be a piece of a text.
func (a *assembly) addPart(raw json.RawMessage, part endpoint.Members) error {
	switch call := part.Object("functionCall"); {
	case call != nil:
		if a.request.oneCall && len(a.calls) == 1 {
			return nil
		}
		if len(a.calls) == maxCalls {
			return a.request.answer.Malformed("there are more than %d calls in the answer", maxCalls)
		}
		a.calls = append(a.calls, a.request.readCall(call))
	case isThought(part):
		a.output.Reasoning.WriteString(part.Text("text"))
	default:
		a.output.Text.WriteString(part.Text("text"))
	}
	a.storePart(raw, part)
	return nil
}

// storePart stores a part, so that it can be sent back. It joins successive plain texts of the same kind.
// Other parts, such as those with signatures, must be sent back unchanged.
func (a *assembly) storePart(raw json.RawMessage, part endpoint.Members) {
	a.size += len(raw)
	text, thought, last := part.Text("text"), isThought(part), len(a.parts)-1
	switch plain := hasOnly(part, "text", "thought") && part["text"] != nil; {
	case plain && text == "":
	case plain && last >= 0 && a.parts[last].text != nil && a.parts[last].thought == thought:
		a.parts[last].text.WriteString(text)
	case plain:
		b := &strings.Builder{}
		b.WriteString(text)
		a.parts = append(a.parts, answerPart{text: b, thought: thought})
	default:
		a.needsParts = a.needsParts || !hasOnly(part, "functionCall") || !hasOnly(part.Object("functionCall"), "id", "name", "args")
		a.parts = append(a.parts, answerPart{raw: raw})
	}
}

// hasOnly reports whether an object has no members other than those with the given names.
func hasOnly(object endpoint.Members, names ...string) bool {
	for name := range object {
		if !slices.Contains(names, name) {
			return false
		}
	}
	return true
}

func isThought(part endpoint.Members) bool { return string(part["thought"]) == "true" }

func argumentsOf(call endpoint.Members) json.RawMessage {
	if call.Has("args") {
		return call["args"]
	}
	return json.RawMessage("{}")
}

// readCall converts a call to a request for a registry, with an ID that is new in the dialogue.
func (r *request) readCall(call endpoint.Members) tool.Request {
	id := call.Text("id")
	if id == "" || r.callIDs[id] {
		id = llm.NewCallID(r.callIDs)
	}
	r.callIDs[id] = true
	return r.tools.Request(id, call.Text("name"), argumentsOf(call))
}

// checkEnd returns an error if the complete answer is unusable.
func (a *assembly) checkEnd() error {
	answer := &a.request.answer
	switch {
	case a.blocked:
	case !a.candidate:
		return answer.Malformed("there is no candidate in the answer")
	case failures[a.reason]:
		return answer.Malformed("the model ended with %s: %s", a.reason, answer.Excerpt(a.message))
	case a.needsParts && a.size > maxProviderData:
		return answer.Malformed("the parts of the answer have more than %d bytes", maxProviderData)
	case a.reason == "MISSING_THOUGHT_SIGNATURE":
		return answer.NewError(llm.BadRequest, "a call in the dialogue has no signature: "+a.message)
	}
	return nil
}

// buildResponse returns the response after the answer is complete.
func (a *assembly) buildResponse() llm.Response {
	r := llm.Response{
		Text: a.output.RaisedText(), Calls: a.calls, Usage: a.usage, Model: a.model, Finish: a.finishReason(), Reasoning: a.output.Reasoning.String(),
	}
	if a.needsParts {
		r.Provider = a.encodeProvider()
	}
	if r.Finish == llm.FinishRefused && r.Text == "" {
		r.Text = a.message
	}
	return r
}

func (a *assembly) finishReason() llm.Finish {
	finish, ok := finishes[a.reason]
	switch {
	case a.blocked:
		return llm.FinishRefused
	case !ok:
		return llm.Finish(a.reason)
	case finish == llm.FinishStop && a.calls != nil:
		return llm.FinishCalls
	}
	return finish
}

// providerData is the content of [llm.Message.Provider]: the parts that the model sent.
type providerData struct {
	origin
	Parts []string `json:"parts"` // JSON of the parts; as strings, because encoding them as JSON would change their bytes
}

// textPart is a part with a text.
type textPart struct {
	Text    string `json:"text"`
	Thought bool   `json:"thought,omitempty"`
}

// encodeProvider returns all parts of the answer.
func (a *assembly) encodeProvider() json.RawMessage {
	p := providerData{origin: a.request.origin}
	for _, part := range a.parts {
		if part.text != nil {
			part.raw = endpoint.Encode(textPart{part.text.String(), part.thought})
		}
		p.Parts = append(p.Parts, string(part.raw))
	}
	return endpoint.Encode(p)
}

package responses

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
	"github.com/aiongen/aiongen/runtime/tool"
)

const maxItems = 10_000 // maximum number of items in one answer

// item is an item of an answer.
type item struct {
	endpoint.Members
	raw json.RawMessage
}

func parseItem(raw json.RawMessage) item { return item{endpoint.ParseMembers(raw), raw} }

func (it item) is(kind string) bool { return it.Text("type") == kind }

// isLost reports whether the item is reasoning whose content is neither in the item nor stored by the
// endpoint, so that the endpoint cannot continue it.
func (it item) isLost() bool {
	return it.is("reasoning") && it.Text("encrypted_content") == "" && len(it.List("content")) == 0
}

// withChanges returns the JSON of the item with changed members. It removes a member if its new value is nil.
func (it item) withChanges(changes map[string]json.RawMessage) json.RawMessage {
	if len(changes) == 0 {
		return it.raw
	}
	all := maps.Clone(it.Members)
	maps.Copy(all, changes)
	maps.DeleteFunc(all, func(_ string, value json.RawMessage) bool { return value == nil })
	return endpoint.Encode(all)
}

// readDocument reads an answer that is one JSON document, and returns the response.
func (r *request) readDocument(ctx context.Context) (llm.Response, error) {
	document, err := r.answer.ReadDocument()
	if err != nil {
		return llm.Response{}, r.answer.Explain(ctx, err)
	}
	return r.buildResponse(document)
}

// checkAnswer returns an error if the answer reports an error, is not complete, or has no output.
func (r *request) checkAnswer(answer endpoint.Members) error {
	status := answer.Text("status")
	switch {
	case len(answer.Object("error")) > 0:
		return r.newError(parseReport(answer["error"]))
	case status == "failed", status == "cancelled":
		return r.newError(errorReport{code: "server_error", message: "the answer has the status " + status})
	case status == "queued", status == "in_progress":
		return r.answer.Malformed("the answer has the status %s: background answers are not supported", status)
	case answer.List("output") == nil:
		return r.answer.Malformed("there is no output in the answer")
	}
	return nil
}

// buildResponse converts a complete answer.
func (r *request) buildResponse(answer endpoint.Members) (llm.Response, error) {
	if err := r.checkAnswer(answer); err != nil {
		return llm.Response{}, err
	}
	var items []item
	for _, raw := range answer.List("output") {
		if len(items) == maxItems {
			return llm.Response{}, r.answer.Malformed("there are more than %d items in the answer", maxItems)
		}
		if it := parseItem(raw); it.Members != nil {
			items = append(items, it)
		}
	}
	usage, texts := answer.Object("usage"), messageTexts(items, "text")
	response := llm.Response{
		Text: strings.Join(texts, separator), Reasoning: reasoningOf(items), Model: answer.Text("model"), Finish: finishOf(answer), Provider: r.encodeProvider(items),
		Usage: llm.Usage{
			Input: usage.Count("input_tokens"), Output: usage.Count("output_tokens"),
			Cached:    usage.Object("input_tokens_details").Count("cached_tokens"),
			Reasoning: usage.Object("output_tokens_details").Count("reasoning_tokens"),
		},
	}
	if refusal := messageTexts(items, "refusal"); refusal != nil {
		response.Finish = llm.FinishRefused
		response.Text = cmp.Or(response.Text, strings.Join(refusal, ""))
	} else if r.schema != nil && texts != nil {
		// Only the last message follows the schema. Messages before it are comments.
		response.Text = string(endpoint.Raise(r.schema, json.RawMessage(texts[len(texts)-1])))
	}
	response.Calls = r.callsOf(items, response.Finish)
	if response.Calls != nil && response.Finish == llm.FinishStop {
		response.Finish = llm.FinishCalls
	}
	return response, nil
}

// finishOf returns why the answer ended.
func finishOf(answer endpoint.Members) llm.Finish {
	switch reason := answer.Object("incomplete_details").Text("reason"); {
	case reason == "max_output_tokens", reason == "" && answer.Text("status") == "incomplete":
		return llm.FinishLength
	case reason == "content_filter":
		return llm.FinishRefused
	case reason != "":
		return llm.Finish(reason)
	}
	return llm.FinishStop
}

// separator separates the texts of several messages, and the parts of the reasoning.
const separator = "\n\n"

// messageTexts returns the text of each message that has one. The text of a message is that of all its parts,
// joined. In each part, it is the value of the given member, such as "refusal".
func messageTexts(items []item, member string) (texts []string) {
	for _, it := range items {
		if !it.is("message") {
			continue
		}
		if text := strings.Join(partTexts(it.List("content"), member), ""); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// partTexts returns the texts in the given member of parts, for the parts that have such a text.
func partTexts(parts []json.RawMessage, member string) (texts []string) {
	for _, raw := range parts {
		if text := endpoint.ParseMembers(raw).Text(member); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// reasoningOf returns the summaries of the reasoning. If there is no summary, it returns the reasoning
// itself, which only models with open weights send.
func reasoningOf(items []item) string {
	var texts []string
	for _, it := range items {
		if !it.is("reasoning") {
			continue
		}
		parts := it.List("summary")
		if len(parts) == 0 {
			parts = it.List("content")
		}
		texts = append(texts, partTexts(parts, "text")...)
	}
	return strings.Join(texts, separator)
}

// callsOf returns the calls of functions. If the answer was cut off, the last call is complete only
// if its arguments are JSON.
func (r *request) callsOf(items []item, finish llm.Finish) (calls []tool.Request) {
	for i, it := range items {
		if it.is("function_call") {
			c := r.tools.Request(it.Text("call_id"), it.Text("name"), json.RawMessage(it.Text("arguments")))
			c.Truncated = finish == llm.FinishLength && i == len(items)-1 && !json.Valid(c.Arguments)
			calls = append(calls, c)
		}
	}
	return calls
}

// encodeProvider returns the provider data of the answer, with all items.
func (r *request) encodeProvider(items []item) json.RawMessage {
	p := providerData{Protocol: protocol, Endpoint: r.answer.Host, Items: []string{}, Tools: r.toolNames}
	for _, it := range items {
		p.Items = append(p.Items, string(it.raw))
	}
	return endpoint.Encode(p)
}

// assembly is a streamed answer assembled from its events.
type assembly struct {
	output                endpoint.Output
	lastMessage, lastPart any                     // identify the message to which the last piece of text belongs, and the part to which the last piece of reasoning belongs
	items                 map[int]json.RawMessage // complete items by their positions
}

// readStream reads a streamed answer and yields its chunks.
func (r *request) readStream(ctx context.Context, yield func(llm.Chunk, error) bool) {
	a := assembly{items: map[int]json.RawMessage{}}
	for event, err := range r.answer.Events() {
		if err != nil {
			yield(llm.Chunk{}, r.answer.Explain(ctx, err))
			return
		}
		switch kind := event.Text("type"); kind {
		case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
			yield(a.finish(r, event.Object("response")))
			return
		case "error", "":
			if kind != "" || event.Has("error") {
				yield(llm.Chunk{}, r.newError(parseReport(endpoint.Encode(event))))
				return
			}
		}
		a.addEvent(event, r)
		if chunk := a.output.NextChunk(); chunk != (llm.Chunk{}) && !yield(chunk, nil) {
			return
		}
	}
	yield(llm.Chunk{}, r.answer.Explain(ctx, r.answer.CutOff()))
}

// addEvent adds an event. It ignores pieces of text if the answer has a schema, because only the whole text can be
// converted back with [schema.Lowered.Raise].
func (a *assembly) addEvent(event endpoint.Members, r *request) {
	index, delta := event.Count("output_index"), event.Text("delta")
	switch event.Text("type") {
	case "response.output_text.delta":
		if r.schema == nil {
			addPiece(&a.output.Text, &a.lastMessage, index, delta)
		}
	case "response.reasoning_summary_text.delta":
		addPiece(&a.output.Reasoning, &a.lastPart, [2]int{index, event.Count("summary_index")}, delta)
	case "response.output_item.done":
		if len(a.items) < maxItems {
			a.items[index] = event["item"]
		}
	}
}

// addPiece adds a piece to a text. It first adds a separator if the piece belongs to another message or part than
// the last piece.
func addPiece(text *strings.Builder, last *any, belongsTo any, piece string) {
	if piece == "" {
		return
	}
	if text.Len() > 0 && *last != belongsTo {
		text.WriteString(separator)
	}
	*last = belongsTo
	text.WriteString(piece)
}

// finish returns the last chunk, which contains the response. answer is the complete answer in the last event.
func (a *assembly) finish(r *request, answer endpoint.Members) (llm.Chunk, error) {
	if answer == nil {
		return llm.Chunk{}, r.answer.Malformed("there is no response in the last event")
	}
	if len(answer.List("output")) == 0 && len(a.items) > 0 { // some endpoints do not repeat the items
		var items []json.RawMessage
		for _, index := range slices.Sorted(maps.Keys(a.items)) {
			items = append(items, a.items[index])
		}
		answer["output"] = endpoint.Encode(items)
	}
	response, err := r.buildResponse(answer)
	if err != nil {
		return llm.Chunk{}, err
	}
	chunk, ok := a.output.LastChunk(response)
	if !ok {
		return llm.Chunk{}, r.answer.Malformed("the pieces of the answer differ from its end")
	}
	return chunk, nil
}

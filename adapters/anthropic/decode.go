package anthropic

import (
	"cmp"
	"encoding/json"
	"maps"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

const (
	pauseTurn = "pause_turn"

	maxBlocks = 10_000 // maximum number of blocks in an answer
)

// finishes maps the stop reasons of the API.
var finishes = map[string]llm.Finish{
	"end_turn":                      llm.FinishStop,
	"stop_sequence":                 llm.FinishStop,
	"tool_use":                      llm.FinishCalls,
	"max_tokens":                    llm.FinishLength,
	"model_context_window_exceeded": llm.FinishLength,
	"refusal":                       llm.FinishRefused,
}

// assembly is an answer assembled from its blocks. If the API pauses the answer, it consists of several
// messages.
type assembly struct {
	request      *request
	answer       endpoint.Answer // response to the current request
	output       endpoint.Output
	blocks       []*blockParts
	messageStart int // index of the first block of the current message
	outputBlocks int // number of blocks whose text and reasoning are completely in output

	model, stop, explanation string

	usage         endpoint.Members // token counts of the current message
	previousUsage llm.Usage        // usage of the previous messages
	messageBegun  bool             // the current message has begun
	messageDone   bool             // the current message is complete
}

// begin prepares for the next message.
func (a *assembly) begin() {
	a.previousUsage = a.previousUsage.Add(usageOf(a.usage))
	a.answer, a.usage, a.messageBegun, a.messageDone, a.stop = endpoint.Answer{}, endpoint.Members{}, false, false, ""
	a.messageStart = len(a.blocks)
}

// usageOf converts token counts of the API, which counts cached tokens separately from other input.
func usageOf(counts endpoint.Members) llm.Usage {
	read := counts.Count("cache_read_input_tokens")
	input := llm.Usage{Input: counts.Count("input_tokens")}.Add(llm.Usage{Input: counts.Count("cache_creation_input_tokens")}).Add(llm.Usage{Input: read})
	return llm.Usage{Input: input.Input, Output: counts.Count("output_tokens"), Cached: read, Reasoning: counts.Object("output_tokens_details").Count("thinking_tokens")}
}

// readEvents reads the events of one message and yields chunks. It reports whether the caller has
// stopped the iteration.
func (a *assembly) readEvents(yield func(llm.Chunk, error) bool) (stopped bool, err error) {
	for event, err := range a.answer.Events() {
		if err == nil {
			err = a.addEvent(event)
		}
		if err != nil || a.messageDone {
			return false, err
		}
		if chunk := a.output.NextChunk(); chunk != (llm.Chunk{}) && !yield(chunk, nil) {
			return true, nil
		}
	}
	return false, a.answer.CutOff()
}

// addDocument reads a message that is one JSON document, and adds it.
func (a *assembly) addDocument() error {
	message, err := a.answer.ReadDocument()
	switch {
	case err != nil:
		return err
	case message.Text("type") == "error":
		return reportedError(&a.answer, endpoint.Encode(message))
	case message.Text("type") != "message" || message.Text("stop_reason") == "":
		return a.answer.Malformed("there is no message in the answer")
	}
	for _, raw := range message.List("content") {
		if err := a.startBlock(raw); err != nil {
			return err
		}
	}
	a.addHead(message)
	a.finishMessage()
	return nil
}

// addHead adds the members of a message other than its content. In a stream, later token counts replace
// earlier ones.
func (a *assembly) addHead(m endpoint.Members) {
	a.model, a.stop = cmp.Or(m.Text("model"), a.model), cmp.Or(m.Text("stop_reason"), a.stop)
	a.explanation = cmp.Or(m.Object("stop_details").Text("explanation"), a.explanation)
	a.addUsage(m.Object("usage"))
}

func (a *assembly) addUsage(counts endpoint.Members) {
	maps.DeleteFunc(counts, func(name string, _ json.RawMessage) bool { return !counts.Has(name) })
	maps.Copy(a.usage, counts)
}

// addEvent adds an event of a stream. Unknown events are ignored.
func (a *assembly) addEvent(event endpoint.Members) error {
	kind, index := event.Text("type"), event.Count("index")
	switch kind {
	case "error":
		return reportedError(&a.answer, endpoint.Encode(event))
	case "message_start":
		a.messageBegun = true
		a.addHead(event.Object("message"))
	case "content_block_start":
		if index != len(a.blocks)-a.messageStart {
			return a.answer.Malformed("block %d follows block %d", index, len(a.blocks)-a.messageStart-1)
		}
		return a.startBlock(event["content_block"])
	case "content_block_delta", "content_block_stop":
		if index >= len(a.blocks)-a.messageStart || a.blocks[a.messageStart+index].closed {
			return a.answer.Malformed("a piece belongs to the block %d, which is not open", index)
		}
		b := a.blocks[a.messageStart+index]
		b.closed = kind == "content_block_stop"
		b.addDelta(event.Object("delta"))
		a.addOutput()
	case "message_delta":
		a.addHead(event.Object("delta"))
		a.addUsage(event.Object("usage"))
	case "message_stop":
		if !a.messageBegun || a.stop == "" {
			return a.answer.Malformed("the stream ends without a stop reason")
		}
		a.finishMessage()
	}
	return nil
}

// startBlock adds a block. In a stream, pieces may follow.
func (a *assembly) startBlock(raw json.RawMessage) error {
	if len(a.blocks) == maxBlocks {
		return a.answer.Malformed("the answer has more than %d blocks", maxBlocks)
	}
	b := newBlockParts(raw)
	if b.Members == nil {
		return a.answer.Malformed("a block is not an object")
	}
	a.blocks = append(a.blocks, b)
	return nil
}

// finishMessage completes the blocks of the current message.
func (a *assembly) finishMessage() {
	a.messageDone = true
	for _, b := range a.blocks[a.messageStart:] {
		b.finish()
	}
	a.addOutput()
}

// addOutput adds the new text and reasoning of the blocks to the output, in the order of the blocks.
func (a *assembly) addOutput() {
	for ; a.outputBlocks < len(a.blocks); a.outputBlocks++ {
		b := a.blocks[a.outputBlocks]
		a.output.Text.WriteString(b.takeNew("text", "text"))
		a.output.Reasoning.WriteString(b.takeNew("thinking", "thinking"))
		if !b.closed { // pieces of this block may arrive after the next block has begun
			return
		}
	}
}

// content returns the blocks of the answer so far.
func (a *assembly) content() (all []block) {
	for _, b := range a.blocks {
		all = append(all, block{raw: b.raw})
	}
	return all
}

// lastChunk returns the last chunk, with the response.
func (a *assembly) lastChunk() llm.Chunk {
	chunk, _ := a.output.LastChunk(a.buildResponse()) // ok is always true: the texts in the response begin with those of the earlier chunks
	return chunk
}

// buildResponse returns the response after the answer is complete.
func (a *assembly) buildResponse() llm.Response {
	r := llm.Response{
		Text: a.output.RaisedText(), Reasoning: a.output.Reasoning.String(), Model: a.model, Usage: a.previousUsage.Add(usageOf(a.usage)),
		Finish: cmp.Or(finishes[a.stop], llm.Finish(a.stop)),
	}
	if r.Finish == llm.FinishRefused && r.Text == "" {
		r.Text = a.explanation
	}
	needsContent := false
	for i, b := range a.blocks {
		needsContent = needsContent || needsReturn(b.raw)
		if b.Text("type") == "tool_use" {
			call := a.request.tools.Request(b.Text("id"), b.Text("name"), b.arguments())
			// If the answer was cut off, its last call is incomplete, even if its arguments are JSON.
			call.Truncated = r.Finish == llm.FinishLength && i == len(a.blocks)-1
			r.Calls = append(r.Calls, call)
		}
	}
	p := providerData{Model: a.request.model.name, Tools: a.request.order}
	if needsContent {
		p.Content = string(endpoint.Encode(a.content()))
		if r.Text != a.output.Text.String() {
			p.Text = &r.Text
		}
	}
	r.Provider = p.encode()
	if r.Calls != nil && r.Finish == llm.FinishStop {
		r.Finish = llm.FinishCalls
	}
	return r
}

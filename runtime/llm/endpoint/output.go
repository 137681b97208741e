package endpoint

import (
	"encoding/json"
	"iter"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/schema"
)

// Output collects the text and the reasoning of a streamed answer, and divides them into chunks.
type Output struct {
	Text, Reasoning strings.Builder

	// Schema is the schema of the answer. If values of it have to be raised, the text is one chunk. It
	// is nil for any text.
	Schema *schema.Lowered

	emitted, shared int // bytes of text and reasoning in earlier chunks
}

// NextChunk returns the text and the reasoning that are not in a chunk yet.
func (o *Output) NextChunk() (chunk llm.Chunk) {
	if o.Schema == nil || !o.Schema.Raises() {
		chunk.Text = o.Text.String()[o.emitted:]
		o.emitted += len(chunk.Text)
	}
	chunk.Reasoning = o.Reasoning.String()[o.shared:]
	o.shared += len(chunk.Reasoning)
	return chunk
}

// RaisedText returns the whole text, raised if it follows a schema.
func (o *Output) RaisedText() string {
	text := o.Text.String()
	if o.Schema == nil {
		return text
	}
	return string(Raise(o.Schema, json.RawMessage(text)))
}

// LastChunk returns the chunk with the response, and the rest of its text and reasoning. ok is false if
// the response does not begin with what is in earlier chunks.
func (o *Output) LastChunk(response llm.Response) (chunk llm.Chunk, ok bool) {
	text, sameText := strings.CutPrefix(response.Text, o.Text.String()[:o.emitted])
	reasoning, sameReasoning := strings.CutPrefix(response.Reasoning, o.Reasoning.String()[:o.shared])
	return llm.Chunk{Text: text, Reasoning: reasoning, Response: &response}, sameText && sameReasoning
}

// Last returns the response at the end of a stream.
func Last(stream iter.Seq2[llm.Chunk, error]) (response llm.Response, err error) {
	for chunk, err := range stream {
		if err != nil {
			return llm.Response{}, err
		}
		if chunk.Response != nil {
			response = *chunk.Response
		}
	}
	return response, nil
}

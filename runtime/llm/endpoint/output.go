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

	// Schema is the schema of the answer, or nil. If its values must be raised, see
	// [schema.Lowered.Raise], the whole text is in the last chunk.
	Schema *schema.Lowered

	emittedText, emittedReasoning int // bytes of text and reasoning in earlier chunks
}

// NextChunk returns the text and the reasoning that are not in an earlier chunk.
func (o *Output) NextChunk() (chunk llm.Chunk) {
	if o.Schema == nil || !o.Schema.Raises() {
		chunk.Text = o.Text.String()[o.emittedText:]
		o.emittedText += len(chunk.Text)
	}
	chunk.Reasoning = o.Reasoning.String()[o.emittedReasoning:]
	o.emittedReasoning += len(chunk.Reasoning)
	return chunk
}

// RaisedText returns the whole text, raised if there is a schema.
func (o *Output) RaisedText() string {
	text := o.Text.String()
	if o.Schema == nil {
		return text
	}
	return string(Raise(o.Schema, json.RawMessage(text)))
}

// LastChunk returns the chunk with the response and the rest of its text and reasoning. ok is false if
// the text or the reasoning of the response does not begin with that of the earlier chunks.
func (o *Output) LastChunk(response llm.Response) (chunk llm.Chunk, ok bool) {
	text, sameText := strings.CutPrefix(response.Text, o.Text.String()[:o.emittedText])
	reasoning, sameReasoning := strings.CutPrefix(response.Reasoning, o.Reasoning.String()[:o.emittedReasoning])
	return llm.Chunk{Text: text, Reasoning: reasoning, Response: &response}, sameText && sameReasoning
}

// Last reads a stream to its end and returns the response.
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

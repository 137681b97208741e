package anthropic

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

// blockParts is a block of an answer, with the pieces that a stream adds to it.
type blockParts struct {
	endpoint.Members
	raw          json.RawMessage
	texts        map[string]*strings.Builder // members that arrive in pieces
	takenLengths map[string]int              // bytes of each member that takeNew has returned
	input        strings.Builder             // JSON of the member "input", which arrives in pieces
	citations    []json.RawMessage
	closed       bool // all pieces have arrived
}

// newBlockParts returns a block with the initial JSON raw. Its Members is nil if raw is not an object.
func newBlockParts(raw json.RawMessage) *blockParts {
	return &blockParts{Members: endpoint.ParseMembers(raw), raw: bytes.Clone(raw), texts: map[string]*strings.Builder{}, takenLengths: map[string]int{}}
}

// addDelta adds a piece, such as {"type": "text_delta", "text": "…"}. It adds partial_json to the input
// of the call, citation to the citations, and any other text to the member with the same name.
func (b *blockParts) addDelta(delta endpoint.Members) {
	for name, value := range delta {
		switch {
		case name == "type":
		case name == "citation":
			b.citations = append(b.citations, bytes.Clone(value))
		case name == "partial_json":
			b.input.WriteString(delta.Text(name))
		case delta.Text(name) != "":
			if b.texts[name] == nil {
				b.texts[name] = &strings.Builder{}
				b.texts[name].WriteString(b.Text(name))
			}
			b.texts[name].WriteString(delta.Text(name))
		}
	}
}

// takeNew returns the part of a text member that it has not returned yet, or "" if the block is not of
// the given kind.
func (b *blockParts) takeNew(kind, member string) string {
	if b.Text("type") != kind {
		return ""
	}
	text := b.Text(member)
	if pieces := b.texts[member]; pieces != nil {
		text = pieces.String()
	}
	text = text[b.takenLengths[member]:]
	b.takenLengths[member] += len(text)
	return text
}

// arguments returns the arguments of a call. They may be invalid JSON if the answer was cut off.
func (b *blockParts) arguments() json.RawMessage {
	if b.input.Len() > 0 {
		return json.RawMessage(b.input.String())
	}
	return b.Members["input"]
}

// finish closes the block, and updates its JSON with the members that arrived in pieces. It does not
// change the JSON of a block without pieces.
func (b *blockParts) finish() {
	b.closed = true
	changed := endpoint.Members{}
	for name, pieces := range b.texts {
		changed[name] = endpoint.Encode(pieces.String())
	}
	if b.input.Len() > 0 {
		if changed["input"] = b.arguments(); !json.Valid(changed["input"]) {
			changed["input"] = json.RawMessage("{}") // the call is incomplete
		}
	}
	if b.citations != nil {
		changed["citations"] = endpoint.Encode(b.citations)
	}
	if len(changed) > 0 {
		all := maps.Clone(b.Members)
		maps.Copy(all, changed)
		b.raw = endpoint.Encode(all)
	}
}

package anthropic

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

// blockParts is a block with the pieces that follow it in a stream.
type blockParts struct {
	endpoint.Members
	raw       json.RawMessage
	texts     map[string]*strings.Builder // members that arrive in pieces
	taken     map[string]int              // bytes of them that takeNew has returned
	input     strings.Builder             // pieces of the JSON of the member input
	citations []json.RawMessage
	closed    bool // no piece follows
}

// newBlockParts returns the block that begins with raw. The block has no members if raw is not an object.
func newBlockParts(raw json.RawMessage) *blockParts {
	return &blockParts{Members: endpoint.ParseMembers(raw), raw: bytes.Clone(raw), texts: map[string]*strings.Builder{}, taken: map[string]int{}}
}

// addDelta adds a piece: to the input of a call, to the citations of a text, or to the text members
// with the names in the piece.
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

// takeNew returns the text of a member of blocks of a kind that it has not returned yet.
func (b *blockParts) takeNew(kind, member string) string {
	if b.Text("type") != kind {
		return ""
	}
	text := b.Text(member)
	if pieces := b.texts[member]; pieces != nil {
		text = pieces.String()
	}
	text = text[b.taken[member]:]
	b.taken[member] += len(text)
	return text
}

// arguments returns the arguments of a call, which are not JSON if the answer was cut off.
func (b *blockParts) arguments() json.RawMessage {
	if b.input.Len() > 0 {
		return json.RawMessage(b.input.String())
	}
	return b.Members["input"]
}

// finish replaces the members of the block that arrived in pieces. A block without pieces keeps its bytes.
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

package anthropic

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
	"github.com/aiongen/aiongen/runtime/tool"
)

// providerData is the content of [llm.Message.Provider]. It is sent back only to the model that sent
// it.
type providerData struct {
	Model string `json:"anthropic"`

	// Content is the original JSON of the blocks. It is a string, because encoding it as JSON would
	// change its bytes.
	Content string `json:"content,omitempty"`

	// Text is the text of the message, if it differs from the text in the blocks.
	Text *string `json:"text,omitempty"`

	// Tools contains the names of the offered tools in order, if they differ from those that the
	// previous message with this member recorded.
	Tools []string `json:"tools,omitempty"`
}

// readProviderData returns the provider data of a message. It is empty if another model sent the message.
func readProviderData(model string, m llm.Message) (p providerData) {
	if json.Unmarshal(m.Provider, &p) != nil || p.Model != model {
		return providerData{}
	}
	return p
}

// blocks returns the original blocks of the message m. ok is false if there are none, or if the text or
// the calls of the message have changed.
func (p providerData) blocks(m llm.Message) (all []json.RawMessage, ok bool) {
	all = endpoint.ParseItems(json.RawMessage(p.Content))
	var text strings.Builder
	var ids []string
	for _, raw := range all {
		switch b := endpoint.ParseMembers(raw); b.Text("type") {
		case "text":
			text.WriteString(b.Text("text"))
		case "tool_use":
			ids = append(ids, b.Text("id"))
		case "":
			return nil, false
		}
	}
	sent := text.String()
	if p.Text != nil {
		sent = *p.Text
	}
	sameCalls := slices.EqualFunc(ids, m.Calls, func(id string, c tool.Request) bool { return id == c.ID })
	return all, len(all) > 0 && sent == m.Text && sameCalls
}

// encode returns the JSON of the data, or nil if the message needs no provider data.
func (p providerData) encode() json.RawMessage {
	if p.Content == "" && p.Tools == nil {
		return nil
	}
	return endpoint.Encode(p)
}

// needsReturn reports whether the original JSON of a block must be sent back, because it has members that
// cannot be restored from the text and the calls of a message.
func needsReturn(raw json.RawMessage) bool {
	b := endpoint.ParseMembers(raw)
	restorable := map[string][]string{"text": {"type", "text"}, "tool_use": {"type", "id", "name", "input"}}[b.Text("type")]
	for name := range b {
		if !slices.Contains(restorable, name) && b.Has(name) {
			return true
		}
	}
	return false
}

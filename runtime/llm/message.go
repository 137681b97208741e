package llm

import (
	"encoding/json"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Role is the author of a message.
type Role string

// These are the authors of messages.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant" // the model
	RoleTool      Role = "tool"      // the result of a call
)

// Message is a message of a dialogue. It can be encoded as JSON and decoded; a decoded
// [tool.Call] is only a record.
type Message struct {
	Role   Role           `json:"role"`
	Text   string         `json:"text,omitempty"`
	Parts  []content.Part `json:"parts,omitempty"`  // only of a user, after the text
	Calls  []tool.Request `json:"calls,omitempty"`  // only of an assistant
	Result *tool.Call     `json:"result,omitempty"` // only of a tool; its ID is that of the call

	// Reasoning is the reasoning of an assistant, for people. Models do not send it back; reasoning
	// that a provider needs again is in Provider.
	Reasoning string `json:"reasoning,omitempty"`

	// Provider is additional data that a provider sent with the message of an assistant and needs
	// back, such as a signature. Only the model that created the data uses it, and never sends it to
	// another endpoint. Code that removes something from a message must also remove Provider.
	Provider json.RawMessage `json:"provider,omitempty"`
}

// longestAttached limits the text about attachments that a model reads, in bytes.
const longestAttached = 16 << 10

// Content returns the text that the model reads. For the result of a call, that is the error, or the
// output followed by the note and a description of the attachments. For other messages, it is the
// text.
func (m Message) Content() string {
	switch {
	case m.Role != RoleTool || m.Result == nil:
		return m.Text
	case m.Result.Err != nil:
		return tool.ModelText(m.Result.Err)
	}
	if attached := m.Result.QuoteAttached(longestAttached); attached != "" {
		return string(m.Result.Output) + "\n" + attached
	}
	return string(m.Result.Output)
}

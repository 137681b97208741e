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
	Parts  []content.Part `json:"parts,omitempty"`  // of a user, after the text
	Calls  []tool.Request `json:"calls,omitempty"`  // of an assistant
	Result *tool.Call     `json:"result,omitempty"` // of a tool; its ID says which call it answers

	// Reasoning is the reasoning of an assistant, for people. The part that the model needs again is
	// in Provider.
	Reasoning string `json:"reasoning,omitempty"`

	// Provider is additional data that the provider of an assistant sent and needs back with the
	// message, such as signatures. Only the model that created it uses it, and never sends it to
	// another endpoint. Code that removes something from a message must also remove Provider.
	Provider json.RawMessage `json:"provider,omitempty"`
}

// longestAttached limits the text of attachments that a model reads, in bytes.
const longestAttached = 16 << 10

// Content returns the text that the model reads: the text of the message, or for the result of a
// call its output, note and attachments in words, or its error.
func (m Message) Content() string {
	switch {
	case m.Role != RoleTool || m.Result == nil:
		return m.Text
	case m.Result.Err != nil:
		return tool.ModelText(m.Result.Err)
	}
	if beside := m.Result.QuoteAttached(longestAttached); beside != "" {
		return string(m.Result.Output) + "\n" + beside
	}
	return string(m.Result.Output)
}

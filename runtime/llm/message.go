package llm

import (
	"encoding/json"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/internal/quote"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Role is who says something.
type Role string

const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant" // the model
	RoleTool      Role = "tool"      // the result of a call
)

// Message is a part of a dialogue. It survives JSON both ways; as always with a
// [tool.Call], one that was read from JSON is a record.
type Message struct {
	Role   Role           `json:"role"`
	Text   string         `json:"text,omitempty"`
	Parts  []content.Part `json:"parts,omitempty"`  // of a user, after the text
	Calls  []tool.Request `json:"calls,omitempty"`  // of an assistant
	Result *tool.Call     `json:"result,omitempty"` // of a tool; its ID says which call it answers

	// Reasoning is what an assistant thought. It is for people: what a model wants
	// to read of it again is in Provider.
	Reasoning string `json:"reasoning,omitempty"`

	// Provider is what the provider of an assistant sent beside text and calls, and
	// wants back with the message: signatures, what was thought. It is for the model
	// that made it alone, which sends it to no other endpoint. Who takes something
	// out of a message takes this out, too.
	Provider json.RawMessage `json:"provider,omitempty"`
}

// longestAttached bounds what a model reads of a text that is attached to a result, in
// bytes.
const longestAttached = 16 << 10

// Content returns what the model reads of the message: the text, or for the result of a
// call its output, the note beside it and in words what is attached; or what went wrong.
func (m Message) Content() string {
	switch {
	case m.Role != RoleTool || m.Result == nil:
		return m.Text
	case m.Result.Err != nil:
		return tool.ModelText(m.Result.Err)
	}
	if beside := quote.Beside(m.Result, longestAttached); beside != "" {
		return string(m.Result.Output) + "\n" + beside
	}
	return string(m.Result.Output)
}

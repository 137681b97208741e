package anthropic

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

// message is a message of the protocol.
type message struct {
	Role    llm.Role `json:"role"`
	Content []block  `json:"content"`
}

// block is a part of a message.
type block struct {
	Type      string          `json:"type"`
	Text      *string         `json:"text,omitempty"`
	Source    *source         `json:"source,omitempty"`
	Title     string          `json:"title,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   []block         `json:"content,omitempty"`
	IsError   bool            `json:"is_error,omitempty"`
	Cache     *cacheMark      `json:"cache_control,omitempty"`

	raw json.RawMessage // JSON of the block; if it is not nil, the other fields are ignored
}

type source struct {
	Type  string `json:"type"`
	Media string `json:"media_type,omitempty"`
	Data  any    `json:"data,omitempty"` // string or []byte
	URL   string `json:"url,omitempty"`
}

// MarshalJSON encodes the block.
func (b block) MarshalJSON() ([]byte, error) {
	if b.raw != nil {
		return b.raw, nil
	}
	type plain block
	return endpoint.Encode(plain(b)), nil
}

func textBlock(text string) block { return block{Type: "text", Text: &text} }

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

// validID matches the IDs of calls that the API accepts.
var validID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// newIDCheck returns a function that reports whether the API accepts the ID of the next call in a
// dialogue. All IDs of a dialogue must be different.
func newIDCheck() func(id string) bool {
	seen := map[string]bool{}
	return func(id string) bool {
		isNew := !seen[id]
		seen[id] = true
		return isNew && validID.MatchString(id)
	}
}

// setMessages sets the messages of a request. Consecutive messages with the same role become one message,
// because the API requires that for the results of parallel calls.
func (r *request) setMessages(dialogue []llm.Message) error {
	for _, m := range llm.UniqueCallIDs(dialogue, newIDCheck()) {
		role, blocks := llm.RoleUser, []block(nil)
		var err error
		switch m.Role {
		case llm.RoleAssistant:
			role, blocks = llm.RoleAssistant, r.assistantBlocks(m)
		case llm.RoleTool:
			blocks = []block{resultBlock(m)}
		default:
			blocks, err = userBlocks(m)
		}
		if err != nil {
			return err
		}
		r.addBlocks(role, blocks)
	}
	if len(r.messages) == 0 {
		return errors.New("the request has no message with content")
	}
	r.trimEnd()
	return nil
}

// addBlocks adds blocks to the last message if it has the same role, and otherwise as a new message. It
// inserts results of calls before other blocks, and ignores empty messages, because the API requires
// that.
func (r *request) addBlocks(role llm.Role, blocks []block) {
	if len(blocks) == 0 {
		return
	}
	n := len(r.messages)
	if n == 0 || r.messages[n-1].Role != role {
		r.messages = append(r.messages, message{role, blocks})
		return
	}
	content := r.messages[n-1].Content
	index := len(content)
	if blocks[0].Type == "tool_result" {
		if i := slices.IndexFunc(content, func(b block) bool { return b.Type != "tool_result" }); i >= 0 {
			index = i
		}
	}
	r.messages[n-1].Content = slices.Insert(content, index, blocks...)
}

// trimEnd removes white space at the end of the dialogue if the last message is one of the assistant,
// which the model then continues. The API rejects such white space.
func (r *request) trimEnd() {
	last := r.messages[len(r.messages)-1]
	end := &last.Content[len(last.Content)-1]
	if last.Role == llm.RoleAssistant && end.Text != nil {
		text := strings.TrimRight(*end.Text, " \t\r\n")
		end.Text = &text
	}
}

// assistantBlocks returns the blocks of a message of the assistant. It returns the blocks that the API
// sent, unless the message has changed or came from another model.
func (r *request) assistantBlocks(m llm.Message) (blocks []block) {
	if all, ok := readProviderData(r.model.name, m).blocks(m); ok {
		for _, raw := range all {
			// The API rejects blank texts although it sends them.
			if b := endpoint.ParseMembers(raw); b.Text("type") != "text" || !isBlank(b.Text("text")) {
				blocks = append(blocks, block{raw: raw})
			}
		}
		return blocks
	}
	if !isBlank(m.Text) {
		blocks = append(blocks, textBlock(m.Text))
	}
	for _, c := range m.Calls {
		name, arguments := r.tools.WireCall(c)
		blocks = append(blocks, block{Type: "tool_use", ID: c.ID, Name: name, Input: arguments})
	}
	return blocks
}

var parts = endpoint.PartEncoder[block]{Text: textBlock, Media: mediaBlock}

// userBlocks returns the blocks of a message of the user, or of a system message that is not at the
// beginning of the dialogue.
func userBlocks(m llm.Message) ([]block, error) {
	blocks, err := parts.Message(m)
	return slices.DeleteFunc(blocks, func(b block) bool { return b.Text != nil && isBlank(*b.Text) }), err
}

// resultBlock returns the block with the result of a call. It contains attached images and documents
// that the API accepts, and describes other attachments in its text.
func resultBlock(m llm.Message) block {
	b := block{Type: "tool_result"}
	if m.Result != nil {
		b.ToolUseID, b.IsError = m.Result.ID, m.Result.Err != nil
	}
	text, media := parts.Result(m)
	if isBlank(text) {
		text = "null"
	}
	b.Content = append([]block{textBlock(text)}, media...)
	return b
}

// imageTypes are the media types of images that the API accepts as data.
var imageTypes = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}

const pdf = "application/pdf"

// mediaBlock converts a part that is not a text.
func mediaBlock(p content.Part) (block, error) {
	link, image := p.Kind() == content.KindLink, p.Medium() == "image"
	switch {
	case link && image:
		return block{Type: "image", Source: &source{Type: "url", URL: p.URL}}, nil
	case link && p.Media == pdf:
		return block{Type: "document", Source: &source{Type: "url", URL: p.URL}, Title: p.Name}, nil
	case link:
		return block{}, fmt.Errorf("the API accepts only images and PDF documents by URL, not %s", p.Media)
	case slices.Contains(imageTypes, p.Media):
		return block{Type: "image", Source: &source{Type: "base64", Media: p.Media, Data: p.Data}}, nil
	case p.Media == pdf:
		return block{Type: "document", Source: &source{Type: "base64", Media: pdf, Data: p.Data}, Title: p.Name}, nil
	case p.Medium() == "text" && !isBlank(string(p.Data)):
		return block{Type: "document", Source: &source{Type: "text", Media: "text/plain", Data: string(p.Data)}, Title: p.Name}, nil
	}
	return block{}, fmt.Errorf("the API accepts JPEG, PNG, GIF and WebP images, PDF documents and texts, not %s", p.Media)
}

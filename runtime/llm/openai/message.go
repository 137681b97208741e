package openai

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
)

// message is a message in the terms of the protocol. The client's own knows neither
// audio and files nor what providers want back.
type message struct {
	Role       string `json:"role"`
	Content    any    `json:"content,omitempty"` // a text, or a list of parts; nil for none
	ToolCalls  []call `json:"tool_calls,omitempty"`
	ToolCallID string `json:"tool_call_id,omitempty"`
	beside     members
}

// call is a call in a message.
type call struct {
	ID       string          `json:"id,omitempty"`
	Type     openai.ToolType `json:"type"`
	Function function        `json:"function"`
	beside   members
}

type function struct {
	openai.FunctionCall
	beside members
}

// MarshalJSON writes the message with what its provider wants back.
func (m message) MarshalJSON() ([]byte, error) {
	type plain message
	return marshal(plain(m), m.beside.beside(ofMessage))
}

// MarshalJSON writes the call with what its provider wants back.
func (c call) MarshalJSON() ([]byte, error) {
	type plain call
	return marshal(plain(c), c.beside.beside(ofCall))
}

// MarshalJSON writes the function with what its provider wants back.
func (f function) MarshalJSON() ([]byte, error) {
	return marshal(f.FunctionCall, f.beside.beside(ofFunction))
}

func marshal(object any, beside members) ([]byte, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	return add(text, beside)
}

// part is a piece of a content.
type part struct {
	Type  string                      `json:"type"`
	Text  string                      `json:"text,omitempty"`
	Image *openai.ChatMessageImageURL `json:"image_url,omitempty"`
	Audio *audio                      `json:"input_audio,omitempty"`
	File  *file                       `json:"file,omitempty"`
}

type audio struct {
	Data   []byte `json:"data"`
	Format string `json:"format"`
}

type file struct {
	Name string `json:"filename,omitempty"`
	Data string `json:"file_data"`
}

// message returns a message with the calls in it as the model wrote them, and what it
// sent beside.
func (t *Tools) message(m llm.Message, p provided) (message, error) {
	out := message{Role: string(m.Role), beside: p.Message}
	if content := p.Message["content"]; content != nil && partsText(content) == m.Text {
		out.Content = content // unless the text was changed since
	} else if text := m.Content(); text != "" {
		out.Content = text
	} else if m.Role == llm.RoleTool {
		out.Content = "null" // endpoints refuse a result that says nothing
	} else if len(m.Calls) == 0 {
		out.Content = "" // endpoints refuse a message that has neither
	}
	for i, r := range m.Calls {
		c, more := t.ToolCall(r), p.of(m.Calls, i)
		out.ToolCalls = append(out.ToolCalls, call{c.ID, c.Type, function{c.Function, more.Function}, more.Call})
	}
	if m.Result != nil {
		out.ToolCallID = m.Result.ID
	}
	if m.Parts == nil {
		return out, nil
	}
	if m.Role != llm.RoleUser {
		return out, fmt.Errorf("a message of the role %q has parts: only that of a user can have them", m.Role)
	}
	var content []part
	if m.Text != "" {
		content = append(content, part{Type: "text", Text: m.Text})
	}
	for i, p := range m.Parts {
		encoded, err := encodePart(p)
		if err != nil {
			return out, fmt.Errorf("part %d of a message: %w", i+1, err)
		}
		content = append(content, encoded)
	}
	out.Content = content
	return out, nil
}

// encodePart returns a part in the terms of the protocol: images by their places or
// their data, audio and files by data alone, and links in words.
func encodePart(p content.Part) (part, error) {
	if err := p.Check(); err != nil {
		return part{}, err
	}
	link, image := p.Kind() == content.KindLink, p.Medium() == "image"
	switch _, format, _ := strings.Cut(p.Media, "/"); {
	case p.Kind() == content.KindText, p.Media == "":
		return part{Type: "text", Text: p.String()}, nil
	case link && image:
		return part{Type: "image_url", Image: &openai.ChatMessageImageURL{URL: p.URL}}, nil
	case image:
		return part{Type: "image_url", Image: &openai.ChatMessageImageURL{URL: dataURL(p)}}, nil
	case link:
		return part{}, fmt.Errorf("endpoints of this protocol take %s as data, not by its URL", p.Media)
	case p.Medium() == "audio":
		return part{Type: "input_audio", Audio: &audio{Data: p.Data, Format: audioFormat(format)}}, nil
	}
	return part{Type: "file", File: &file{Name: p.Name, Data: dataURL(p)}}, nil
}

func dataURL(p content.Part) string {
	return "data:" + p.Media + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
}

// audioFormat returns the protocol's name of the second half of a media type.
func audioFormat(subtype string) string {
	switch subtype {
	case "mpeg":
		return "mp3"
	case "x-wav", "wave", "vnd.wave":
		return "wav"
	}
	return subtype
}

// add returns an object with members behind its own, in the order of their names.
// It is an error if it has one of them already.
func add(object []byte, extra map[string]json.RawMessage) ([]byte, error) {
	if len(extra) == 0 {
		return object, nil
	}
	var there map[string]json.RawMessage
	if err := json.Unmarshal(object, &there); err != nil {
		return nil, err
	}
	text := object[:len(object)-1]
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if there[name] != nil {
			return nil, fmt.Errorf("the extra member %q is in the request already, and is not replaced: leave it out", name)
		}
		if !json.Valid(extra[name]) {
			return nil, fmt.Errorf("the extra member %q is no JSON", name)
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		quoted, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		text = append(append(append(text, quoted...), ':'), extra[name]...)
	}
	return append(text, '}'), nil
}

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
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

// message is a message of the protocol. The type of go-openai supports no audio, no files and no
// additional members of providers.
type message struct {
	Role       string  `json:"role"`
	Content    any     `json:"content,omitempty"` // a string, []part, or JSON of the provider; nil if absent
	ToolCalls  []call  `json:"tool_calls,omitempty"`
	ToolCallID string  `json:"tool_call_id,omitempty"`
	extra      members // additional members of the provider
}

// call is a call in a message.
type call struct {
	ID       string          `json:"id,omitempty"`
	Type     openai.ToolType `json:"type"`
	Function function        `json:"function"`
	extra    members
}

type function struct {
	openai.FunctionCall
	extra members
}

// MarshalJSON encodes the message with the members of its provider.
func (m message) MarshalJSON() ([]byte, error) {
	type plain message
	return marshalWithExtra(plain(m), withoutMembers(m.extra, messageMembers))
}

// MarshalJSON encodes the call with the members of its provider.
func (c call) MarshalJSON() ([]byte, error) {
	type plain call
	return marshalWithExtra(plain(c), withoutMembers(c.extra, callMembers))
}

// MarshalJSON encodes the function with the members of its provider.
func (f function) MarshalJSON() ([]byte, error) {
	return marshalWithExtra(f.FunctionCall, withoutMembers(f.extra, functionMembers))
}

func marshalWithExtra(object any, extra members) ([]byte, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	return appendMembers(text, extra)
}

// part is a part of the content of a message.
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

// newMessage converts a message and adds the additional members in p to it.
func (t *Tools) newMessage(m llm.Message, p providerData) (message, error) {
	out := message{Role: string(m.Role), extra: p.Message}
	if content := p.Message["content"]; content != nil && partsText(content) == m.Text {
		out.Content = content // as the provider sent it, unless the text has changed since
	} else if text := m.Content(); text != "" {
		out.Content = text
	} else if m.Role == llm.RoleTool {
		out.Content = "null" // endpoints reject an empty result
	} else if len(m.Calls) == 0 {
		out.Content = "" // endpoints reject a message with neither text nor calls
	}
	for i, r := range m.Calls {
		c, extra := t.ToolCall(r), p.callData(m.Calls, i)
		out.ToolCalls = append(out.ToolCalls, call{c.ID, c.Type, function{c.Function, extra.Function}, extra.Call})
	}
	if m.Result != nil {
		out.ToolCallID = m.Result.ID
	}
	if m.Parts == nil {
		return out, nil
	}
	content, err := parts.Message(m)
	out.Content = content
	return out, err
}

var parts = endpoint.PartEncoder[part]{Text: func(text string) part { return part{Type: "text", Text: text} }, Media: encodeMedia}

// encodeMedia converts a part that is not text. Only images can be passed by URL.
func encodeMedia(p content.Part) (part, error) {
	link, image := p.Kind() == content.KindLink, p.Medium() == "image"
	switch _, format, _ := strings.Cut(p.Media, "/"); {
	case link && image:
		return part{Type: "image_url", Image: &openai.ChatMessageImageURL{URL: p.URL}}, nil
	case image:
		return part{Type: "image_url", Image: &openai.ChatMessageImageURL{URL: dataURL(p)}}, nil
	case link:
		return part{}, fmt.Errorf("endpoints of this protocol accept %s only as data, not by URL", p.Media)
	case p.Medium() == "audio":
		return part{Type: "input_audio", Audio: &audio{Data: p.Data, Format: audioFormat(format)}}, nil
	}
	return part{Type: "file", File: &file{Name: p.Name, Data: dataURL(p)}}, nil
}

func dataURL(p content.Part) string {
	return "data:" + p.Media + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
}

// audioFormat returns the protocol's name of an audio format, such as "mp3" for the media type
// audio/mpeg.
func audioFormat(subtype string) string {
	switch subtype {
	case "mpeg":
		return "mp3"
	case "x-wav", "wave", "vnd.wave":
		return "wav"
	}
	return subtype
}

// appendMembers adds members to the JSON text of an object, sorted by name. It returns an error if
// the object already has one of them.
func appendMembers(object []byte, extra map[string]json.RawMessage) ([]byte, error) {
	if len(extra) == 0 {
		return object, nil
	}
	var present map[string]json.RawMessage
	if err := json.Unmarshal(object, &present); err != nil {
		return nil, err
	}
	text := object[:len(object)-1]
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if present[name] != nil {
			return nil, fmt.Errorf("the request already contains the extra member %q: leave it out", name)
		}
		if !json.Valid(extra[name]) {
			return nil, fmt.Errorf("the extra member %q is not valid JSON", name)
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

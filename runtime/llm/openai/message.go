package openai

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
	"github.com/aiongen/aiongen/runtime/tool"
)

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

// newMessage converts a message and adds the additional members in p to it. The types of go-openai support no
// audio, no files and no additional members.
func newMessage(tools *endpoint.Tools, m llm.Message, p providerData) (*endpoint.Object, error) {
	content, err := messageContent(m, p)
	if err != nil {
		return nil, err
	}
	var calls []*endpoint.Object
	for i, r := range m.Calls {
		call, err := newCall(tools, r, p.callData(m.Calls, i))
		if err != nil {
			return nil, err
		}
		calls = append(calls, call)
	}
	out := &endpoint.Object{}
	out.Add("role", m.Role)
	out.AddIf(content != nil, "content", content)
	out.AddIf(calls != nil, "tool_calls", calls)
	if m.Result != nil {
		out.AddIf(m.Result.ID != "", "tool_call_id", m.Result.ID)
	}
	return out, out.AddExtra(withoutMembers(p.Message, messageMembers))
}

// newCall converts a call and adds the additional members in p to it.
func newCall(tools *endpoint.Tools, r tool.Request, p providedCall) (*endpoint.Object, error) {
	c, function, out := (&Tools{tools}).ToolCall(r), &endpoint.Object{}, &endpoint.Object{}
	function.Add("name", c.Function.Name)
	function.Add("arguments", c.Function.Arguments)
	if err := function.AddExtra(withoutMembers(p.Function, functionMembers)); err != nil {
		return nil, err
	}
	out.Add("id", c.ID)
	out.Add("type", c.Type)
	out.Add("function", function)
	return out, out.AddExtra(withoutMembers(p.Call, callMembers))
}

// messageContent returns the content of a message: a string, parts, or JSON of the provider. It returns nil if
// the message has none.
func messageContent(m llm.Message, p providerData) (any, error) {
	if m.Parts != nil {
		return parts.Message(m)
	}
	if content := p.Message["content"]; content != nil && partsText(content) == m.Text {
		return content, nil // as the provider sent it, unless the text has changed since
	}
	switch text := m.Content(); {
	case text != "":
		return text, nil
	case m.Role == llm.RoleTool:
		return "null", nil // endpoints reject an empty result
	case len(m.Calls) == 0:
		return "", nil // endpoints reject a message with neither text nor calls
	}
	return nil, nil
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

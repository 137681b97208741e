package openai

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sashabaranov/go-openai"
)

// aside is what an answer, or a piece of one, has that the client does not read.
type aside struct {
	text    []byte
	Object  string // "error", where it is one without more ado (vLLM)
	Error   json.RawMessage
	Message json.RawMessage // a text, where there is nothing else
	Detail  json.RawMessage
	Choices []struct {
		Index   int
		Error   json.RawMessage
		Finish  string `json:"finish_reason"`
		Message members
		Delta   members
	}
	Usage struct {
		Cached int `json:"prompt_cache_hit_tokens"` // DeepSeek
	}
	Groq struct {
		Usage *openai.Usage
	} `json:"x_groq"`
}

// asideOf reads what is aside in an answer. What is not as it should be is for the
// client to refuse; what is no UTF-8 becomes U+FFFD, as the client reads it.
func asideOf(text []byte) (a aside) {
	if !utf8.Valid(text) {
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	a.text = text
	_ = json.Unmarshal(text, &a)
	return a
}

// complaint returns what is said to be wrong with the answer, though it comes as
// one: as a whole, or in the choice.
func (a aside) complaint() (c complaint, ok bool) {
	switch {
	case isThere(a.Error):
		return read(a.Error), true
	case a.Object == "error":
		return read(a.text), true
	case a.Choices == nil && isThere(a.Detail), a.Choices == nil && isThere(a.Message) && a.Message[0] == '"':
		return complaintOf(a.text)
	}
	for _, choice := range a.Choices {
		if choice.Index == 0 && (isThere(choice.Error) || choice.Finish == "error") {
			return read(choice.Error), true
		}
	}
	return complaint{}, false
}

// usage returns the usage that the client has read, if any, with what it has not.
func (a aside) usage(u *openai.Usage) *openai.Usage {
	if u == nil || *u == (openai.Usage{}) {
		if a.Groq.Usage == nil {
			return u
		}
		u = a.Groq.Usage
	}
	if a.Usage.Cached > 0 && u.PromptTokensDetails == nil {
		u.PromptTokensDetails = &openai.PromptTokensDetails{CachedTokens: a.Usage.Cached}
	}
	return u
}

// said returns what the i-th choice, or a piece of it, says; none if that is not there.
func (a aside) said(i int) members {
	if i >= len(a.Choices) {
		return nil
	}
	if a.Choices[i].Message != nil {
		return a.Choices[i].Message
	}
	return a.Choices[i].Delta
}

// calls returns n calls in a message, or a piece of one, with all their members.
func (m members) calls(n int) []members {
	all := make([]members, 0, n)
	_ = json.Unmarshal(m["tool_calls"], &all) // what is none has none
	return append(all, make([]members, n)...)
}

// members is an object.
type members map[string]json.RawMessage

// beside are the members of an object that are not of the protocol.
func (m members) beside(protocol []string) members {
	rest := maps.Clone(m)
	maps.DeleteFunc(rest, func(name string, _ json.RawMessage) bool { return slices.Contains(protocol, name) })
	return rest
}

// said is a part of a content, as providers send them.
type said struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Summary  string          `json:"summary"`
	Thinking json.RawMessage `json:"thinking"` // a text, or parts
}

func partsOf(content json.RawMessage) (parts []said) {
	_ = json.Unmarshal(content, &parts) // what is none has none
	return parts
}

// textOf returns the text of a content in parts.
func textOf(content json.RawMessage) string {
	var text strings.Builder
	for _, p := range partsOf(content) {
		text.WriteString(p.Text)
	}
	return text.String()
}

// hasMore tells whether there is more than text in a content.
func hasMore(content json.RawMessage) bool {
	return slices.ContainsFunc(partsOf(content), func(p said) bool { return p.Type != "text" })
}

// thoughtIn returns what the model thinks in a message, or a piece of one. Some
// endpoints say it twice, in other forms.
func thoughtIn(m members) (thought string) {
	for _, name := range []string{"reasoning_content", "reasoning", "reasoning_text"} {
		if json.Unmarshal(m[name], &thought) == nil && thought != "" {
			return thought
		}
	}
	var inParts strings.Builder
	for _, p := range partsOf(m["content"]) {
		var text string
		if json.Unmarshal(p.Thinking, &text) != nil {
			text = textOf(p.Thinking)
		}
		inParts.WriteString(text)
	}
	if inParts.Len() > 0 {
		return inParts.String()
	}
	for _, p := range partsOf(m["reasoning_details"]) {
		inParts.WriteString(p.Text + p.Summary)
	}
	return inParts.String()
}

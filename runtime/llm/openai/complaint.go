package openai

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
)

// complaint is what an endpoint says is wrong.
type complaint struct {
	message    string
	kind, code string
}

// complaintOf returns what a body says is wrong; ok is false for a body that says
// nothing of the kind. Beside the protocol's form, {"error": {"message": …}}, there
// are a text in its place (Ollama), a list around it (Gemini), its members without
// it (vLLM), and a detail alone (FastAPI, of which many endpoints are made).
func complaintOf(body []byte) (c complaint, ok bool) {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var said struct {
		Error, Detail, Message json.RawMessage
	}
	_ = json.Unmarshal(body, &said) // what is none says nothing
	switch {
	case isThere(said.Error):
		return read(said.Error), true
	case isThere(said.Message):
		return read(body), true
	case isThere(said.Detail):
		return read(said.Detail), true
	}
	return complaint{}, false
}

// read reads a complaint: an object with a message, or anything else, which is the
// message then.
func read(raw json.RawMessage) complaint {
	var said struct {
		Message, Type, Code json.RawMessage
	}
	if json.Unmarshal(raw, &said) != nil || said.Message == nil && said.Type == nil && said.Code == nil {
		said.Message = raw
	}
	return complaint{messageText(said.Message), messageText(said.Type), messageText(said.Code)}
}

// messageText returns a value as text: the text that it is, the texts of a list, else its
// JSON.
func messageText(raw json.RawMessage) string {
	var text string
	var texts []string
	switch {
	case !isThere(raw):
		return ""
	case json.Unmarshal(raw, &text) == nil:
		return text
	case json.Unmarshal(raw, &texts) == nil:
		return strings.Join(texts, ", ")
	}
	return string(raw)
}

// isThere tells whether a member has a value that says something.
func isThere(member json.RawMessage) bool {
	switch string(bytes.Join(bytes.Fields(member), nil)) {
	case "", "null", "false", "0", `""`, "{}", "[]":
		return false
	}
	return true
}

// String returns the message, or what else there is.
func (c complaint) String() string {
	if rest := strings.TrimSpace(c.kind + " " + c.code); strings.TrimSpace(c.message) == "" && rest != "" {
		return "the endpoint says only: " + excerpt(rest)
	}
	return excerpt(c.message)
}

// class returns the kind of error, of an answer with a status or in the middle of a
// stream, by which all is well.
func (c complaint) class(status int) string {
	if n, err := strconv.Atoi(c.code); err == nil && !isFailure(status) && isFailure(n) {
		status = n
	}
	switch {
	case c.code == "insufficient_quota" || c.kind == "insufficient_quota":
		return llm.QuotaExceeded
	case c.isTooLong() && status != http.StatusTooManyRequests:
		return llm.ContextFull
	case isFailure(status):
		return kindOfStatus(status)
	case c.code == "rate_limit_exceeded" || strings.HasPrefix(c.kind, "rate_limit"):
		return llm.RateLimited
	case c.kind == "invalid_request_error":
		return llm.BadRequest
	}
	return llm.ServerError
}

// tooLong is what endpoints say of a request that is longer than their model can read.
var tooLong = []string{
	"maximum context length",          // OpenAI, vLLM, OpenRouter, DeepSeek, Mistral
	"context_length_exceeded",         // OpenAI, Groq
	"exceed_context_size",             // llama.cpp
	"available context size",          // the same, older
	"context window",                  // OpenAI's newer models, Anthropic, LM Studio
	"maximum number of tokens",        // Gemini
	"prompt is too long",              // Anthropic
	"maximum prompt length",           // xAI
	"reduce the length of the prompt", // Together
	"reduce the length of the messages",
}

// isTooLong tells whether the complaint is about the length of the request. Neither
// kinds nor statuses of endpoints say so, only what they write.
func (c complaint) isTooLong() bool {
	said := strings.ToLower(c.code + "\n" + c.kind + "\n" + c.message)
	return slices.ContainsFunc(tooLong, func(words string) bool { return strings.Contains(said, words) })
}

// isFailure tells whether a status is that of an answer which the client refuses.
func isFailure(status int) bool {
	return status < http.StatusOK || status >= http.StatusBadRequest
}

func kindOfStatus(status int) string {
	switch {
	case status == http.StatusTooManyRequests:
		return llm.RateLimited
	case status == http.StatusRequestTimeout:
		return llm.Timeout
	case status == http.StatusConflict || status >= 500 || status < 200:
		return llm.ServerError
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return llm.Unauthorized
	}
	return llm.BadRequest
}

// excerpt returns the beginning of a text, in one line.
func excerpt(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text[:min(len(text), longestText)], "")), " ")
	if text == "" {
		return "the endpoint does not say why"
	}
	return text
}

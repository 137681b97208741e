package llm

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
)

// StatusKind returns the kind of [Error] for the HTTP status of a failed request. It is for
// implementations of [Model].
func StatusKind(status int) string {
	switch {
	case status == 429: // too many requests
		return RateLimited
	case status == 408: // request timeout
		return Timeout
	case status == 409 || status >= 500 || status < 200: // 409: conflict
		return ServerError
	case status == 401 || status == 403: // unauthorized, forbidden
		return Unauthorized
	}
	return BadRequest
}

// dateFormat is http.TimeFormat. This package does not import net/http, which would make programs
// larger.
const dateFormat = "Mon, 02 Jan 2006 15:04:05 GMT"

// RetryAfter returns how long an endpoint asks the client to wait, or 0. It reads the header
// Retry-After-Ms, which contains milliseconds, or else Retry-After, which contains seconds or a
// date. It is for implementations of [Model].
func RetryAfter(header interface{ Get(name string) string }) time.Duration {
	if wait, ok := parseDuration(header.Get("Retry-After-Ms"), time.Millisecond); ok {
		return wait
	}
	text := header.Get("Retry-After")
	if wait, ok := parseDuration(text, time.Second); ok {
		return wait
	}
	if date, err := time.Parse(dateFormat, text); err == nil {
		return max(0, time.Until(date))
	}
	return 0
}

// parseDuration parses a number of units. A number that is negative or too large yields 0.
func parseDuration(text string, unit time.Duration) (d time.Duration, ok bool) {
	n, err := strconv.ParseFloat(text, 64)
	if n > 0 && n < math.MaxInt64/float64(unit) {
		d = time.Duration(n * float64(unit))
	}
	return d, err == nil
}

// tooLong contains phrases from errors that endpoints report if a request is too long for the model.
var tooLong = []string{
	"maximum context length",          // OpenAI, vLLM, OpenRouter, DeepSeek, Mistral
	"context_length_exceeded",         // OpenAI, Groq
	"exceed_context_size",             // llama.cpp
	"available context size",          // older llama.cpp
	"context window",                  // OpenAI's newer models, Anthropic, LM Studio
	"maximum number of tokens",        // Gemini
	"prompt is too long",              // Anthropic
	"maximum prompt length",           // xAI
	"reduce the length of the prompt", // Together
	"reduce the length of the messages",
}

// IsContextFull reports whether text, the message or code of an endpoint's error, means that the
// request was too long for the model. It recognizes typical phrases, because endpoints have no common
// code or status for this error. It is for implementations of [Model].
func IsContextFull(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(tooLong, func(phrase string) bool { return strings.Contains(text, phrase) })
}

// UniqueCallIDs returns a copy of the messages in which the calls of a message have distinct IDs, and
// the result of a call has the ID of the call. It replaces IDs that are missing, repeated, not
// printable ASCII, or for which accepts returns false, because many endpoints reject such IDs. It
// calls accepts for the IDs in order. The IDs in a message do not depend on later messages.
// UniqueCallIDs is for implementations of [Model].
func UniqueCallIDs(messages []Message, accepts func(id string) bool) []Message {
	taken, generated := map[string]bool{}, map[string]bool{}
	isValid := func(id string) bool {
		return id != "" && !generated[id] && !strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' }) && accepts(id)
	}
	all := slices.Clone(messages)
	var open []openCall // calls of the last message with calls that have no result yet
	for i, message := range all {
		if message.Role == RoleTool && message.Result != nil {
			if at := slices.IndexFunc(open, func(c openCall) bool { return c.written == message.Result.ID }); at >= 0 {
				all[i].Result = withID(message.Result, open[at].sent)
				open = slices.Delete(open, at, at+1)
			}
			continue
		}
		if len(message.Calls) == 0 {
			continue
		}
		for _, c := range message.Calls {
			taken[c.ID] = true
		}
		open = nil
		seen := map[string]bool{}
		all[i].Calls = slices.Clone(message.Calls)
		for j, c := range message.Calls {
			id := c.ID
			if !isValid(id) || seen[id] {
				id = NewCallID(taken)
				generated[id] = true
			}
			seen[id] = true
			all[i].Calls[j].ID = id
			open = append(open, openCall{c.ID, id})
		}
	}
	return all
}

// openCall contains the ID of a call that the model wrote, and the ID that is sent instead.
type openCall struct{ written, sent string }

func withID(c *tool.Call, id string) *tool.Call {
	if c.ID == id {
		return c
	}
	renamed := *c
	renamed.ID = id
	return &renamed
}

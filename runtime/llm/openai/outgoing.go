package openai

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/toolname"
	"github.com/aiongen/aiongen/runtime/internal/callid"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// An endpoint refuses a whole dialogue because of one invalid call in it. What a model
// wrote is therefore sent back only if it is valid; what was wrong with it is in the
// result of the call.

// unknownTool is the name of a call in a dialogue whose own name is invalid.
const unknownTool = "unknown"

// wireName returns the name of a call in a dialogue: the one by which the endpoint
// knows the tool, else the name that the model wrote, if it is valid.
func (t *Tools) wireName(name string) string {
	if lowered, ok := t.lowered(name); ok {
		return lowered
	}
	if name != "" && len(name) <= toolname.Max && !strings.ContainsFunc(name, func(c rune) bool { return !toolname.Has(c) }) {
		return name
	}
	unknown := unknownTool
	for t.has(unknown) {
		unknown += "_"
	}
	return unknown
}

// wireArguments returns the arguments of a call as they are sent: an empty object if they
// are not a JSON object.
func wireArguments(arguments json.RawMessage) json.RawMessage {
	if !json.Valid(arguments) || !strings.HasPrefix(strings.TrimSpace(string(arguments)), "{") {
		return json.RawMessage("{}")
	}
	return replaceLoneSurrogates(arguments)
}

var surrogates = regexp.MustCompile(`\\\\|\\u[dD][89aAbB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}`)

// replaceLoneSurrogates returns JSON in which halves of surrogate pairs are U+FFFD: many
// endpoints cannot read such a half.
func replaceLoneSurrogates(text json.RawMessage) json.RawMessage {
	return surrogates.ReplaceAllFunc(text, func(found []byte) []byte {
		if len(found) == len(`\ud83d`) {
			return []byte(`\ufffd`)
		}
		return found
	})
}

// withIDs returns messages in which each call of a message has its own ID, and each result
// has the ID of its call. It generates an ID where the model gave none, repeated one, or gave
// one that is longer than longest bytes or not printable ASCII.
func withIDs(messages []llm.Message, longest int) []llm.Message {
	isValid := func(id string) bool {
		return id != "" && len(id) <= longest && !strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' })
	}
	taken := map[string]bool{}
	for _, message := range messages {
		for _, c := range message.Calls {
			taken[c.ID] = true
		}
	}
	all := slices.Clone(messages)
	var open []openCall // calls of the last message that has some, without results
	for i, message := range all {
		if message.Role == llm.RoleTool && message.Result != nil {
			if at := slices.IndexFunc(open, func(c openCall) bool { return c.written == message.Result.ID }); at >= 0 {
				all[i].Result = withID(message.Result, open[at].sent)
				open = slices.Delete(open, at, at+1)
			}
			continue
		}
		if len(message.Calls) == 0 {
			continue
		}
		open = nil
		seen := map[string]bool{}
		all[i].Calls = slices.Clone(message.Calls)
		for j, c := range message.Calls {
			id := c.ID
			if !isValid(id) || seen[id] {
				id = callid.Generate(taken)
			}
			seen[id] = true
			all[i].Calls[j].ID = id
			open = append(open, openCall{c.ID, id})
		}
	}
	return all
}

// openCall is the ID of a call, as the model wrote it and as it is sent.
type openCall struct{ written, sent string }

func withID(c *tool.Call, id string) *tool.Call {
	if c.ID == id {
		return c
	}
	renamed := *c
	renamed.ID = id
	return &renamed
}

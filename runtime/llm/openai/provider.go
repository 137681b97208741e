package openai

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// maxProviderData limits the total size of the additional members of an answer, in bytes.
const maxProviderData = 4 << 20

var errProviderData = fmt.Errorf("the additional members of the answer have more than %d bytes", maxProviderData)

// The members that the protocol defines for a message, a call and the function of a call. All other
// members are additions of a provider, which expects them back in the next request.
var (
	messageMembers  = []string{"annotations", "audio", "content", "function_call", "images", "name", "refusal", "role", "tool_call_id", "tool_calls"}
	callMembers     = []string{"function", "id", "index", "type"}
	functionMembers = []string{"arguments", "name"}
)

// providerData is the content of [llm.Message.Provider]. It is sent back only to the endpoint that
// sent it, because other endpoints may reject it and must not learn it.
type providerData struct {
	Endpoint string         `json:"endpoint"`
	Message  members        `json:"message,omitempty"`
	Calls    []providedCall `json:"calls,omitempty"`
}

// providedCall contains the additional members of a call. ID and Name are the original ones: the
// program may have changed those in the dialogue since then.
type providedCall struct {
	ID       string  `json:"id,omitempty"`
	Name     string  `json:"name,omitempty"`
	Call     members `json:"call,omitempty"`
	Function members `json:"function,omitempty"`
}

// readProviderData returns the additional members of a message, without the message members that
// forget lists. The result is empty if the message came from another endpoint.
func readProviderData(endpoint string, m llm.Message, forget []string) (p providerData) {
	if json.Unmarshal(m.Provider, &p) != nil || p.Endpoint != endpoint {
		return providerData{}
	}
	for _, name := range forget {
		delete(p.Message, name)
	}
	return p
}

// callData returns the additional members of calls[i]. It finds them by index if the number of calls
// and the name of this call are unchanged, and by ID and name otherwise.
func (p providerData) callData(calls []tool.Request, i int) providedCall {
	call := calls[i]
	if i < len(p.Calls) && len(p.Calls) == len(calls) && p.Calls[i].Name == call.Name {
		return p.Calls[i]
	}
	for _, c := range p.Calls {
		if c.ID != "" && c.ID == call.ID && c.Name == call.Name {
			return c
		}
	}
	return providedCall{}
}

// collectExtra collects the additional members of a message or delta. It includes the content if that
// is a list of parts, because a provider may expect parts other than text back.
func (a *assembly) collectExtra(m members) error {
	rest := withoutMembers(m, messageMembers)
	for _, name := range reasoningMembers {
		if !isString(rest[name]) {
			delete(rest, name) // endpoints reject reasoning that is not a string
		}
	}
	switch content := m["content"]; {
	case strings.HasPrefix(string(content), "["):
		if !a.extra.Has("content") && a.text.Len() > 0 {
			rest["content"] = textPart(a.text.String())
			if err := a.mergeExtra(&a.extra, rest); err != nil {
				return err
			}
			rest = members{}
		}
		rest["content"] = content
	case a.extra.Has("content") && strings.HasPrefix(string(content), `"`):
		var text string
		_ = json.Unmarshal(content, &text) // it is a valid string
		rest["content"] = textPart(text)
	}
	a.reasoning.WriteString(reasoningOf(m))
	return a.mergeExtra(&a.extra, rest)
}

// collectCallExtra collects the additional members of a call or of a piece of a call.
func (a *assembly) collectCallExtra(c *callParts, p callPiece) error {
	if err := a.mergeExtra(&c.extra, withoutMembers(p.call, callMembers)); err != nil {
		return err
	}
	return a.mergeExtra(&c.extraFunction, withoutMembers(p.function, functionMembers))
}

// mergeExtra adds members to an object. It returns an error if all additional members of the answer
// together exceed maxProviderData.
func (a *assembly) mergeExtra(o *Object, more members) error {
	for _, value := range more {
		a.extraSize += len(value)
	}
	if a.extraSize > maxProviderData {
		return errProviderData
	}
	o.Add(more)
	return nil
}

func textPart(text string) json.RawMessage {
	content, err := json.Marshal([]part{{Type: "text", Text: text}})
	if err != nil {
		panic(err) // a string can always be encoded
	}
	return content
}

// encodeProvider returns the collected members for [llm.Message.Provider], or nil if there are none.
func (a *assembly) encodeProvider() json.RawMessage {
	p := providerData{Endpoint: a.request.endpoint, Message: a.extra.Read()}
	if !hasOtherParts(p.Message["content"]) {
		delete(p.Message, "content")
	}
	hasExtra := len(p.Message) > 0
	for _, c := range a.calls {
		call := providedCall{ID: c.id, Name: a.request.tools.Request(c.id, c.name, nil).Name, Call: c.extra.Read(), Function: c.extraFunction.Read()}
		hasExtra = hasExtra || len(call.Call)+len(call.Function) > 0
		p.Calls = append(p.Calls, call)
	}
	if !hasExtra {
		return nil
	}
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // all members came from JSON
	}
	return text
}

// isStrict reports whether schemas are sent in strict mode.
func (m *model) isStrict() bool {
	if m.strict != nil {
		return *m.strict
	}
	return m.isOpenAI()
}

// isOpenAI reports whether the endpoint belongs to OpenAI, including regional hosts such as
// eu.api.openai.com.
func (m *model) isOpenAI() bool {
	return strings.HasSuffix("."+strings.ToLower(m.base.Reveal().Hostname()), ".api.openai.com")
}

// endpoint returns the host, which identifies the endpoint.
func (m *model) endpoint() string { return strings.ToLower(m.base.Reveal().Host) }

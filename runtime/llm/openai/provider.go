package openai

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// maxProviderData limits the total size of the additional members of an answer, in bytes.
const maxProviderData = 4 << 20

var errProviderData = fmt.Errorf("the additional members of the answer have more than %d bytes", maxProviderData)

// The members that the protocol defines for a message, a call and its function. All other members
// are additions of a provider, which expects them back in the next request.
var (
	messageMembers  = []string{"annotations", "audio", "content", "function_call", "images", "name", "refusal", "role", "tool_call_id", "tool_calls"}
	callMembers     = []string{"function", "id", "index", "type"}
	functionMembers = []string{"arguments", "name"}
)

// providerData is the content of [llm.Message.Provider]. It is sent back only to the endpoint that
// it came from: other endpoints may reject it, and it is not meant for them.
type providerData struct {
	Endpoint string         `json:"endpoint"`
	Message  members        `json:"message,omitempty"`
	Calls    []providedCall `json:"calls,omitempty"`
}

// providedCall contains the additional members of a call. ID and Name are those in the answer. The
// program may since have changed those of the call.
type providedCall struct {
	ID       string  `json:"id,omitempty"`
	Name     string  `json:"name,omitempty"`
	Call     members `json:"call,omitempty"`
	Function members `json:"function,omitempty"`
}

// readProviderData returns the additional members of a message for the endpoint. It omits the message
// members in forget, which the endpoint must not get back.
func readProviderData(endpoint string, m llm.Message, forget []string) (p providerData) {
	if json.Unmarshal(m.Provider, &p) != nil || p.Endpoint != endpoint {
		return providerData{} // from another endpoint
	}
	for _, name := range forget {
		delete(p.Message, name)
	}
	return p
}

// callData returns the additional members of the i-th call of a message. It finds them by index if the
// number of calls and the name match, or else by ID and name.
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

// keepMembers collects the additional members of a message or a piece of one.
func (a *assembly) keepMembers(m members) error {
	rest := m.otherMembers(messageMembers)
	for _, name := range reasoningMembers {
		if !isString(rest[name]) {
			delete(rest, name) // an endpoint would reject it
		}
	}
	switch content := m["content"]; {
	case strings.HasPrefix(string(content), "["):
		if !a.kept.Has("content") && a.text.Len() > 0 {
			rest["content"] = textPart(a.text.String())
			if err := a.growObject(&a.kept, rest); err != nil {
				return err
			}
			rest = members{}
		}
		rest["content"] = content
	case a.kept.Has("content") && strings.HasPrefix(string(content), `"`):
		var text string
		_ = json.Unmarshal(content, &text) // it is a valid string
		rest["content"] = textPart(text)
	}
	a.thought.WriteString(reasoningOf(m))
	return a.growObject(&a.kept, rest)
}

// keepCall collects the additional members of a call or a piece of one.
func (a *assembly) keepCall(c *callParts, p callPiece) error {
	if err := a.growObject(&c.kept, p.call.otherMembers(callMembers)); err != nil {
		return err
	}
	return a.growObject(&c.keptFunction, p.function.otherMembers(functionMembers))
}

// growObject adds members to an object. It returns an error if all objects of the answer together exceed
// maxProviderData.
func (a *assembly) growObject(g *Object, more members) error {
	for _, value := range more {
		a.size += len(value)
	}
	if a.size > maxProviderData {
		return errProviderData
	}
	g.Add(more)
	return nil
}

func textPart(text string) json.RawMessage {
	content, err := json.Marshal([]part{{Type: "text", Text: text}})
	if err != nil {
		panic(err) // a text can always be encoded
	}
	return content
}

// encodeProvider returns the collected members for [llm.Message.Provider], or nil if there are none.
func (a *assembly) encodeProvider() json.RawMessage {
	p := providerData{Endpoint: a.request.endpoint, Message: a.kept.Read()}
	if !hasOtherParts(p.Message["content"]) {
		delete(p.Message, "content")
	}
	some := len(p.Message) > 0
	for _, c := range a.calls {
		call := providedCall{ID: c.id, Name: a.request.tools.Request(openai.ToolCall{Function: openai.FunctionCall{Name: c.name}}).Name, Call: c.kept.Read(), Function: c.keptFunction.Read()}
		some = some || len(call.Call)+len(call.Function) > 0
		p.Calls = append(p.Calls, call)
	}
	if !some {
		return nil
	}
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // all members came from JSON
	}
	return text
}

// isStrict reports whether the endpoint enforces schemas.
func (m *model) isStrict() bool {
	if m.strict != nil {
		return *m.strict
	}
	return m.isOpenAI()
}

// isOpenAI reports whether the endpoint belongs to OpenAI, including regional hosts such as
// eu.api.openai.com.
func (m *model) isOpenAI() bool {
	u, err := url.Parse(m.baseURL.Reveal())
	if err != nil {
		return false
	}
	host := "." + strings.ToLower(u.Hostname())
	return strings.HasSuffix(host, ".api.openai.com")
}

// isEncrypted reports whether requests are encrypted.
func (m *model) isEncrypted() bool {
	u, err := url.Parse(m.baseURL.Reveal())
	return err == nil && u.Scheme == "https"
}

// endpoint returns the host, which identifies the endpoint.
func (m *model) endpoint() string {
	u, err := url.Parse(m.baseURL.Reveal())
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

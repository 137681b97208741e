package openai

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/openai/internal/growth"
	"github.com/aiongen/aiongen/runtime/tool"
)

// maxBeside bounds what an answer has beside the protocol, in bytes.
const maxBeside = 4 << 20

var errBeside = fmt.Errorf("there are more than %d bytes beside the protocol in the answer", maxBeside)

// Members of the protocol, of a message, a call in it and the function of that. All
// others are the provider's, who wants them back.
var (
	ofMessage  = []string{"annotations", "audio", "content", "function_call", "images", "name", "refusal", "role", "tool_call_id", "tool_calls"}
	ofCall     = []string{"function", "id", "index", "type"}
	ofFunction = []string{"arguments", "name"}
)

// provided is what [llm.Message.Provider] has in it. It goes back to the endpoint that
// it came from, for another one refuses it, or is not to read it.
type provided struct {
	Endpoint string         `json:"endpoint"`
	Message  members        `json:"message,omitempty"`
	Calls    []providedCall `json:"calls,omitempty"`
}

// providedCall is what a call has beside the protocol. The name and the ID, which may
// have been changed since, tell which call it is.
type providedCall struct {
	ID       string  `json:"id,omitempty"`
	Name     string  `json:"name,omitempty"`
	Call     members `json:"call,omitempty"`
	Function members `json:"function,omitempty"`
}

// providedBy returns what an endpoint sent beside a message, less what it is not to
// have back.
func providedBy(endpoint string, m llm.Message, forget []string) (p provided) {
	if json.Unmarshal(m.Provider, &p) != nil || p.Endpoint != endpoint {
		return provided{} // of another model
	}
	for _, name := range forget {
		delete(p.Message, name)
	}
	return p
}

// of returns what belongs to the i-th call of a message: by its place, and else by its
// ID.
func (p provided) of(calls []tool.Request, i int) providedCall {
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

// keep takes what a message, or a piece of one, has beside the protocol.
func (a *assembly) keep(said members) error {
	rest := said.beside(ofMessage)
	switch content := said["content"]; {
	case strings.HasPrefix(string(content), "["):
		if !a.kept.Has("content") && a.text.Len() > 0 {
			rest["content"] = textPart(a.text.String())
			if err := a.grow(&a.kept, rest); err != nil {
				return err
			}
			rest = members{}
		}
		rest["content"] = content
	case a.kept.Has("content") && strings.HasPrefix(string(content), `"`):
		var text string
		_ = json.Unmarshal(content, &text) // it is one
		rest["content"] = textPart(text)
	}
	a.thought.WriteString(reasoningOf(said))
	return a.grow(&a.kept, rest)
}

// keepCall keeps the members of a call, or of a piece of one, that are not in the
// protocol.
func (a *assembly) keepCall(c *callParts, p callPiece) error {
	if err := a.grow(&c.kept, p.call.beside(ofCall)); err != nil {
		return err
	}
	return a.grow(&c.keptFunction, p.function.beside(ofFunction))
}

// grow adds members to an object, as long as all that is kept stays within bounds.
func (a *assembly) grow(g *growth.Object, more members) error {
	for _, value := range more {
		a.size += len(value)
	}
	if a.size > maxBeside {
		return errBeside
	}
	g.Add(more)
	return nil
}

func textPart(text string) json.RawMessage {
	content, err := json.Marshal([]part{{Type: "text", Text: text}})
	if err != nil {
		panic(err) // texts can be written
	}
	return content
}

// provider returns all that was kept.
func (a *assembly) provider() json.RawMessage {
	p := provided{Endpoint: a.request.endpoint, Message: a.kept.Read()}
	if !hasOtherParts(p.Message["content"]) {
		delete(p.Message, "content")
	}
	some := len(p.Message) > 0
	for _, c := range a.calls {
		call := providedCall{ID: c.id, Name: a.request.tools.named(c.name), Call: c.kept.Read(), Function: c.keptFunction.Read()}
		some = some || len(call.Call)+len(call.Function) > 0
		p.Calls = append(p.Calls, call)
	}
	if !some {
		return nil
	}
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // it was JSON
	}
	return text
}

// isStrict reports whether the endpoint shall hold the model to schemas.
func (m *model) isStrict() bool {
	if m.strict != nil {
		return *m.strict
	}
	return m.isOpenAI()
}

// isOpenAI tells whether the endpoint is OpenAI's, at its host or at that of a
// region, as in eu.api.openai.com.
func (m *model) isOpenAI() bool {
	u, err := url.Parse(m.baseURL.Reveal())
	if err != nil {
		return false
	}
	host := "." + strings.ToLower(u.Hostname())
	return strings.HasSuffix(host, ".api.openai.com")
}

// endpoint returns by what the endpoint is told from others: its host.
func (m *model) endpoint() string {
	u, err := url.Parse(m.baseURL.Reveal())
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

package anthropic

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
	"github.com/aiongen/aiongen/runtime/schema"
)

// request is a request of the protocol, with the data needed to read its answer.
type request struct {
	model       *model
	maxTokens   int
	streamed    bool
	thinking    *thinking
	output      outputConfig
	temperature *float64
	topP        *float64
	stop        []string
	toolChoice  *toolChoice
	system      []block
	messages    []message
	extra       map[string]json.RawMessage

	tools    *endpoint.Tools
	allTools []json.RawMessage // encoded tools, including server tools
	order    []string          // names of the tools, for the provider data of the answer; nil if that of an earlier answer has the same names
	schema   *schema.Lowered   // schema of the answer; nil for any text
}

type outputConfig struct {
	Effort string  `json:"effort,omitempty"`
	Format *format `json:"format,omitempty"`
}

type format struct {
	Type   string          `json:"type"`
	Schema json.RawMessage `json:"schema"`
}

type toolChoice struct {
	Type    string `json:"type"`
	Name    string `json:"name,omitempty"`
	OneCall bool   `json:"disable_parallel_tool_use,omitempty"`
}

// newRequest converts a request. It returns an error if the API does not support a part of it.
func (m *model) newRequest(req llm.Request) (*request, error) {
	if m.configErr != nil {
		return nil, m.configErr
	}
	if req.Seed != nil {
		return nil, errors.New("the API does not support seeds: leave out Seed")
	}
	r := &request{model: m, maxTokens: m.maxTokens, stop: req.Stop, extra: req.Extra}
	if req.MaxTokens > 0 {
		r.maxTokens = req.MaxTokens
	}
	dialogue := req.Dialogue()
	for _, set := range []func(llm.Request) error{r.setThinking, r.setSampling, r.setSchema, r.setTools, r.setToolChoice} {
		if err := set(req); err != nil {
			return nil, err
		}
	}
	for len(dialogue) > 0 && dialogue[0].Role == llm.RoleSystem {
		if !isBlank(dialogue[0].Text) {
			r.system = append(r.system, block{Type: "text", Text: &dialogue[0].Text})
		}
		dialogue = dialogue[1:]
	}
	if err := r.setMessages(dialogue); err != nil {
		return nil, err
	}
	if !m.noCache {
		r.markCache()
	}
	return r, nil
}

// setSchema requests an answer that follows a schema, if the model and the strict mode of the API
// support the schema. Otherwise only the caller checks the answer.
func (r *request) setSchema(req llm.Request) error {
	if req.Schema == nil || !r.model.traits.answerSchema {
		return nil
	}
	lowered, err := endpoint.LowerAnswer(endpoint.Lowering(schema.AnthropicStrict, ""), req.Schema)
	if err != nil || isRefused(lowered.Losses) {
		return err
	}
	r.schema = lowered
	r.output.Format = &format{Type: "json_schema", Schema: lowered.Input}
	return nil
}

// setToolChoice sets which tools the model may or must call.
func (r *request) setToolChoice(req llm.Request) error {
	name, err := r.tools.Choose(req.ToolChoice)
	choice := &toolChoice{Type: "auto", OneCall: req.OneCall}
	switch {
	case err != nil:
		return err
	case len(r.allTools) == 0, req.ToolChoice == "" && !req.OneCall:
		return nil
	case name != "":
		choice.Type, choice.Name = "tool", name
	case req.ToolChoice == llm.NoTool:
		choice = &toolChoice{Type: "none"}
	case req.ToolChoice == llm.AnyTool:
		choice.Type = "any"
	}
	r.toolChoice = choice
	return nil
}

// cacheMark is the value of cache_control.
type cacheMark struct {
	Type string `json:"type"`
}

var ephemeral = &cacheMark{"ephemeral"}

// lookBack is how many blocks the API searches, backward from a cache mark, for the end of a prompt
// that it cached earlier.
const lookBack = 20

// markCache marks the ends of the tools, the system prompt and the last message of the user for the
// cache. If the last turn has more than lookBack blocks, it also marks the previous message of the user.
// The API accepts at most 4 marks.
func (r *request) markCache() {
	if n := len(r.allTools); len(r.tools.All) > 0 {
		last := r.allTools[n-1]
		r.allTools[n-1] = slices.Concat(last[:len(last)-1], []byte(`,"cache_control":{"type":"ephemeral"}}`))
	}
	if n := len(r.system); n > 0 {
		r.system[n-1].Cache = ephemeral
	}
	blocks, marked := 0, false
	for _, m := range slices.Backward(r.messages) {
		if m.Role == llm.RoleUser && (!marked || blocks > lookBack) {
			m.Content[len(m.Content)-1].Cache = ephemeral
		}
		if m.Role == llm.RoleUser && marked {
			return
		}
		marked = marked || m.Role == llm.RoleUser
		blocks += len(m.Content)
	}
}

// encode returns the body of the request. If the API has paused the answer, content contains the blocks
// so far. Members that do not change during a dialogue come first.
func (r *request) encode(content []block) ([]byte, error) {
	messages := r.messages
	if len(content) > 0 {
		messages = slices.Concat(messages, []message{{Role: llm.RoleAssistant, Content: content}})
	}
	var body endpoint.Object
	body.Add("model", r.model.name)
	body.Add("max_tokens", r.maxTokens)
	body.AddIf(r.streamed, "stream", true)
	body.AddIf(r.thinking != nil, "thinking", r.thinking)
	body.AddIf(r.output != outputConfig{}, "output_config", r.output)
	body.AddIf(r.temperature != nil, "temperature", r.temperature)
	body.AddIf(r.topP != nil, "top_p", r.topP)
	body.AddIf(len(r.stop) > 0, "stop_sequences", r.stop)
	body.AddIf(r.toolChoice != nil, "tool_choice", r.toolChoice)
	body.AddIf(len(r.allTools) > 0, "tools", r.allTools)
	body.AddIf(len(r.system) > 0, "system", r.system)
	body.Add("messages", messages)
	if err := body.AddExtra(r.extra); err != nil {
		return nil, err
	}
	return body.MarshalJSON()
}

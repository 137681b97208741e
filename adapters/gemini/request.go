package gemini

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"

	"google.golang.org/genai"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
	"github.com/aiongen/aiongen/runtime/schema"
)

// request is a request to the endpoint, with the data needed to read its answer.
type request struct {
	ctx     context.Context // with the timeout of the client
	body    endpoint.Object
	tools   *endpoint.Tools
	schema  *schema.Lowered // schema of the answer; nil for any text
	oneCall bool
	origin  origin
	rules   rules
	callIDs map[string]bool // IDs of all calls in the dialogue
	answer  endpoint.Answer
}

// origin identifies the model that sent the provider data of a message.
type origin struct {
	Endpoint string `json:"endpoint"`
	Model    string `json:"model"`
}

// newRequest encodes a request. Members that do not change during a dialogue come first, so that the requests of a
// dialogue have a common prefix.
func (m *model) newRequest(req llm.Request) (*request, error) {
	if m.configErr != nil {
		return nil, m.configErr
	}
	r := &request{oneCall: req.OneCall, origin: origin{m.endpoint(), m.name}, rules: m.rules, callIDs: map[string]bool{}}
	for _, set := range []func(llm.Request) error{r.setTools, r.setGeneration, r.setContents} {
		if err := set(req); err != nil {
			return nil, err
		}
	}
	return r, r.body.AddExtra(m.extra.With(req.Extra))
}

// namePattern matches the names of functions that the endpoint accepts.
var namePattern = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$`)

// setTools sets the tools, and which of them the model may or must call.
func (r *request) setTools(req llm.Request) (err error) {
	if r.tools, err = endpoint.LowerTools(endpoint.Lowering(schema.Gemini, ""), req.Tools...); err != nil {
		return err
	}
	r.tools.IsName = namePattern.MatchString
	name, err := r.tools.Choose(req.ToolChoice)
	if err != nil || len(r.tools.All) == 0 {
		return err
	}
	var declarations []any
	for _, l := range r.tools.All {
		declarations = append(declarations, l.JSON(schema.FunctionDeclaration))
	}
	r.body.Add("tools", []any{map[string]any{"functionDeclarations": declarations}})
	calling := &endpoint.Object{}
	switch {
	case req.ToolChoice == "":
		return nil
	case req.ToolChoice == llm.NoTool:
		calling.Add("mode", genai.FunctionCallingConfigModeNone)
	default:
		calling.Add("mode", genai.FunctionCallingConfigModeAny)
		calling.AddIf(name != "", "allowedFunctionNames", []string{name})
	}
	config := &endpoint.Object{}
	config.Add("functionCallingConfig", calling)
	r.body.Add("toolConfig", config)
	return nil
}

// maxIDLength is the maximum length of the ID of a call that another model made, in bytes. Longer IDs are replaced.
const maxIDLength = 64

// maxStops is the maximum number of stop texts that Gemini accepts.
const maxStops = 5

// checkLimits returns an error if a parameter exceeds a limit of Gemini.
func checkLimits(req llm.Request) error {
	switch {
	case req.MaxTokens > math.MaxInt32:
		return fmt.Errorf("the token limit %d is too large for Gemini", req.MaxTokens)
	case req.Seed != nil && (*req.Seed > math.MaxInt32 || *req.Seed < math.MinInt32):
		return fmt.Errorf("the seed %d does not fit into 32 bits, the limit of Gemini", *req.Seed)
	case len(req.Stop) > maxStops:
		return fmt.Errorf("the request has %d stop texts, Gemini allows at most %d", len(req.Stop), maxStops)
	}
	return nil
}

// setGeneration sets generationConfig: the parameters and the schema of the answer.
func (r *request) setGeneration(req llm.Request) error {
	if err := checkLimits(req); err != nil {
		return err
	}
	thinking, err := r.rules.thinkingConfig(req.Effort)
	if err != nil {
		return err
	}
	config := &endpoint.Object{}
	config.AddIf(req.MaxTokens > 0, "maxOutputTokens", req.MaxTokens)
	config.AddIf(req.Seed != nil, "seed", req.Seed)
	config.AddIf(len(req.Stop) > 0, "stopSequences", req.Stop)
	config.AddIf(req.Temperature != nil, "temperature", req.Temperature)
	config.AddIf(thinking != nil, "thinkingConfig", thinking)
	config.AddIf(req.TopP != nil, "topP", req.TopP)
	if req.Schema != nil {
		if err := r.setSchema(req, config); err != nil {
			return err
		}
	}
	r.body.AddIf(!config.IsEmpty(), "generationConfig", config)
	return nil
}

// setSchema requests an answer that follows a schema.
func (r *request) setSchema(req llm.Request, config *endpoint.Object) (err error) {
	if len(req.Tools) > 0 && !r.rules.toolSchema {
		return errors.New("this model cannot combine an answer schema with tools: leave out one of them, or use Gemini 3")
	}
	if r.schema, err = endpoint.LowerAnswer(endpoint.Lowering(schema.Gemini, ""), req.Schema); err != nil {
		return err
	}
	config.Add("responseMimeType", "application/json")
	parameters := endpoint.ParseMembers(r.schema.JSON(schema.FunctionDeclaration))["parameters"]
	config.AddIf(parameters != nil, "responseSchema", parameters)
	return nil
}

package llm

import (
	"context"
	"errors"
	"math"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// WithTextCalls adds tool calls to a model that does not support them. It describes the tools in
// the system prompt, reads the calls at the end of the model's text, and sends results of calls
// to the model as text. It ignores calls that a text only mentions, such as an example in a
// sentence; see [repair.Requests]. If a call cannot be read, it asks the model once more, and
// returns no calls if that fails, too. Answers are not streamed.
func WithTextCalls(model Model) Model { return textModel{model} }

type textModel struct{ model Model }

// Name returns the name of the wrapped model; see [Name].
func (m textModel) Name() string { return Name(m.model) }

// Generate implements [Model].
func (m textModel) Generate(ctx context.Context, req Request) (Response, error) {
	tools := offeredTools(req)
	inner := req
	inner.Tools, inner.ToolChoice, inner.OneCall, inner.Messages = nil, "", false, callsAsText(req.Messages)
	if len(tools) > 0 {
		inner.System = strings.TrimSpace(req.System + "\n\n" + toolManual(req, tools))
	}
	response, err := m.model.Generate(ctx, inner)
	if err != nil || len(tools) == 0 {
		return response, err
	}
	result, callErr := readTextCalls(response, tools)
	if callErr == nil {
		return result, nil
	}
	inner.Messages = append(Request{Messages: inner.Messages, Prompt: inner.Prompt}.Dialogue(), response.Message(),
		Message{Role: RoleUser, Text: "Your call cannot be read: " + jsontext.Quote(callErr.Error()) + "\nWrite it again, or answer without one."})
	inner.Prompt = ""
	retried, err := m.model.Generate(ctx, inner)
	if err != nil {
		return Response{}, err
	}
	retried.Usage = retried.Usage.Add(response.Usage)
	result, _ = readTextCalls(retried, tools)
	return result, nil
}

// offeredTools returns the tools that the model may call.
func offeredTools(req Request) []tool.Definition {
	switch req.ToolChoice {
	case "", AnyTool:
		return req.Tools
	}
	for _, d := range req.Tools {
		if d.Name == string(req.ToolChoice) {
			return []tool.Definition{d}
		}
	}
	return nil
}

// toolManual returns the part of the system prompt that describes the tools and how to call them.
func toolManual(req Request, tools []tool.Definition) string {
	instruction, limit := "Call a tool if you need it", ""
	if req.ToolChoice != "" {
		instruction = "Call a tool now"
	}
	if req.OneCall {
		limit = ", and one at most"
	}
	return "You have these tools:\n\n" + schema.Describe(tools) + "\n" + instruction + limit +
		`. To do so, write JSON on a line of its own for each call, as in {"name":"…","arguments":{…}}, with nothing after the last one, and wait: you will receive the result.` +
		"\nname: The name of a tool, exactly as it is listed. Never make up a name." +
		"\narguments: The arguments as a JSON object: only names that the tool lists, values of the listed types, and all that are required."
}

// readTextCalls moves the calls at the end of a response's text to its Calls. If a call cannot be
// read, it returns the response unchanged and an error.
func readTextCalls(r Response, tools []tool.Definition) (Response, error) {
	calls, err := repair.Requests(r.Text, tools...)
	switch {
	case err == nil:
		r.Calls, r.Text, r.CallText = calls, "", r.Text
		switch r.Finish {
		case FinishStop, "":
			r.Finish = FinishCalls
		case FinishLength, FinishRefused: // the text was cut off, even if the last call looks complete
			calls[len(calls)-1].Truncated = true
		}
	case !errors.Is(err, repair.ErrNoCall):
		return r, err
	}
	return r, nil
}

// callsAsText returns messages with calls and results converted to text.
func callsAsText(messages []Message) (all []Message) {
	for i, m := range messages {
		switch {
		case m.Role == RoleTool && m.Result != nil:
			text := "Result of the call of " + m.Result.Request.Name + ": " + m.Result.Quote(math.MaxInt)
			if i > 0 && messages[i-1].Role == RoleTool {
				all[len(all)-1].Text += "\n" + text
				continue
			}
			m = Message{Role: RoleUser, Text: text}
		case len(m.Calls) > 0:
			for _, c := range m.Calls {
				m.Text += "\n" + `{"name":` + jsontext.Quote(c.Name) + `,"arguments":` + jsontext.CompactLine(compactArguments(c), math.MaxInt) + "}"
			}
			m.Text, m.Calls, m.Provider = strings.TrimPrefix(m.Text, "\n"), nil, nil
		}
		all = append(all, m)
	}
	return all
}

// compactArguments returns the arguments of a call, or {} if there are none.
func compactArguments(r tool.Request) []byte {
	if len(r.Arguments) == 0 {
		return []byte("{}")
	}
	return r.Arguments
}

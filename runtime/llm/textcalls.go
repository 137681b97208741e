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
// the system prompt, reads the calls at the end of the model's text, and passes their outcomes to
// the model as text. It does not make calls that a text only mentions; see [repair.Requests]. If
// a call cannot be read, it makes none and asks the model once more. Answers are not streamed.
func WithTextCalls(model Model) Model { return textModel{model} }

type textModel struct{ model Model }

// Name returns the name of the wrapped model; see [Name].
func (m textModel) Name() string { return Name(m.model) }

// Generate implements [Model].
func (m textModel) Generate(ctx context.Context, req Request) (Response, error) {
	tools := offeredTools(req)
	asked := req
	asked.Tools, asked.ToolChoice, asked.OneCall, asked.Messages = nil, "", false, callsAsText(req.Messages)
	if len(tools) > 0 {
		asked.System = strings.TrimSpace(req.System + "\n\n" + toolManual(req, tools))
	}
	response, err := m.model.Generate(ctx, asked)
	if err != nil || len(tools) == 0 {
		return response, err
	}
	called, unread := readTextCalls(response, tools)
	if unread == nil {
		return called, nil
	}
	asked.Messages = append(Request{Messages: asked.Messages, Prompt: asked.Prompt}.Dialogue(), response.Message(),
		Message{Role: RoleUser, Text: "Your call cannot be read: " + jsontext.Quote(unread.Error()) + "\nWrite it again, or answer without one."})
	asked.Prompt = ""
	again, err := m.model.Generate(ctx, asked)
	if err != nil {
		return Response{}, err
	}
	again.Usage = again.Usage.Add(response.Usage)
	called, _ = readTextCalls(again, tools)
	return called, nil
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

// toolManual returns the description of the tools and how to call them.
func toolManual(req Request, tools []tool.Definition) string {
	may, most := "Call a tool if you need it", ""
	if req.ToolChoice != "" {
		may = "Call a tool now"
	}
	if req.OneCall {
		most = ", and one at most"
	}
	return "You have these tools:\n\n" + schema.Describe(tools) + "\n" + may + most +
		`. To do so, write JSON on a line of its own for each call, as in {"name":"…","arguments":{…}}, with nothing after the last one, and wait: you will receive the result.` +
		"\nname: The name of a tool, exactly as it is listed. Never make up a name." +
		"\narguments: The arguments as a JSON object: only names that the tool lists, values of the listed types, and all that are required."
}

// readTextCalls returns a response with the calls at the end of its text. If a call cannot be
// read, it returns an error and no calls.
func readTextCalls(r Response, tools []tool.Definition) (Response, error) {
	calls, err := repair.Requests(r.Text, tools...)
	switch {
	case err == nil:
		r.Calls, r.Text, r.CallText = calls, "", r.Text
		switch r.Finish {
		case FinishStop, "":
			r.Finish = FinishCalls
		case FinishLength, FinishRefused: // a cut-off text without marks looks complete
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

// compactArguments returns the arguments of a call, or {}.
func compactArguments(r tool.Request) []byte {
	if len(r.Arguments) == 0 {
		return []byte("{}")
	}
	return r.Arguments
}

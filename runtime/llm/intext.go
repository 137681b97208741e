package llm

import (
	"context"
	"errors"
	"math"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/quote"
	"github.com/aiongen/aiongen/runtime/prompt"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// InText adds tool calls to a model that has none. It describes the tools in the system
// prompt, reads the calls at the end of what the model writes, and reports their outcomes to
// the model as text. Calls that a text only mentions are not made; see [repair.Requests]. If
// one call cannot be read, none is made, and the model is asked once more and told why. The
// answers come in one piece.
func InText(model Model) Model { return inText{model} }

type inText struct{ model Model }

// Name is that of the model that answers; see [Name].
func (m inText) Name() string { return Name(m.model) }

// Generate is [Model]'s.
func (m inText) Generate(ctx context.Context, req Request) (Response, error) {
	tools := offered(req)
	asked := req
	asked.Tools, asked.ToolChoice, asked.OneCall, asked.Messages = nil, "", false, inWords(req.Messages)
	if len(tools) > 0 {
		asked.System = strings.TrimSpace(req.System + "\n\n" + manual(req, tools))
	}
	response, err := m.model.Generate(ctx, asked)
	if err != nil || len(tools) == 0 {
		return response, err
	}
	called, unread := spoken(response, tools)
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
	called, _ = spoken(again, tools)
	return called, nil
}

// offered returns the tools that a model may call.
func offered(req Request) []tool.Definition {
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

// manual tells of tools, and how they are called.
func manual(req Request, tools []tool.Definition) string {
	may, most := "Call a tool if you need it", ""
	if req.ToolChoice != "" {
		may = "Call a tool now"
	}
	if req.OneCall {
		most = ", and one at most"
	}
	return "You have these tools:\n\n" + prompt.Text(tools) + "\n" + may + most +
		`. To do so, write JSON on a line of its own for each call, as in {"name":"…","arguments":{…}}, with nothing after the last one, and wait: you will be told what came of it.` +
		"\nname: The name of a tool, exactly as it is listed. Never make up a name." +
		"\narguments: The arguments as a JSON object: only names that the tool lists, values of the listed types, and all that are required."
}

// spoken returns a response with the calls at the end of its text. It returns an error if
// one of them cannot be read: then none is made.
func spoken(r Response, tools []tool.Definition) (Response, error) {
	calls, err := repair.Requests(r.Text, tools...)
	switch {
	case err == nil:
		r.Calls, r.Text, r.CallText = calls, "", r.Text
		switch r.Finish {
		case FinishStop, "":
			r.Finish = FinishCalls
		case FinishLength, FinishRefused: // text without marks does not show that it was cut off
			calls[len(calls)-1].Truncated = true
		}
	case !errors.Is(err, repair.ErrNoCall):
		return r, err
	}
	return r, nil
}

// inWords returns messages without calls and results: they are in their texts.
func inWords(messages []Message) (all []Message) {
	for i, m := range messages {
		switch {
		case m.Role == RoleTool && m.Result != nil:
			text := "What came of the call of " + m.Result.Request.Name + ": " + quote.Call(m.Result, math.MaxInt)
			if i > 0 && messages[i-1].Role == RoleTool {
				all[len(all)-1].Text += "\n" + text
				continue
			}
			m = Message{Role: RoleUser, Text: text}
		case len(m.Calls) > 0:
			for _, c := range m.Calls {
				m.Text += "\n" + `{"name":` + jsontext.Quote(c.Name) + `,"arguments":` + quote.Value(arguments(c), math.MaxInt) + "}"
			}
			m.Text, m.Calls, m.Provider = strings.TrimPrefix(m.Text, "\n"), nil, nil
		}
		all = append(all, m)
	}
	return all
}

// arguments returns those of a call, {} for none.
func arguments(r tool.Request) []byte {
	if len(r.Arguments) == 0 {
		return []byte("{}")
	}
	return r.Arguments
}

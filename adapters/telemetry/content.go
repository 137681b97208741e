package telemetry

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// message is a message in the JSON format that the conventions define for gen_ai.input.messages and
// gen_ai.output.messages.
type message struct {
	Role  string `json:"role"`
	Parts []part `json:"parts"`
}

// part is a part of a message. Its members depend on its type.
type part struct {
	Type        string          `json:"type"`
	Content     string          `json:"content,omitempty"` // the text of a text or reasoning part
	ID          string          `json:"id,omitempty"`      // ID of a call
	Name        string          `json:"name,omitempty"`    // name of a tool
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"` // input schema of a tool
	Arguments   json.RawMessage `json:"arguments,omitempty"`
	Response    json.RawMessage `json:"response,omitempty"`
	Media       string          `json:"mime_type,omitempty"`
}

// contentWriter writes content into attributes of a span.
type contentWriter struct {
	span trace.Span
	cut  bool // some content was cut because it was too long
}

// recordRequest records the messages and the tools of a request.
func (r *Recorder) recordRequest(span trace.Span, e run.Event, request llm.Request) {
	w := contentWriter{span: span}
	e = eventFor(e, request.Tools)
	show := func(m llm.Message) llm.Message {
		shown, _ := r.redactor.Event(eventOf(e, run.MessageRead{Message: m})).What.(run.MessageRead)
		return shown.Message
	}
	if request.System != "" {
		system := show(llm.Message{Role: llm.RoleSystem, Text: request.System})
		w.setJSON(keySystem, []part{{Type: "text", Content: w.cutText(system.Text)}})
		request.System = "" // the conventions do not count it among the messages
	}
	var messages []message
	for _, m := range request.Dialogue() {
		messages = append(messages, w.newMessage(show(m)))
	}
	w.setMessages(keyInput, messages)
	if len(request.Tools) > 0 {
		definitions := make([]part, 0, min(len(request.Tools), maxListed))
		for _, d := range limitList(&w, request.Tools) {
			definitions = append(definitions, part{Type: toolFunction, Name: cutName(d.Name), Description: w.cutText(d.Description), Parameters: w.cutJSON(d.Input)})
		}
		w.setJSON(keyToolDefinitions, definitions)
	}
	w.noteCut()
}

// recordAnswer records the answer of a model.
func (r *Recorder) recordAnswer(span trace.Span, e run.Event, response llm.Response) {
	w := contentWriter{span: span}
	start, _ := e.What.(run.ModelStart)
	shown, _ := r.redactor.Event(eventOf(e, run.ModelEnd{ModelStart: start, Answer: run.Answer{Response: response}})).What.(run.ModelEnd)
	w.setMessages(keyOutput, []message{w.newMessage(shown.Answer.Response.Message())})
	w.noteCut()
}

// recordCall records the arguments and the result of a call, and returns the text of its error, or code
// if there is no text. It recovers from panics of the error's methods, because the call itself has
// already ended.
func (r *Recorder) recordCall(ctx context.Context, span trace.Span, c *tool.Call, output json.RawMessage, err error, code string) (text string) {
	defer func() {
		if recover() != nil {
			text = code
		}
	}()
	w := contentWriter{span: span}
	shown := r.redactor.Call(ctx, &tool.Call{ID: c.ID, Request: c.Request, Arguments: c.Arguments, Output: output, Err: err}, c.Definition())
	if c.Definition().Name == "" { // there is no such tool, so the name comes from the model
		span.SetAttributes(keyToolName.String(cutName(shown.Request.Name)))
	}
	w.setText(keyToolArguments, string(shown.Arguments))
	switch {
	case err == nil:
		w.setText(keyToolResult, string(shown.Output))
	case shown.Err != nil:
		code = shown.Err.Error()
	}
	w.noteCut()
	return code
}

// errorText returns the redacted text of an error of a model or an MCP request.
func (r *Recorder) errorText(e run.Event, err error) string {
	shown, _ := r.redactor.Event(eventOf(e, run.ModelEnd{Answer: run.Answer{Error: run.NewError(err)}})).What.(run.ModelEnd)
	if shown.Answer.Error == nil {
		return ""
	}
	return shown.Answer.Error.Text
}

// eventOf returns a copy of e whose field What has another value.
func eventOf(e run.Event, what any) run.Event {
	e.What = what
	return e
}

// eventFor returns e, with the given tools if it has none. The redactor needs the tools to find the
// values to hide.
func eventFor(e run.Event, tools []tool.Definition) run.Event {
	if e.Tools == nil {
		e.Tools = tools
	}
	return e
}

// newMessage converts a message.
func (w *contentWriter) newMessage(m llm.Message) message {
	out := message{Role: string(m.Role), Parts: []part{}}
	if m.Reasoning != "" {
		out.Parts = append(out.Parts, part{Type: "reasoning", Content: w.cutText(m.Reasoning)})
	}
	if m.Result != nil {
		out.Parts = append(out.Parts, part{Type: "tool_call_response", ID: cutText(m.Result.ID, maxTextBytes), Response: w.cutJSON(json.RawMessage(m.Content()))})
	} else if m.Text != "" {
		out.Parts = append(out.Parts, part{Type: "text", Content: w.cutText(m.Text)})
	}
	for _, p := range limitList(w, m.Parts) {
		if p.Media == "" && p.Kind() == content.KindText {
			out.Parts = append(out.Parts, part{Type: "text", Content: w.cutText(p.Text)})
		} else { // includes a redacted image, whose kind is text because its data was removed
			out.Parts = append(out.Parts, part{Type: cmp.Or(cutName(p.Medium()), string(p.Kind())), Media: cutName(p.Media)})
		}
	}
	for _, c := range limitList(w, m.Calls) {
		out.Parts = append(out.Parts, part{Type: "tool_call", ID: cutText(c.ID, maxTextBytes), Name: cutName(c.Name), Arguments: w.cutJSON(c.Arguments)})
	}
	return out
}

// limitList returns at most maxListed elements.
func limitList[T any](w *contentWriter, all []T) []T {
	w.cut = w.cut || len(all) > maxListed
	return all[:min(len(all), maxListed)]
}

// cutText returns at most maxPartBytes of a text.
func (w *contentWriter) cutText(text string) string {
	w.cut = w.cut || len(text) > maxPartBytes
	return cutText(text, maxPartBytes)
}

// cutJSON returns a JSON value. If the value is too long or invalid, it returns the beginning of its text
// as a JSON string.
func (w *contentWriter) cutJSON(value json.RawMessage) json.RawMessage {
	if len(value) == 0 {
		return nil
	}
	if len(value) <= maxPartBytes && json.Valid(value) {
		return json.RawMessage(cutText(string(value), maxPartBytes))
	}
	text, _ := json.Marshal(w.cutText(string(value)))
	return text
}

// setMessages sets an attribute to the messages. If they are too long, it omits the first ones.
func (w *contentWriter) setMessages(key attribute.Key, all []message) {
	var texts []json.RawMessage
	size := 2 // the brackets
	for _, m := range slices.Backward(all) {
		text, err := json.Marshal(m)
		if size += len(text) + 1; err != nil || size > maxContent {
			w.cut = true
			break
		}
		texts = append(texts, text)
	}
	slices.Reverse(texts)
	w.setJSON(key, texts)
}

// setJSON sets an attribute to a value as JSON, unless it is too long.
func (w *contentWriter) setJSON(key attribute.Key, value any) {
	text, err := json.Marshal(value)
	if err != nil || len(text) > maxContent {
		w.cut = true
		return
	}
	w.span.SetAttributes(key.String(string(text)))
}

// setText sets an attribute to a text.
func (w *contentWriter) setText(key attribute.Key, text string) {
	w.cut = w.cut || len(text) > maxContent
	w.span.SetAttributes(key.String(cutText(text, maxContent)))
}

// noteCut sets an attribute of the span if some content was cut.
func (w *contentWriter) noteCut() {
	if w.cut {
		w.span.SetAttributes(keyCut.Bool(true))
	}
}

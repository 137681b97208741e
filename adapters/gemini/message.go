package gemini

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"google.golang.org/genai"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
	"github.com/aiongen/aiongen/runtime/tool"
)

// placeholderSignature is the signature that Google documents for calls that another model made.
const placeholderSignature = "skip_thought_signature_validator"

// message is a message of the protocol, which calls it a content.
type message struct {
	Parts []any  `json:"parts"`
	Role  string `json:"role,omitempty"`
}

const (
	roleUser  = "user"
	roleModel = "model"
)

// dialogue collects the contents of a request.
type dialogue struct {
	request   *request
	system    []any
	contents  []message
	openCalls []openCall // calls of the last message of the model
}

// openCall is a call whose result must be in the next content.
type openCall struct {
	call     tool.Request
	sentID   string       // ID in the request; may be empty
	sentName string       // name in the request
	result   *llm.Message // nil if no result has been added yet
}

// setContents sets the system instruction and the contents. Gemini may reject contents whose roles do
// not alternate, so successive messages with the same role become one content, and empty messages are
// omitted.
func (r *request) setContents(req llm.Request) error {
	d := dialogue{request: r}
	for i, m := range llm.UniqueCallIDs(req.Dialogue(), func(id string) bool { return len(id) <= maxIDLength }) {
		for _, c := range m.Calls {
			r.callIDs[c.ID] = true
		}
		if err := d.addMessage(m); err != nil {
			return fmt.Errorf("message %d: %w", i+1, err)
		}
	}
	d.closeCalls()
	switch {
	case len(d.contents) == 0:
		return errors.New("the request has no message: Gemini requires one")
	case d.contents[0].Role != roleUser:
		return errors.New("the dialogue begins with a message of the model: Gemini requires one of the user before it")
	}
	r.body.AddIf(d.system != nil, "systemInstruction", message{Parts: d.system})
	r.body.Add("contents", d.contents)
	return nil
}

// addMessage adds a message. A system message at the beginning of the dialogue becomes part of the system
// instruction, and a later one becomes a message of the user.
func (d *dialogue) addMessage(m llm.Message) error {
	if m.Role == llm.RoleTool {
		return d.addResult(m)
	}
	d.closeCalls()
	encoded, err := parts.Message(m)
	switch {
	case err != nil:
		return err
	case m.Role == llm.RoleAssistant:
		encoded, d.openCalls = d.request.modelParts(m)
		d.add(roleModel, encoded)
	case m.Role == llm.RoleSystem && len(d.contents) == 0:
		d.system = append(d.system, encoded...)
	case m.Role == llm.RoleSystem, m.Role == llm.RoleUser:
		d.add(roleUser, encoded)
	default:
		return fmt.Errorf("unknown role %q", m.Role)
	}
	return nil
}

// add adds parts to the last content if it has the same role, and otherwise as a new content.
func (d *dialogue) add(role string, parts []any) {
	switch last := len(d.contents) - 1; {
	case len(parts) == 0:
	case last >= 0 && d.contents[last].Role == role:
		d.contents[last].Parts = append(d.contents[last].Parts, parts...)
	default:
		d.contents = append(d.contents, message{parts, role})
	}
}

// addResult assigns a result to its call in the last message of the model.
func (d *dialogue) addResult(m llm.Message) error {
	if m.Result == nil {
		return errors.New("it has the role of a tool but no result")
	}
	for i := range d.openCalls {
		if c := &d.openCalls[i]; c.result == nil && c.call.ID == m.Result.ID {
			c.result = &m
			return nil
		}
	}
	return fmt.Errorf("the result %q answers no call of the message before it", m.Result.ID)
}

// closeCalls adds the results of all open calls, in the order of the calls. Gemini rejects a dialogue in
// which a call has no result.
func (d *dialogue) closeCalls() {
	var responses []any
	for _, c := range d.openCalls {
		responses = append(responses, map[string]any{"functionResponse": d.request.newResponse(c)})
	}
	d.openCalls = nil
	d.add(roleUser, responses)
}

// functionResponse is the result of a call.
type functionResponse struct {
	ID       string `json:"id,omitempty"`
	Name     string `json:"name"`
	Parts    []any  `json:"parts,omitempty"`
	Response struct {
		Error  string          `json:"error,omitempty"`
		Note   string          `json:"note,omitempty"`
		Output json.RawMessage `json:"output,omitempty"`
	} `json:"response"`
}

// newResponse returns the result of a call: the output, the note and attached media, or the error. If the
// model does not accept media in results, the note describes them.
func (r *request) newResponse(c openCall) functionResponse {
	response := functionResponse{ID: c.sentID, Name: c.sentName}
	if c.result == nil {
		response.Response.Error = "there is no result of this call"
		return response
	}
	text := c.result.Content()
	if r.rules.mediaParts {
		text, response.Parts = resultParts.Result(*c.result)
	}
	if c.result.Result.Err != nil {
		response.Response.Error = text
		return response
	}
	output := c.result.Result.Output
	if len(output) == 0 {
		output = json.RawMessage("null")
	}
	response.Response.Note = strings.TrimPrefix(strings.TrimPrefix(text, string(output)), "\n")
	response.Response.Output = encodeOutput(output)
	return response
}

// maxDepth is the maximum nesting of a value in a request. The endpoint decodes values into protocol
// buffers with at most 100 nested messages, and uses three messages for each level.
const maxDepth = 30

// encodeOutput encodes an output. The endpoint decodes numbers as floats. If that would change the output,
// or the output is nested too deeply, it becomes a string that contains JSON text.
func encodeOutput(output json.RawMessage) json.RawMessage {
	var v any
	if json.Unmarshal(output, &v) == nil {
		if stored := endpoint.Encode(v); jsontext.EqualTexts(output, stored, maxDepth) {
			return stored
		}
	}
	return endpoint.Encode(string(output))
}

var (
	parts       = endpoint.PartEncoder[any]{Text: func(text string) any { return textPart{Text: text} }, Media: encodeMedia}
	resultParts = endpoint.PartEncoder[any]{Text: parts.Text, Media: encodeData}
)

// encodeMedia converts a part with data or a URL.
func encodeMedia(p content.Part) (any, error) {
	if p.Kind() != content.KindLink {
		return encodeData(p)
	}
	media, _, _ := strings.Cut(p.Media, ";")
	if strings.HasSuffix(media, "/*") {
		return nil, fmt.Errorf("Gemini requires the exact media type of %s, not %s", p.URL, p.Media)
	}
	return genai.Part{FileData: &genai.FileData{FileURI: p.URL, MIMEType: media}}, nil
}

// encodeData converts a part with data.
func encodeData(p content.Part) (any, error) {
	if len(p.Data) == 0 {
		return nil, errors.New("it has no data: Gemini rejects empty media")
	}
	media, _, _ := strings.Cut(p.Media, ";")
	if strings.HasSuffix(media, "/*") {
		media, _, _ = strings.Cut(http.DetectContentType(p.Data), ";")
	}
	return genai.Part{InlineData: &genai.Blob{Data: p.Data, MIMEType: media}}, nil
}

// modelParts returns the parts of a message of a model: the original parts if this model sent them and
// the message has not changed, and otherwise parts for its text and calls. It also returns the calls,
// which need results.
func (r *request) modelParts(m llm.Message) (parts []any, open []openCall) {
	if parts, open, ok := r.providedParts(m); ok {
		return parts, open
	}
	if m.Text != "" {
		parts = append(parts, textPart{Text: m.Text})
	}
	for i, c := range m.Calls {
		name, arguments := r.tools.WireCall(c)
		part := callPart{FunctionCall: functionCall{ID: c.ID, Name: name, Args: arguments}}
		if i == 0 && r.rules.signatures {
			part.ThoughtSignature = placeholderSignature // only the first call of a content needs one
		}
		parts = append(parts, part)
		open = append(open, openCall{call: c, sentID: c.ID, sentName: name})
	}
	return parts, open
}

type callPart struct {
	FunctionCall     functionCall `json:"functionCall"`
	ThoughtSignature string       `json:"thoughtSignature,omitempty"`
}

type functionCall struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

// providedParts returns the original parts of a message, with the current arguments of its calls. ok is
// false if the message came from another model, or if its text or the names or number of its calls have
// changed.
func (r *request) providedParts(m llm.Message) (parts []any, open []openCall, ok bool) {
	var p providerData
	if json.Unmarshal(m.Provider, &p) != nil || p.origin != r.origin || len(p.Parts) == 0 {
		return nil, nil, false
	}
	var sent strings.Builder
	signed := false
	for _, text := range p.Parts {
		raw := json.RawMessage(text)
		part := endpoint.ParseMembers(raw)
		call := part.Object("functionCall")
		switch {
		case part == nil:
			return nil, nil, false
		case call == nil:
			if !isThought(part) {
				sent.WriteString(part.Text("text"))
			}
			parts = append(parts, raw)
			continue
		case len(open) == len(m.Calls) || !r.isNameOf(call.Text("name"), m.Calls[len(open)]):
			return nil, nil, false
		}
		c := m.Calls[len(open)]
		signed = signed || part.Text("thoughtSignature") != ""
		parts = append(parts, r.correctPart(raw, part, c, len(open) == 0 && !signed && r.rules.signatures))
		open = append(open, openCall{call: c, sentID: call.Text("id"), sentName: call.Text("name")})
	}
	return parts, open, len(open) == len(m.Calls) && sent.String() == m.Text
}

// correctPart returns the part of the call c with the current arguments of the call and, if
// needsSignature is true, with the placeholder signature.
func (r *request) correctPart(raw json.RawMessage, part endpoint.Members, c tool.Request, needsSignature bool) json.RawMessage {
	call := part.Object("functionCall")
	_, arguments := r.tools.WireCall(c)
	isSame := jsontext.EqualTexts(arguments, argumentsOf(call), jsontext.Depth)
	if isSame && !needsSignature {
		return raw
	}
	if !isSame {
		call["args"] = arguments
		part["functionCall"] = endpoint.Encode(call)
	}
	if needsSignature {
		part["thoughtSignature"] = endpoint.Encode(placeholderSignature)
	}
	return endpoint.Encode(part)
}

// isNameOf reports whether the call c may have had this name in the answer. If the request does not
// offer the tool any more, its lowered name is unknown, so any valid name is accepted.
func (r *request) isNameOf(name string, c tool.Request) bool {
	wire, _ := r.tools.WireCall(c)
	return name == wire || r.tools.Find(c.Name) == nil && wire != c.Name && namePattern.MatchString(name)
}

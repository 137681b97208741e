package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

const (
	format  = "aiongen dialogue 1"
	maxSize = 16 << 20 // bytes of a recording
)

// entry is one value of a recording. It has one of the first three members, or the
// request and one of the last two.
type entry struct {
	Format   string           `json:"format,omitempty"`
	Tool     *tool.Definition `json:"tool,omitempty"`
	Schema   json.RawMessage  `json:"schema,omitempty"` // of answers; the first one is number 1
	Request  *request         `json:"request,omitempty"`
	Response *response        `json:"response,omitempty"`
	Error    *llm.Error       `json:"error,omitempty"`
}

// request is what of an llm.Request a model is told, with defaults filled in.
type request struct {
	System      lines           `json:"system,omitempty"`
	Messages    []message       `json:"messages,omitempty"`
	Prompt      lines           `json:"prompt,omitempty"`
	Tools       []string        `json:"tools,omitempty"`  // names; the definitions are entries of their own
	Schema      json.RawMessage `json:"schema,omitempty"` // or its number
	MaxTokens   int             `json:"max_tokens"`
	Temperature *float64        `json:"temperature,omitempty"` // absent if none is sent

	ToolChoice llm.ToolChoice             `json:"tool_choice,omitempty"`
	OneCall    bool                       `json:"one_call,omitempty"`
	Effort     string                     `json:"effort,omitempty"`
	TopP       *float64                   `json:"top_p,omitempty"`
	Seed       *int                       `json:"seed,omitempty"`
	Stop       []string                   `json:"stop,omitempty"`
	Extra      map[string]json.RawMessage `json:"extra,omitempty"`
}

type message struct {
	Role     llm.Role        `json:"role"`
	ResultOf string          `json:"result_of,omitempty"` // ID of the call
	Text     lines           `json:"text,omitempty"`
	Parts    []content.Part  `json:"parts,omitempty"`
	Calls    []call          `json:"calls,omitempty"`
	Provider json.RawMessage `json:"provider,omitempty"`
}

type call struct {
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Text      lines           `json:"arguments_text,omitempty"` // where they are no JSON
	Truncated bool            `json:"truncated,omitempty"`
}

type response struct {
	Text   lines      `json:"text,omitempty"`
	Calls  []call     `json:"calls,omitempty"`
	Usage  llm.Usage  `json:"usage,omitzero"`
	Model  string     `json:"model,omitempty"`
	Finish llm.Finish `json:"finish,omitempty"`

	CallText  lines           `json:"call_text,omitempty"`
	Reasoning lines           `json:"reasoning,omitempty"`
	Provider  json.RawMessage `json:"provider,omitempty"`
}

// lines is text that is written as an array of lines if there are several.
type lines string

func (l lines) MarshalJSON() ([]byte, error) {
	if !strings.Contains(string(l), "\n") {
		return jsontext.Marshal(string(l), "")
	}
	return jsontext.Marshal(strings.Split(string(l), "\n"), "")
}

func (l *lines) UnmarshalJSON(b []byte) error {
	var many []string
	if json.Unmarshal(b, &many) == nil {
		*l = lines(strings.Join(many, "\n"))
		return nil
	}
	var one string
	if err := json.Unmarshal(b, &one); err != nil {
		return errors.New("text is a string, or an array of lines")
	}
	*l = lines(one)
	return nil
}

// ask returns what is recorded of a request.
func ask(req llm.Request) request {
	req = req.WithDefaults()
	r := request{
		System: lines(req.System), Prompt: lines(req.Prompt), Schema: req.Schema, MaxTokens: req.MaxTokens, Temperature: req.Temperature,
		ToolChoice: req.ToolChoice, OneCall: req.OneCall, Effort: req.Effort, TopP: req.TopP, Seed: req.Seed, Stop: req.Stop, Extra: req.Extra,
	}
	for _, m := range req.Messages {
		recorded := message{Role: m.Role, Text: lines(m.Content()), Parts: m.Parts, Calls: recordCalls(m.Calls), Provider: m.Provider}
		if m.Result != nil {
			recorded.ResultOf = m.Result.ID
		}
		r.Messages = append(r.Messages, recorded)
	}
	for _, d := range req.Tools {
		r.Tools = append(r.Tools, d.Name)
	}
	return r
}

// answer returns what is recorded of what a model answered.
func answer(r llm.Response, err error) entry {
	if err == nil {
		return entry{Response: &response{
			Text: lines(r.Text), Calls: recordCalls(r.Calls), Usage: r.Usage, Model: r.Model, Finish: r.Finish,
			CallText: lines(r.CallText), Reasoning: lines(r.Reasoning), Provider: r.Provider,
		}}
	}
	var e *llm.Error
	if !errors.As(err, &e) {
		e = &llm.Error{Kind: llm.ServerError, Err: err}
	}
	return entry{Error: e}
}

func recordCalls(requests []tool.Request) (calls []call) {
	for _, r := range requests {
		c := call{ID: r.ID, Name: r.Name, Arguments: r.Arguments, Truncated: r.Truncated}
		if len(r.Arguments) > 0 && !json.Valid(r.Arguments) {
			c.Arguments, c.Text = nil, lines(r.Arguments)
		}
		calls = append(calls, c)
	}
	return calls
}

// text returns the request with the definitions of its tools, as it is compared
// and shown.
func (r request) text(tools []tool.Definition) (string, error) {
	b, err := jsontext.Marshal(struct {
		request
		Definitions []tool.Definition `json:"definitions,omitempty"`
	}{r, tools}, "  ")
	return string(b), err
}

// write writes an exchange, and before it what is new in it.
func (r *recorder) write(req llm.Request, answered entry) error {
	var all []entry
	if !r.begun {
		all = append(all, entry{Format: format})
	}
	tools := map[string]string{}
	for _, d := range req.Tools {
		text, err := jsontext.Marshal(d, "")
		if err != nil {
			return err
		}
		if r.tools[d.Name] != string(text) {
			tools[d.Name] = string(text)
			all = append(all, entry{Tool: &d})
		}
	}
	answered.Request = new(ask(req))
	schemas := r.schemas
	if len(req.Schema) > 0 {
		n := slices.Index(schemas, string(req.Schema))
		if n < 0 {
			n, schemas = len(schemas), append(schemas, string(req.Schema))
			all = append(all, entry{Schema: req.Schema})
		}
		answered.Request.Schema = strconv.AppendInt(nil, int64(n+1), 10)
	}
	all = append(all, answered)

	var b bytes.Buffer
	for _, e := range all {
		text, err := jsontext.Marshal(e, "  ")
		if err != nil {
			return err
		}
		b.Write(append(text, '\n'))
	}
	if _, err := r.w.Write(b.Bytes()); err != nil {
		return err
	}
	r.begun, r.schemas = true, schemas
	for name, text := range tools {
		r.tools[name] = text
	}
	return nil
}

// exchange is a request and what came of it.
type exchange struct {
	key      string // the request as text
	response llm.Response
	err      error
}

// read reads a recording. Errors tell the line where the entry begins.
func read(r io.Reader) ([]exchange, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxSize {
		return nil, fmt.Errorf("it has more than %d bytes", maxSize)
	}
	var d dialogue
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	for {
		before := text[:dec.InputOffset()]
		var e entry
		err := dec.Decode(&e)
		if err == io.EOF && d.tools != nil {
			return d.exchanges, nil
		}
		if err == nil {
			err = d.add(e)
		}
		if err != nil {
			space := len(text) - len(before) - len(bytes.TrimLeft(text[len(before):], " \t\r\n"))
			line := 1 + bytes.Count(text[:len(before)+space], []byte("\n"))
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// dialogue is what was read of a recording.
type dialogue struct {
	tools     map[string]tool.Definition // nil before the format
	schemas   []json.RawMessage
	exchanges []exchange
}

func (d *dialogue) add(e entry) (err error) {
	switch {
	case d.tools == nil:
		if e.Format != format {
			return fmt.Errorf("the format is %q, this version reads %q", e.Format, format)
		}
		d.tools = map[string]tool.Definition{}
	case e.Tool != nil && e.Request == nil:
		d.tools[e.Tool.Name] = *e.Tool
	case e.Schema != nil && e.Request == nil:
		d.schemas = append(d.schemas, e.Schema)
	case e.Request != nil && (e.Response != nil) != (e.Error != nil):
		var x exchange
		if x.key, err = d.key(*e.Request); err != nil {
			return err
		}
		if e.Error != nil {
			x.err = e.Error
		} else {
			x.response, err = e.Response.rebuild()
		}
		d.exchanges = append(d.exchanges, x)
	default:
		return errors.New("an entry is a tool, a schema, or a request with either a response or an error")
	}
	return err
}

// key returns the text of a request, with the definitions of its tools that hold
// at its place.
func (d *dialogue) key(r request) (string, error) {
	var definitions []tool.Definition
	for _, name := range r.Tools {
		definition, ok := d.tools[name]
		if !ok {
			return "", fmt.Errorf("the request has the tool %q, which is not defined before it", name)
		}
		definitions = append(definitions, definition)
	}
	var n int
	if json.Unmarshal(r.Schema, &n) == nil {
		if n < 1 || n > len(d.schemas) {
			return "", fmt.Errorf("the request has the schema %d, of %d that are defined before it", n, len(d.schemas))
		}
		r.Schema = d.schemas[n-1]
	}
	return r.text(definitions)
}

func (r response) rebuild() (llm.Response, error) {
	rebuilt := llm.Response{Text: string(r.Text), Usage: r.Usage, Model: r.Model, Finish: r.Finish, CallText: string(r.CallText), Reasoning: string(r.Reasoning)}
	var err error
	if rebuilt.Provider, err = compact(r.Provider); err != nil {
		return llm.Response{}, err
	}
	for _, c := range r.Calls {
		arguments := json.RawMessage(c.Text)
		if c.Text == "" {
			if arguments, err = compact(c.Arguments); err != nil {
				return llm.Response{}, err
			}
		}
		rebuilt.Calls = append(rebuilt.Calls, tool.Request{ID: c.ID, Name: c.Name, Arguments: arguments, Truncated: c.Truncated})
	}
	return rebuilt, nil
}

// compact returns JSON without the space of the recording; nil for none.
func compact(text json.RawMessage) (json.RawMessage, error) {
	if text == nil {
		return nil, nil
	}
	return jsontext.Marshal(text, "")
}

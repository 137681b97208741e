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
	format    = "aiongen dialogue 2"
	oldFormat = "aiongen dialogue 1" // recordings in this format do not contain the meaning of requests
	maxSize   = 16 << 20             // maximum size of a recording, in bytes
)

// entry is one value of a recording. It has either one of the members Format, Tool and Schema, or
// Request together with Response or Error.
type entry struct {
	Format   string           `json:"format,omitempty"`
	Tool     *tool.Definition `json:"tool,omitempty"`
	Schema   json.RawMessage  `json:"schema,omitempty"` // schema of answers; requests refer to the schemas by number, from 1
	Request  *request         `json:"request,omitempty"`
	Response *response        `json:"response,omitempty"`
	Error    *llm.Error       `json:"error,omitempty"`
}

// request is the recorded form of an llm.Request. It contains only what a model receives.
type request struct {
	For         *meaning        `json:"for,omitempty"` // for requests of runs; not part of the text that is compared
	System      lines           `json:"system,omitempty"`
	Messages    []message       `json:"messages,omitempty"`
	Prompt      lines           `json:"prompt,omitempty"`
	Tools       []string        `json:"tools,omitempty"`  // names; the definitions are separate entries
	Schema      json.RawMessage `json:"schema,omitempty"` // the schema, or its number in the recording
	MaxTokens   int             `json:"max_tokens"`
	Temperature *float64        `json:"temperature,omitempty"`

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
	Text      lines           `json:"arguments_text,omitempty"` // if they are not JSON
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

// lines is a text. In JSON, a text with several lines is an array of lines.
type lines string

func (l lines) MarshalJSON() ([]byte, error) {
	if !strings.Contains(string(l), "\n") {
		return jsontext.Marshal(string(l), "")
	}
	return jsontext.Marshal(strings.Split(string(l), "\n"), "")
}

func (l *lines) UnmarshalJSON(b []byte) error {
	var several []string
	if json.Unmarshal(b, &several) == nil {
		*l = lines(strings.Join(several, "\n"))
		return nil
	}
	var single string
	if err := json.Unmarshal(b, &single); err != nil {
		return errors.New("text must be a string or an array of lines")
	}
	*l = lines(single)
	return nil
}

// recordRequest returns the recorded form of a request.
func recordRequest(req llm.Request) request {
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

// recordAnswer returns the recorded form of an answer or error.
func recordAnswer(r llm.Response, err error) entry {
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

// keyText returns the text of the request with the definitions of its tools. Requests are compared by
// this text, and errors quote lines of it. It does not contain the meaning.
func (r request) keyText(tools []tool.Definition) (string, error) {
	r.For = nil
	text, err := jsontext.Marshal(struct {
		request
		Definitions []tool.Definition `json:"definitions,omitempty"`
	}{r, tools}, "  ")
	return string(text), err
}

// writeEntry writes an exchange. Before it, it writes those definitions of tools and the schema that
// the recording does not contain yet.
func (r *recorder) writeEntry(req llm.Request, means *meaning, answer entry) error {
	var all []entry
	if !r.formatWritten {
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
	answer.Request = new(recordRequest(req))
	answer.Request.For = means
	schemas := r.schemas
	if len(req.Schema) > 0 {
		n := slices.Index(schemas, string(req.Schema))
		if n < 0 {
			n, schemas = len(schemas), append(schemas, string(req.Schema))
			all = append(all, entry{Schema: req.Schema})
		}
		answer.Request.Schema = strconv.AppendInt(nil, int64(n+1), 10)
	}
	all = append(all, answer)

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
	r.formatWritten, r.schemas = true, schemas
	for name, text := range tools {
		r.tools[name] = text
	}
	return nil
}

// exchange is a request and its outcome.
type exchange struct {
	key      string   // the request as text
	meaning  *meaning // nil if no run made the request, or the recording has the old format
	used     bool     // the answer was returned
	response llm.Response
	err      error
}

// readRecording reads a recording. An error about an invalid entry contains the line on which the
// entry begins.
func readRecording(r io.Reader) (d dialogue, err error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err != nil {
		return d, err
	}
	if len(text) > maxSize {
		return d, fmt.Errorf("the recording has more than %d bytes", maxSize)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	for {
		before := text[:dec.InputOffset()]
		var e entry
		err := dec.Decode(&e)
		if errors.Is(err, io.EOF) && d.tools != nil {
			return d, nil
		}
		if err == nil {
			err = d.addEntry(e)
		}
		if err != nil {
			space := len(text) - len(before) - len(bytes.TrimLeft(text[len(before):], " \t\r\n"))
			line := 1 + bytes.Count(text[:len(before)+space], []byte("\n"))
			return d, fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// dialogue is a recording that is being read.
type dialogue struct {
	old       bool                       // the recording has the old format
	tools     map[string]tool.Definition // nil until the format has been read
	schemas   []json.RawMessage
	exchanges []exchange
}

func (d *dialogue) addEntry(e entry) (err error) {
	switch {
	case d.tools == nil:
		if e.Format != format && e.Format != oldFormat {
			return fmt.Errorf("the recording has the format %q, want %q: record it again, or use a newer version of this package", e.Format, format)
		}
		d.old = e.Format == oldFormat
		d.tools = map[string]tool.Definition{}
	case e.Tool != nil && e.Request == nil:
		d.tools[e.Tool.Name] = *e.Tool
	case e.Schema != nil && e.Request == nil:
		d.schemas = append(d.schemas, e.Schema)
	case e.Request != nil && (e.Response != nil) != (e.Error != nil):
		x := exchange{meaning: e.Request.For}
		if x.key, err = d.requestKey(*e.Request); err != nil {
			return err
		}
		if e.Error != nil {
			x.err = e.Error
		} else {
			x.response, err = e.Response.toResponse()
		}
		d.exchanges = append(d.exchanges, x)
	default:
		return errors.New("an entry is a tool, a schema, or a request with either a response or an error")
	}
	return err
}

// requestKey returns the key of a recorded request. It uses the latest definition of each tool so far.
func (d *dialogue) requestKey(r request) (string, error) {
	var definitions []tool.Definition
	for _, name := range r.Tools {
		definition, ok := d.tools[name]
		if !ok {
			return "", fmt.Errorf("the request uses the tool %q, which is not defined before it", name)
		}
		definitions = append(definitions, definition)
	}
	var n int
	if json.Unmarshal(r.Schema, &n) == nil {
		if n < 1 || n > len(d.schemas) {
			return "", fmt.Errorf("the request uses schema %d, but only %d are defined before it", n, len(d.schemas))
		}
		r.Schema = d.schemas[n-1]
	}
	return r.keyText(definitions)
}

func (r response) toResponse() (llm.Response, error) {
	rebuilt := llm.Response{Text: string(r.Text), Usage: r.Usage, Model: r.Model, Finish: r.Finish, CallText: string(r.CallText), Reasoning: string(r.Reasoning)}
	var err error
	if rebuilt.Provider, err = compactJSON(r.Provider); err != nil {
		return llm.Response{}, err
	}
	for _, c := range r.Calls {
		arguments := json.RawMessage(c.Text)
		if c.Text == "" {
			if arguments, err = compactJSON(c.Arguments); err != nil {
				return llm.Response{}, err
			}
		}
		rebuilt.Calls = append(rebuilt.Calls, tool.Request{ID: c.ID, Name: c.Name, Arguments: arguments, Truncated: c.Truncated})
	}
	return rebuilt, nil
}

// compactJSON removes the white space that a recording adds to JSON. It returns nil for nil.
func compactJSON(text json.RawMessage) (json.RawMessage, error) {
	if text == nil {
		return nil, nil
	}
	return jsontext.Marshal(text, "")
}

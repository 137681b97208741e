package conversation

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// readerName returns a name for the tool that reads results. No other tool has this name.
func readerName(tools []tool.Definition) string {
	name := "read_result"
	for slices.ContainsFunc(tools, func(d tool.Definition) bool { return d.Name == name }) {
		name += "_"
	}
	return name
}

var readSchema = json.RawMessage(`{"type":"object","properties":{` +
	`"id":{"type":"string","description":"of the result, as given next to its part"},` +
	`"pointer":{"type":"string","description":"JSON Pointer of the value to read, such as /items/7/text; all without it"},` +
	`"from":{"type":"integer","minimum":0,"default":0,"description":"the byte of the value to begin at"},` +
	`"bytes":{"type":"integer","minimum":1,"description":"how many at most"}},"required":["id"],"additionalProperties":false}`)

// readerDefinition returns the definition of the tool that reads results.
func (r *resultStore) readerDefinition() tool.Definition {
	return tool.Definition{
		Name: r.tool, Description: "Reads more of a result that was too long to be shown whole: a value in it, or a piece.",
		Input: readSchema, Annotations: tool.Annotations{ReadOnly: true, Idempotent: true},
	}
}

// readRequest is a request to read a result.
type readRequest struct {
	ID      string `json:"id,omitempty"`
	Pointer string `json:"pointer,omitempty"`
	From    int    `json:"from,omitempty"`
	Bytes   int    `json:"bytes,omitempty"`
	Error   string `json:"wrong,omitempty"` // if the arguments are invalid
}

// findReads returns the calls that read results, by index.
func (r *resultStore) findReads(calls []tool.Request) map[int]readRequest {
	reads := map[int]readRequest{}
	for i, call := range calls {
		if call.Name == r.tool {
			reads[i] = parseRead(call)
		}
	}
	return reads
}

func parseRead(call tool.Request) (l readRequest) {
	if call.Truncated {
		return readRequest{Error: "the call was cut off"}
	}
	arguments, err := repair.Arguments(string(call.Arguments), readSchema)
	if err == nil {
		err = schema.Validate(readSchema, arguments.Value)
	}
	if err == nil {
		err = json.Unmarshal(arguments.Value, &l)
	}
	if err != nil {
		return readRequest{Error: err.Error()}
	}
	return l
}

// readResult returns the outcome of a call that reads a result.
func (r *resultStore) readResult(call tool.Request, l readRequest) tool.Call {
	result := tool.Call{Request: call, Arguments: call.Arguments, Status: tool.StatusCompleted}
	var err error
	if result.Output, result.Note, err = r.readValue(l); err != nil {
		result.Status, result.Err = tool.StatusFailed, quoteError(&run.Error{Kind: "no_result", Text: r.tool + ": " + err.Error()})
	}
	return result
}

// readValue returns a value or a piece of it, with a note that says which piece.
func (r *resultStore) readValue(l readRequest) (value json.RawMessage, note string, err error) {
	if l.Error != "" {
		return nil, "", errors.New(l.Error)
	}
	output, ok := r.all[l.ID]
	if !ok {
		if output, ok = r.all[resultID(l.ID)]; !ok {
			return nil, "", fmt.Errorf("there is no result with the id %q", l.ID)
		}
	}
	text := string(output)
	if l.Pointer != "" {
		if text, err = valueAt(text, l.Pointer); err != nil {
			return nil, "", err
		}
	}
	limit := r.limit
	if limit < 0 {
		limit = defaultInline
	}
	if l.Bytes > 0 {
		limit = min(l.Bytes, limit)
	}
	if l.From == 0 && len(text) <= limit {
		return json.RawMessage(text), "", nil
	}
	if text[0] == '"' {
		text = jsontext.Unquote(text)
	}
	if l.From >= len(text) {
		return nil, "", fmt.Errorf("the value has %d bytes, from has to be less", len(text))
	}
	from := words.Boundary(text, l.From)
	_, size := utf8.DecodeRuneInString(text[from:])
	end := max(words.Boundary(text, min(from+limit, len(text))), from+size)
	return json.RawMessage(jsontext.Quote(text[from:end])), fmt.Sprintf("These are the bytes %d to %d of %d.", from, end, len(text)), nil
}

// valueAt returns the value at a pointer. If there is none, the error describes the nearest value above
// the pointer.
func valueAt(text, pointer string) (string, error) {
	all, err := jsontext.Parse(text, jsontext.Depth)
	if err != nil {
		return "", err
	}
	if !jsontext.IsPointer(pointer) {
		return "", fmt.Errorf("%q is not a JSON Pointer such as /items/7/text", pointer)
	}
	if n := all.At(pointer); n != nil {
		return text[n.Start:n.End], nil
	}
	above := pointer
	for all.At(above) == nil {
		above = above[:strings.LastIndexByte(above, '/')]
	}
	what := "a value"
	switch n := all.At(above); n.Kind {
	case jsontext.Object:
		names := make([]string, len(n.Items))
		for i, item := range n.Items {
			names[i] = item.Name()
		}
		what = "an object with the keys " + words.List(names, ", ")
	case jsontext.Array:
		what = fmt.Sprintf("a list of %d", len(n.Items))
	}
	return "", fmt.Errorf("there is nothing at %q: at %q there is %s", pointer, above, what)
}

package talk

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
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// readerOf returns the name of the tool that reads results, which no other tool has.
func readerOf(tools []tool.Definition) string {
	name := "read_result"
	for slices.ContainsFunc(tools, func(d tool.Definition) bool { return d.Name == name }) {
		name += "_"
	}
	return name
}

var lookSchema = json.RawMessage(`{"type":"object","properties":{` +
	`"id":{"type":"string","description":"of the result, as it is said beside its part"},` +
	`"pointer":{"type":"string","description":"JSON Pointer of the value to read, such as /items/7/text; all without it"},` +
	`"from":{"type":"integer","minimum":0,"default":0,"description":"the byte of the value to begin at"},` +
	`"bytes":{"type":"integer","minimum":1,"description":"how many at most"}},"required":["id"],"additionalProperties":false}`)

// definition returns what the model is told of the tool.
func (r *results) definition() tool.Definition {
	return tool.Definition{
		Name: r.tool, Description: "Reads more of a result that was too long to be shown whole: a value in it, or a piece.",
		Input: lookSchema, Annotations: tool.Annotations{ReadOnly: true, Idempotent: true},
	}
}

// look is what a call wants to read.
type look struct {
	ID      string `json:"id,omitempty"`
	Pointer string `json:"pointer,omitempty"`
	From    int    `json:"from,omitempty"`
	Bytes   int    `json:"bytes,omitempty"`
	Wrong   string `json:"wrong,omitempty"` // with the arguments
}

// looks returns which calls read results, and what.
func (r *results) looks(calls []tool.Request) map[int]look {
	looks := map[int]look{}
	for i, call := range calls {
		if call.Name == r.tool {
			looks[i] = lookOf(call)
		}
	}
	return looks
}

func lookOf(call tool.Request) (l look) {
	if call.Truncated {
		return look{Wrong: "the call was cut off"}
	}
	arguments, err := repair.Arguments(string(call.Arguments), lookSchema)
	if err == nil {
		err = schema.Validate(lookSchema, arguments.Value)
	}
	if err == nil {
		err = json.Unmarshal(arguments.Value, &l)
	}
	if err != nil {
		return look{Wrong: err.Error()}
	}
	return l
}

// read returns what a call reads.
func (r *results) read(call tool.Request, l look) tool.Call {
	result := tool.Call{Request: call, Arguments: call.Arguments, Status: tool.StatusCompleted}
	var err error
	if result.Output, result.Note, err = r.look(l); err != nil {
		result.Status, result.Err = tool.StatusFailed, quoted(&record.Error{Kind: "no_result", Text: r.tool + ": " + err.Error()})
	}
	return result
}

// look returns a value, or a piece of it and which one.
func (r *results) look(l look) (value json.RawMessage, note string, err error) {
	if l.Wrong != "" {
		return nil, "", errors.New(l.Wrong)
	}
	output, there := r.all[l.ID]
	if !there {
		if output, there = r.all[reference(l.ID)]; !there {
			return nil, "", fmt.Errorf("there is no result with the id %q", l.ID)
		}
	}
	text := string(output)
	if l.Pointer != "" {
		if text, err = at(text, l.Pointer); err != nil {
			return nil, "", err
		}
	}
	most := r.limit
	if most < 0 {
		most = inline
	}
	if l.Bytes > 0 {
		most = min(l.Bytes, most)
	}
	if l.From == 0 && len(text) <= most {
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
	end := max(words.Boundary(text, min(from+most, len(text))), from+size)
	return json.RawMessage(jsontext.Quote(text[from:end])), fmt.Sprintf("These are the bytes %d to %d of %d.", from, end, len(text)), nil
}

// at returns the value at a pointer, or says what there is instead.
func at(text, pointer string) (string, error) {
	all, err := jsontext.Parse(text, jsontext.Depth)
	if err != nil {
		return "", err
	}
	if !jsontext.IsPointer(pointer) {
		return "", fmt.Errorf("%q is no JSON Pointer, such as /items/7/text", pointer)
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

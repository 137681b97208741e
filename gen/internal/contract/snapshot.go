package contract

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// maxSnapshot limits the size of a snapshot, in bytes.
const maxSnapshot = 64 << 20

// A definition is a tool in a snapshot, in the format of the Model Context Protocol. A missing
// hint means the most dangerous value.
type definition struct {
	Name         string
	Title        string
	Description  string
	InputSchema  json.RawMessage
	OutputSchema json.RawMessage
	Annotations  struct {
		ReadOnlyHint    bool
		DestructiveHint *bool
		IdempotentHint  bool
		OpenWorldHint   *bool
	}

	// Members of other formats, which checkFormat names in its errors.
	Function, Parameters, Input json.RawMessage
	AnthropicInput              json.RawMessage `json:"input_schema"`
}

// ReadSnapshot reads the tools in a snapshot: a JSON array of tools in the format of the
// Model Context Protocol, or the response to tools/list with or without its JSON-RPC
// envelope. A snapshot has no prompts. Positions in messages refer to file.
func ReadSnapshot(r io.Reader, file string) (promises Promises, err error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSnapshot+1))
	switch {
	case err != nil:
		return promises, err
	case len(text) > maxSnapshot:
		return promises, fmt.Errorf("it is larger than %d bytes", maxSnapshot)
	}
	list, err := readList(bytes.TrimPrefix(text, []byte("\ufeff"))) // some editors write a byte order mark
	if err != nil {
		return promises, err
	}
	for i, d := range list {
		if err := d.checkFormat(); err != nil {
			return Promises{}, fmt.Errorf("tool %d: %w", i+1, err)
		}
		promises.Tools = append(promises.Tools, d.newTool(file))
	}
	return promises, nil
}

// readList reads the definitions in a snapshot.
func readList(text []byte) (list []definition, err error) {
	var answer struct {
		Tools  *[]definition
		Result struct{ Tools *[]definition } // of JSON-RPC
	}
	if json.Unmarshal(text, &answer) != nil {
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, newListError(err)
		}
		return list, nil
	}
	switch {
	case answer.Tools != nil:
		return *answer.Tools, nil
	case answer.Result.Tools != nil:
		return *answer.Result.Tools, nil
	}
	return nil, errors.New("no list of tools")
}

// newListError describes why a text is not a list of tools.
func newListError(err error) error {
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("invalid JSON: %w", err)
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
		return fmt.Errorf("not a list of tools: %s is of type %s", strings.ToLower(wrong.Field), wrong.Value)
	}
	return errors.New("not a list of tools")
}

// checkFormat returns an error if a definition does not have the format of the Model
// Context Protocol.
func (d definition) checkFormat() error {
	switch {
	case d.Name != "" && d.InputSchema != nil && d.InputSchema[0] != '{':
		return fmt.Errorf("the inputSchema of %s is not an object", d.Name)
	case d.Name != "" && d.InputSchema != nil:
		return cmp.Or(d.checkJSON("inputSchema", d.InputSchema), d.checkJSON("outputSchema", d.OutputSchema))
	case d.Function != nil:
		return errors.New("it has the format of OpenAI")
	case d.AnthropicInput != nil:
		return errors.New("it has the format of Anthropic")
	case d.Parameters != nil:
		return errors.New("it has the format of Gemini")
	case d.Input != nil:
		return errors.New("it has the format of go tool aiongen list -json")
	case d.Name == "":
		return errors.New("it has no name")
	}
	return fmt.Errorf("%s has no inputSchema", d.Name)
}

// checkJSON returns an error if a schema contains invalid UTF-8 or an invalid escape, which
// package encoding/json would replace without an error.
func (d definition) checkJSON(what string, schema json.RawMessage) error {
	if schema == nil {
		return nil
	}
	if _, err := jsontext.Parse(string(schema), jsontext.MaxDepth); err != nil {
		return fmt.Errorf("the %s of %s is invalid JSON: %w", what, d.Name, err)
	}
	return nil
}

func (d definition) newTool(file string) Tool {
	no := func(hint *bool) bool { return hint != nil && !*hint }
	a := d.Annotations
	return Tool{
		Name: d.Name, Title: d.Title, Description: d.Description, Input: d.InputSchema, Output: d.OutputSchema,
		Annotations: Annotations{a.ReadOnlyHint, a.ReadOnlyHint || no(a.DestructiveHint), a.ReadOnlyHint || a.IdempotentHint, no(a.OpenWorldHint)},
		Place:       diag.Span{File: file},
		Partial:     true,
	}
}

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

// maxSnapshot is the size of a snapshot, in bytes, beyond which it is not read.
const maxSnapshot = 64 << 20

// A definition is a tool in a snapshot: what the Model Context Protocol calls a
// Tool. Hints that are not given are the least that can be hoped for.
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

	// What other formats have in place of it.
	Function, Parameters, Input json.RawMessage
	AnthropicInput              json.RawMessage `json:"input_schema"`
}

// ReadSnapshot reads the tools that a snapshot promised: a JSON array of tools as
// the Model Context Protocol has them, or an object with one, as a server answers
// tools/list, with or without what JSON-RPC puts around it. It knows no prompts.
// File is where messages say that the tools stand.
func ReadSnapshot(r io.Reader, file string) (promises Promises, err error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSnapshot+1))
	switch {
	case err != nil:
		return promises, err
	case len(text) > maxSnapshot:
		return promises, fmt.Errorf("it is larger than %d bytes", maxSnapshot)
	}
	list, err := readList(bytes.TrimPrefix(text, []byte("\ufeff"))) // some editors put a mark in front
	if err != nil {
		return promises, err
	}
	for i, d := range list {
		if err := d.check(); err != nil {
			return Promises{}, fmt.Errorf("tool %d: %w", i+1, err)
		}
		promises.Tools = append(promises.Tools, d.tool(file))
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
			return nil, noList(err)
		}
		return list, nil
	}
	switch {
	case answer.Tools != nil:
		return *answer.Tools, nil
	case answer.Result.Tools != nil:
		return *answer.Result.Tools, nil
	}
	return nil, errors.New("it has no list of tools")
}

// noList says what is wrong with a text that is no list of tools.
func noList(err error) error {
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("it is no JSON: %w", err)
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
		return fmt.Errorf("it is no list of tools: %s is of the type %s", strings.ToLower(wrong.Field), wrong.Value)
	}
	return errors.New("it is no list of tools")
}

// check says what keeps a definition from being one.
func (d definition) check() error {
	switch {
	case d.Name != "" && d.InputSchema != nil && d.InputSchema[0] != '{':
		return fmt.Errorf("the inputSchema of %s is no object", d.Name)
	case d.Name != "" && d.InputSchema != nil:
		return cmp.Or(d.checkText("inputSchema", d.InputSchema), d.checkText("outputSchema", d.OutputSchema))
	case d.Function != nil:
		return errors.New("it is written as OpenAI receives it")
	case d.AnthropicInput != nil:
		return errors.New("it is written as Anthropic receives it")
	case d.Parameters != nil:
		return errors.New("it is written as Gemini receives it")
	case d.Input != nil:
		return errors.New("it is written as aiongen list -json does")
	case d.Name == "":
		return errors.New("it has no name")
	}
	return fmt.Errorf("%s has no inputSchema", d.Name)
}

// checkText says what is no text in a schema: package encoding/json lets it pass, but
// puts something else in its place.
func (d definition) checkText(what string, schema json.RawMessage) error {
	if schema == nil {
		return nil
	}
	if _, err := jsontext.Parse(string(schema), jsontext.MaxDepth); err != nil {
		return fmt.Errorf("the %s of %s is no JSON: %w", what, d.Name, err)
	}
	return nil
}

func (d definition) tool(file string) Tool {
	no := func(hint *bool) bool { return hint != nil && !*hint }
	a := d.Annotations
	return Tool{
		Name: d.Name, Title: d.Title, Description: d.Description, Input: d.InputSchema, Output: d.OutputSchema,
		Annotations: Annotations{a.ReadOnlyHint, a.ReadOnlyHint || no(a.DestructiveHint), a.ReadOnlyHint || a.IdempotentHint, no(a.OpenWorldHint)},
		Place:       diag.Span{File: file},
		Partial:     true,
	}
}

package endpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Tools contains the tools of a request in lowered form.
type Tools struct {
	All []Tool

	// IsName reports whether the endpoint accepts a name in a call. If it is nil, names of 1 to 64
	// letters, digits, "_" and "-" are accepted.
	IsName func(name string) bool
}

// Tool is a tool in the lowered form that is sent to an endpoint.
type Tool struct {
	*schema.Lowered
	Original string // name in the registry
}

// Lowering returns a function that lowers definitions with [schema.LowerStrict] for these two targets, or
// with [schema.Lower] for plain if strict is "".
func Lowering(plain, strict schema.Target) func(tool.Definition) (*schema.Lowered, error) {
	return func(d tool.Definition) (*schema.Lowered, error) {
		if strict == "" {
			return schema.Lower(plain, d)
		}
		return schema.LowerStrict(strict, plain, d)
	}
}

// LowerTools lowers definitions with the given function. It returns an error if two tools would have
// the same name.
func LowerTools(lower func(tool.Definition) (*schema.Lowered, error), definitions ...tool.Definition) (*Tools, error) {
	t := &Tools{}
	names := map[string]string{}
	for _, d := range definitions {
		l, err := lower(d)
		if err != nil {
			return nil, err
		}
		if other, taken := names[l.Name]; taken {
			return nil, fmt.Errorf("%q and %q would both be called %s", other, d.Name, l.Name)
		}
		names[l.Name] = d.Name
		t.All = append(t.All, Tool{l, d.Name})
	}
	return t, nil
}

// LowerAnswer lowers the schema of an answer with the given function.
func LowerAnswer(lower func(tool.Definition) (*schema.Lowered, error), wanted json.RawMessage) (*schema.Lowered, error) {
	l, err := lower(tool.Definition{Name: "answer", Input: wanted})
	if err != nil {
		return nil, fmt.Errorf("the schema of the answer cannot be used: %w", errors.Unwrap(err))
	}
	return l, nil
}

// Find returns the tool with this name in the registry, or nil.
func (t *Tools) Find(name string) *Tool {
	return t.find(func(l Tool) bool { return l.Original == name })
}

// FindLowered returns the tool with this name in the request, or nil.
func (t *Tools) FindLowered(name string) *Tool {
	return t.find(func(l Tool) bool { return l.Name == name })
}

func (t *Tools) find(matches func(Tool) bool) *Tool {
	if i := slices.IndexFunc(t.All, matches); i >= 0 {
		return &t.All[i]
	}
	return nil
}

// Request converts a call that the model made to a request for a registry. It does not change unknown
// names and arguments that are not valid JSON.
func (t *Tools) Request(id, name string, arguments json.RawMessage) tool.Request {
	if l := t.FindLowered(name); l != nil {
		name, arguments = l.Original, Raise(l.Lowered, arguments)
	}
	return tool.Request{ID: id, Name: name, Arguments: arguments}
}

// Raise converts a value from the form of a lowered schema to that of the original schema. It returns
// invalid JSON unchanged.
func Raise(l *schema.Lowered, text json.RawMessage) json.RawMessage {
	if len(text) == 0 {
		return text
	}
	if raised, err := l.Raise(text); err == nil {
		return raised
	}
	return text
}

// WireCall returns the name and the arguments of a call in a dialogue, in a form that the endpoint
// accepts. The name is that of the tool in the request. If there is no such tool, it is the name that
// the model wrote, or "unknown" if that is not a valid name. Arguments that are not an object become
// {}. Otherwise, the endpoint would reject the whole dialogue because of one invalid call. The result of
// the call tells the model what was wrong.
func (t *Tools) WireCall(c tool.Request) (name string, arguments json.RawMessage) {
	arguments = llm.ObjectArguments(c.Arguments)
	l := t.Find(c.Name)
	if l == nil {
		return t.wireName(c.Name), arguments
	}
	if encoded, err := l.Encode(arguments); err == nil {
		arguments = encoded
	}
	return l.Name, arguments
}

func (t *Tools) wireName(name string) string {
	isName := t.IsName
	if isName == nil {
		isName = isCommonName
	}
	if isName(name) {
		return name
	}
	unknown := "unknown"
	for t.FindLowered(unknown) != nil {
		unknown += "_"
	}
	return unknown
}

func isCommonName(name string) bool {
	return name != "" && len(name) <= words.MaxToolName && !strings.ContainsFunc(name, func(c rune) bool { return !words.IsToolNameChar(c) })
}

// Choose returns the name under which the request offers the tool of a choice, or "" if the choice does
// not name a tool. It returns an error if the request does not offer a tool that the choice requires.
func (t *Tools) Choose(choice llm.ToolChoice) (name string, err error) {
	switch {
	case choice == llm.AnyTool && len(t.All) == 0:
		return "", errors.New("the request requires a tool call but offers no tools")
	case choice == "", choice == llm.NoTool, choice == llm.AnyTool:
		return "", nil
	}
	l := t.Find(string(choice))
	if l == nil {
		return "", fmt.Errorf("the request requires a call of the tool %q but does not offer it", choice)
	}
	return l.Name, nil
}

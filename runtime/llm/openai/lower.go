package openai

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Tools are tools in the form of the client github.com/sashabaranov/go-openai, for
// programs that use it themselves; the model of [New] needs none of this. It is
// safe for concurrent use.
type Tools struct{ all []lowered }

// lowered is a tool as the endpoint knows it.
type lowered struct {
	*schema.Lowered
	name string // in the registry
}

// NewTools lowers definitions for a request. If strict is set, the endpoint shall
// hold the model to the schema of each tool that can be told in the strict mode as
// well as without: those of which [schema.Lower] for [schema.OpenAIStrict] has no
// more losses that are [schema.Quoted] or worse than for [schema.OpenAI]. What keeps
// a tool from it is told by [schema.Check], and at generation by the flag -lint.
//
// The error says which schema cannot be used, or which tools would have the same
// name.
func NewTools(strict bool, definitions ...tool.Definition) (*Tools, error) {
	t := &Tools{}
	names := map[string]string{}
	for _, d := range definitions {
		l, err := lower(d, strict)
		if err != nil {
			return nil, err
		}
		if other, taken := names[l.Name]; taken {
			return nil, fmt.Errorf("%q and %q would both be called %s", other, d.Name, l.Name)
		}
		names[l.Name] = d.Name
		t.all = append(t.all, lowered{l, d.Name})
	}
	return t, nil
}

// lower returns a definition for the strict mode, if that is wanted and costs
// nothing.
func lower(d tool.Definition, strict bool) (*schema.Lowered, error) {
	plain, err := schema.Lower(schema.OpenAI, d)
	if err != nil || !strict {
		return plain, err
	}
	held, err := schema.Lower(schema.OpenAIStrict, d)
	if err != nil || losses(held) > losses(plain) {
		return plain, nil
	}
	return held, nil
}

// losses counts what a model or an endpoint knows less of than the tool.
func losses(l *schema.Lowered) (n int) {
	for _, loss := range l.Losses {
		if loss.Severity >= schema.Quoted {
			n++
		}
	}
	return n
}

// Definitions returns the tools for a request, in their order.
func (t *Tools) Definitions() (all []openai.Tool) {
	for _, l := range t.all {
		all = append(all, openai.Tool{
			Type: openai.ToolTypeFunction,
			Function: &openai.FunctionDefinition{
				Name: l.Name, Description: l.Description, Parameters: l.Input, Strict: l.Target.Strict(),
			},
		})
	}
	return all
}

// has tells whether the endpoint knows a tool by a name.
func (t *Tools) has(name string) bool {
	return slices.ContainsFunc(t.all, func(l lowered) bool { return l.Name == name })
}

// lowered returns the name by which the endpoint knows a tool.
func (t *Tools) lowered(name string) (string, bool) {
	for _, l := range t.all {
		if l.name == name {
			return l.Name, true
		}
	}
	return "", false
}

// named returns the name in the registry of what the endpoint calls so.
func (t *Tools) named(name string) string {
	for _, l := range t.all {
		if l.Name == name {
			return l.name
		}
	}
	return name
}

// Request returns a call that the model wants as a registry takes it. Names that
// are none, and arguments that are no JSON, stay as they are.
func (t *Tools) Request(call openai.ToolCall) tool.Request {
	r := tool.Request{ID: call.ID, Name: call.Function.Name, Arguments: json.RawMessage(call.Function.Arguments)}
	for _, l := range t.all {
		if l.Name == r.Name {
			r.Name, r.Arguments = l.name, raise(l.Lowered, r.Arguments)
			break
		}
	}
	return r
}

// raise returns what the model wrote by a lowered schema as the schema before has
// it. What is no JSON stays as it is.
func raise(l *schema.Lowered, text json.RawMessage) json.RawMessage {
	if len(text) == 0 {
		return text
	}
	if raised, err := l.Raise(text); err == nil {
		return raised
	}
	return text
}

// ToolCall returns a call of the dialogue so far as the model wrote it. An invalid name
// becomes "unknown", and arguments that are not a JSON object become {}, because
// endpoints refuse the whole dialogue otherwise; what was wrong with them is in the
// result of the call.
func (t *Tools) ToolCall(r tool.Request) openai.ToolCall {
	arguments := wireArguments(r.Arguments)
	for _, l := range t.all {
		if l.name != r.Name {
			continue
		}
		if encoded, err := l.Encode(arguments); err == nil {
			arguments = encoded
		}
	}
	return openai.ToolCall{ID: r.ID, Type: openai.ToolTypeFunction, Function: openai.FunctionCall{Name: t.wireName(r.Name), Arguments: string(arguments)}}
}

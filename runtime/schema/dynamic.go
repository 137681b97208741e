package schema

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsonschema/dialect"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/lazyregexp"
	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Dynamic returns a tool that no code was generated for, such as one whose schema
// is known only when the program runs. Every call has its arguments validated, and
// its result, if there is an output schema: faults are a [*tool.ArgumentError] or
// a [*tool.OutputError], as those of generated tools. The handler gets arguments that
// are valid; a result that is nil is null. It must be safe for concurrent use;
// [tool.CallFrom] has the call.
//
// The error, a [*tool.DefinitionError], lists everything that is wrong: the name is 1 to
// 128 of the ASCII letters, digits, underscores, dots, slashes and hyphens; there is a
// description; the input schema, if there is one, is for objects; schemas refer to
// nothing outside of them; an example is valid.
//
// Schemas of older drafts are translated to draft 2020-12, also if they declare no draft: the
// definition of the tool has the translation.
func Dynamic(d tool.Definition, handler func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error)) (tool.Tool, error) {
	if d.Input == nil {
		d.Input = json.RawMessage(noArguments)
	}
	var faults []error
	fault := func(format string, values ...any) { faults = append(faults, fmt.Errorf(format, values...)) }
	if !toolName.Get().MatchString(d.Name) {
		fault("a name is 1 to 128 letters, digits, underscores, dots, slashes and hyphens")
	}
	if strings.TrimSpace(d.Description) == "" {
		fault("there is no description, by which a model would know when to call it")
	}
	if handler == nil {
		fault("there is no handler")
	}
	d.Input, d.Output = translate(d.Input), translate(d.Output)
	input, err := jsonschema.Parse(d.Input)
	if err != nil {
		fault("the input schema cannot be used: %w", err)
	} else if input.Types != jsonschema.TypesOf(jsontext.Object) {
		fault(`the input schema must have "type": "object", for arguments are one`)
	} else if d.Example != nil {
		if err := Validate(d.Input, d.Example); err != nil {
			fault("the example is not valid: %w", err)
		}
	}
	var output *jsonschema.Schema
	if d.Output != nil {
		if output, err = jsonschema.Parse(d.Output); err != nil {
			fault("the output schema cannot be used: %w", err)
		}
	}
	if faults != nil {
		return tool.Tool{}, &tool.DefinitionError{Tool: d.Name, Err: errors.Join(faults...)}
	}
	return tool.New(&d, dynamic{input, output, handler}.invoke), nil
}

// translate returns a schema in draft 2020-12. What is not JSON stays, for others to report.
func translate(schema json.RawMessage) json.RawMessage {
	n, err := tree.Parse(schema)
	if err != nil || len(schema) > jsonschema.LongestText {
		return schema
	}
	if translated := dialect.Translate(n); !jsontext.Equal(n, translated) {
		return tree.Raw(translated)
	}
	return schema
}

const noArguments = `{"type":"object","properties":{},"additionalProperties":false}`

var toolName = lazyregexp.Regexp{Text: `^[A-Za-z0-9_./-]{1,128}$`}

// dynamic is a tool made by hand.
type dynamic struct {
	input, output *jsonschema.Schema // output is nil for any result
	handler       func(context.Context, json.RawMessage) (json.RawMessage, error)
}

func (t dynamic) invoke(ctx context.Context, in *tool.Invocation) {
	arguments := in.Arguments().Judged(func(text json.RawMessage) (faults []tool.Fault) {
		for _, f := range faultsOf(t.input, text) {
			faults = append(faults, tool.Fault(f))
		}
		return faults
	})
	if !in.Ready() {
		return
	}
	result, err := t.handler(ctx, bytes.Clone(arguments))
	if in.Failed(err) {
		return
	}
	e := in.Result()
	e.RawJSON("", result)
	if t.output == nil || result != nil && !json.Valid(result) {
		return // the encoder says so
	}
	if result == nil {
		result = json.RawMessage("null")
	}
	switch wrong := invalid(faultsOf(t.output, result)); len(wrong.Faults) {
	case 0:
	case 1:
		e.Fail(wrong.Faults[0].Pointer, &Error{Faults: []Fault{{Message: wrong.Faults[0].Message}}})
	default: // each says where
		e.Fail("", wrong)
	}
}

// faultsOf returns everything in JSON that a schema does not allow.
func faultsOf(s *jsonschema.Schema, text json.RawMessage) []jsonschema.Fault {
	v, err := tree.Parse(text)
	var broken *jsontext.SyntaxError
	if errors.As(err, &broken) {
		return []jsonschema.Fault{{Expected: fmt.Sprintf("%s at byte %d", broken.Expected, broken.Offset), Found: broken.Found}}
	}
	return s.Check(v, len(text))
}

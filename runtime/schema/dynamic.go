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
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Dynamic returns a tool that is not generated, such as one whose schema is known only at run time. It
// validates the arguments of every call and, if there is an output schema, the result. As for generated tools,
// a call with invalid arguments fails with a [*tool.ArgumentError], and one with an invalid result with a
// [*tool.OutputError]. The handler receives valid arguments; a nil result counts as null. In the handler,
// [tool.CallFrom] returns the call. The handler must be safe for concurrent use.
//
// The error is a [*tool.DefinitionError] that lists everything that is wrong with d. The name must have 1 to
// 128 ASCII letters, digits, underscores, dots, slashes and hyphens. The description must not be empty. The
// input schema, if there is one, must describe objects. Schemas must not refer to other documents. An example
// must be valid.
//
// Schemas of older drafts are translated to draft 2020-12, even if they do not declare their draft. The
// definition of the tool contains the translated schemas.
func Dynamic(d tool.Definition, handler func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error)) (tool.Tool, error) {
	if d.Input == nil {
		d.Input = json.RawMessage(noArguments)
	}
	var faults []error
	fault := func(format string, values ...any) { faults = append(faults, fmt.Errorf(format, values...)) }
	if !toolNamePattern.Get().MatchString(d.Name) {
		fault("a name is 1 to 128 letters, digits, underscores, dots, slashes and hyphens")
	}
	if strings.TrimSpace(d.Description) == "" {
		fault("there is no description, so a model does not know when to call the tool")
	}
	if handler == nil {
		fault("there is no handler")
	}
	d.Input, d.Output = translateSchema(d.Input), translateSchema(d.Output)
	input, err := jsonschema.Parse(d.Input)
	if err != nil {
		fault("the input schema cannot be used: %w", err)
	} else if input.Types != jsonschema.TypesOf(jsontext.Object) {
		fault(`the input schema must have "type": "object", because arguments are an object`)
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
	if d.Agent != nil { // the result is the answer of the agent, not what the handler returns
		output = nil
	}
	return tool.New(&d, dynamic{input, output, handler}.invokeTool), nil
}

// translateSchema translates a schema to draft 2020-12. It returns text that is not JSON unchanged, because the
// parser reports the error later.
func translateSchema(schema json.RawMessage) json.RawMessage {
	n, err := outline.Parse(schema)
	if err != nil || len(schema) > jsonschema.LongestText {
		return schema
	}
	if translated := dialect.Translate(n); !jsontext.Equal(n, translated) {
		return outline.RawJSON(translated)
	}
	return schema
}

const noArguments = `{"type":"object","properties":{},"additionalProperties":false}`

var toolNamePattern = lazyregexp.Regexp{Text: `^[A-Za-z0-9_./-]{1,128}$`}

// dynamic is the implementation of a tool that [Dynamic] returns.
type dynamic struct {
	input, output *jsonschema.Schema // output is nil for any result
	handler       func(context.Context, json.RawMessage) (json.RawMessage, error)
}

func (t dynamic) invokeTool(ctx context.Context, in *tool.Invocation) {
	arguments := in.Arguments().RawChecked(func(text json.RawMessage) (faults []tool.Fault) {
		for _, f := range findFaults(t.input, text) {
			faults = append(faults, tool.Fault(f))
		}
		return faults
	})
	if !in.Ready() {
		return
	}
	result, err := t.handler(ctx, bytes.Clone(arguments))
	if in.RecordError(err) {
		return
	}
	e := in.Result()
	e.RawJSON("", result)
	if t.output == nil || result != nil && !json.Valid(result) {
		return // the encoder reports invalid JSON
	}
	if result == nil {
		result = json.RawMessage("null")
	}
	switch valueErr := newValueError(findFaults(t.output, result)); len(valueErr.Faults) {
	case 0:
	case 1:
		e.Fail(valueErr.Faults[0].Pointer, &Error{Faults: []Fault{{Message: valueErr.Faults[0].Message}}})
	default: // valueErr states the pointer of each fault
		e.Fail("", valueErr)
	}
}

// findFaults returns everything in a JSON text that a schema does not allow, or a syntax error.
func findFaults(s *jsonschema.Schema, text json.RawMessage) []jsonschema.Fault {
	v, err := outline.Parse(text)
	var syntaxErr *jsontext.SyntaxError
	if errors.As(err, &syntaxErr) {
		return []jsonschema.Fault{{Expected: fmt.Sprintf("%s at byte %d", syntaxErr.Expected, syntaxErr.Offset), Found: syntaxErr.Found}}
	}
	return s.Check(v, len(text))
}

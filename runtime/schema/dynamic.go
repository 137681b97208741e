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

// Dynamic returns a tool that is not generated, such as one whose schema is known only at run time. The
// arguments of every call are validated and, if there is an output schema, the result too. Faults are
// reported as a [*tool.ArgumentError] or a [*tool.OutputError], as for generated tools. The handler receives
// valid arguments; a nil result is null. The handler must be safe for concurrent use. [tool.CallFrom] returns
// its call.
//
// The error is a [*tool.DefinitionError] with everything that is wrong. A name has 1 to 128 ASCII letters,
// digits, underscores, dots, slashes and hyphens. There must be a description. The input schema, if there is
// one, must describe objects. Schemas must not refer to anything outside themselves. An example must be
// valid.
//
// Schemas of older drafts, declared or not, are translated to draft 2020-12. The definition of the tool has
// the translation.
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
	if d.Agent != nil { // its answer is the result, not that of the handler
		output = nil
	}
	return tool.New(&d, dynamic{input, output, handler}.invokeTool), nil
}

// translateSchema returns a schema in draft 2020-12. It returns text that is not JSON unchanged; the parser
// reports it.
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

// dynamic is a tool made by hand.
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
		return // the encoder reports it
	}
	if result == nil {
		result = json.RawMessage("null")
	}
	switch wrong := newValueError(findFaults(t.output, result)); len(wrong.Faults) {
	case 0:
	case 1:
		e.Fail(wrong.Faults[0].Pointer, &Error{Faults: []Fault{{Message: wrong.Faults[0].Message}}})
	default: // each fault has its own pointer
		e.Fail("", wrong)
	}
}

// findFaults returns everything in a JSON text that a schema does not allow.
func findFaults(s *jsonschema.Schema, text json.RawMessage) []jsonschema.Fault {
	v, err := outline.Parse(text)
	var broken *jsontext.SyntaxError
	if errors.As(err, &broken) {
		return []jsonschema.Fault{{Expected: fmt.Sprintf("%s at byte %d", broken.Expected, broken.Offset), Found: broken.Found}}
	}
	return s.Check(v, len(text))
}

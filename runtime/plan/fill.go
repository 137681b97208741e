package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/reference"
)

// Result is the result of a step.
type Result struct {
	Value  json.RawMessage
	Output json.RawMessage // JSON Schema of the results of the tool; may be empty
}

// maxFilledBytes is the maximum total length of the values that are filled into the arguments of a step. It is
// necessary because a text may refer to the same large result many times.
const maxFilledBytes = 16 << 20

// References returns the distinct references in the arguments of the step, in order.
func (s Step) References() (all []Reference) {
	n, err := jsontext.Parse(string(s.Arguments), jsontext.MaxDepth)
	if err != nil {
		return nil
	}
	seen := map[Reference]bool{}
	visitStrings(n, func(text string) {
		if !mayRefer(text) {
			return
		}
		for _, p := range splitReferences(text) {
			if p.refers && !p.broken && !seen[p.to] {
				seen[p.to] = true
				all = append(all, p.to)
			}
		}
	})
	return all
}

// visitStrings calls f with every string value.
func visitStrings(n *jsontext.Node, f func(text string)) {
	if n.Kind == jsontext.String {
		f(n.Str())
	}
	for _, item := range n.Items {
		visitStrings(item, f)
	}
}

// Fill returns the arguments of the step with references replaced by the values that they refer to. It calls
// result with the ID of a step to get the step's result. References inside filled-in values are not replaced.
// <<var:name>> in a filled-in value is text unless the schema of the result declares a variable there. The error
// is a [*ReferenceError] if a value does not exist, or if the values exceed 16 MiB.
func (s Step) Fill(result func(step string) (Result, bool)) (json.RawMessage, error) {
	if len(s.Arguments) == 0 {
		return s.Arguments, nil
	}
	n, err := jsontext.Parse(string(s.Arguments), jsontext.MaxDepth)
	if err != nil {
		return nil, &ReferenceError{Reference: referenceOpen, Reason: "the arguments are not valid JSON: " + err.Error()}
	}
	f := filler{result: result, parsed: map[string]*source{}}
	filled := f.fillValue(n, "")
	if f.err != nil {
		return nil, f.err
	}
	return filled.Append(nil), nil
}

// filler fills values into arguments.
type filler struct {
	result func(step string) (Result, bool)
	parsed map[string]*source // by the ID of the step
	size   int                // total size of the filled-in values, in bytes
	err    error
}

// source is a parsed result. Schema may be nil.
type source struct {
	value  *jsontext.Node
	schema *jsonschema.Schema
}

func (f *filler) setError(at string, p part, format string, args ...any) {
	if f.err == nil {
		f.err = &ReferenceError{Pointer: at, Reference: p.text, Reason: fmt.Sprintf(format, args...)}
	}
}

func (f *filler) fillValue(n *jsontext.Node, at string) *jsontext.Node {
	switch n.Kind {
	case jsontext.String:
		if text := n.Str(); mayRefer(text) {
			return f.fillText(splitReferences(text), n, at)
		}
	case jsontext.Array, jsontext.Object:
		return mapParts(n, at, f.fillValue)
	}
	return n
}

// fillText returns a string with its references replaced.
func (f *filler) fillText(all []part, n *jsontext.Node, at string) *jsontext.Node {
	if isSingleReference(all) {
		found, schemas := f.findValue(all[0], at)
		if f.err != nil {
			return n
		}
		filled := escapeReferences(found, schemas)
		filled.Key = n.Key
		return filled
	}
	var b strings.Builder
	filled := false
	for _, p := range all {
		if !p.refers {
			b.WriteString(p.text)
			continue
		}
		found, _ := f.findValue(p, at)
		if f.err != nil {
			return n
		}
		filled = true
		if found.Is(jsontext.String) {
			b.WriteString(found.Str())
		} else {
			b.WriteString(found.String())
		}
	}
	text := b.String()
	if filled { // the filled-in values may have formed a reference by accident
		text = reference.Escape(text)
	}
	return &jsontext.Node{Kind: jsontext.String, Key: n.Key, Text: jsontext.Quote(text)}
}

// findValue returns a referenced value and its possible schemas.
func (f *filler) findValue(p part, at string) (*jsontext.Node, []*jsonschema.Schema) {
	if p.broken {
		f.setError(at, p, "it is not a reference such as %s", Reference{"1", "/id"})
		return nil, nil
	}
	from := f.loadSource(p, at)
	if f.err != nil {
		return nil, nil
	}
	found := from.value.At(p.to.Pointer)
	if found == nil {
		f.setError(at, p, "the result of step %s has nothing at %s", quoteText(p.to.Step), cutText(p.to.Pointer))
		return nil, nil
	}
	if f.size += len(found.String()); f.size > maxFilledBytes {
		f.setError(at, p, "the arguments would be longer than %d bytes; refer to smaller parts of the results", maxFilledBytes)
	}
	return found, schemasAt([]*jsonschema.Schema{from.schema}, p.to.Pointer)
}

// loadSource returns the parsed result of a step. It parses each result once.
func (f *filler) loadSource(p part, at string) *source {
	if s := f.parsed[p.to.Step]; s != nil {
		return s
	}
	r, ok := f.result(p.to.Step)
	if !ok {
		f.setError(at, p, "step %s has no result", quoteText(p.to.Step))
		return nil
	}
	value, err := jsontext.Parse(string(r.Value), jsontext.MaxDepth)
	if err != nil {
		f.setError(at, p, "the result of step %s is not valid JSON: %v", quoteText(p.to.Step), err)
		return nil
	}
	f.parsed[p.to.Step] = &source{value, schemaOr(r.Output, anySchema)}
	return f.parsed[p.to.Step]
}

// escapeReferences escapes references to variables, such as <<var:name>>, in all strings of a value, except where
// a schema declares a variable.
func escapeReferences(n *jsontext.Node, schemas []*jsonschema.Schema) *jsontext.Node {
	switch n.Kind {
	case jsontext.String:
		text := n.Str()
		literal := reference.Escape(text)
		if literal == text || isVariablePlace(schemas) {
			break
		}
		return &jsontext.Node{Kind: jsontext.String, Key: n.Key, Text: jsontext.Quote(literal)}
	case jsontext.Array, jsontext.Object:
		return mapParts(n, "", func(item *jsontext.Node, at string) *jsontext.Node {
			return escapeReferences(item, schemasAt(schemas, at))
		})
	}
	copied := *n
	return &copied
}

// isVariablePlace reports whether one of the schemas declares that its strings refer to variables.
func isVariablePlace(schemas []*jsonschema.Schema) bool {
	return slices.ContainsFunc(schemas, func(s *jsonschema.Schema) bool { return s.Node.Member("pattern").Str() == reference.Pattern })
}

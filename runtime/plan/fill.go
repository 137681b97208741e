package plan

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/reference"
)

// Result is what a step has resulted in.
type Result struct {
	Value  json.RawMessage
	Output json.RawMessage // JSON Schema of such results; nothing if there is none
}

// longestFilled bounds arguments into which values were put, in bytes: a text may
// name one result many times.
const longestFilled = 16 << 20

// References returns what the arguments of the step refer to, each once, in order.
func (s Step) References() (all []Reference) {
	n, err := jsontext.Parse(string(s.Arguments), jsontext.MaxDepth)
	if err != nil {
		return nil
	}
	seen := map[Reference]bool{}
	eachString(n, func(text string) {
		if !mayRefer(text) {
			return
		}
		for _, p := range parts(text) {
			if p.refers && !p.broken && !seen[p.to] {
				seen[p.to] = true
				all = append(all, p.to)
			}
		}
	})
	return all
}

// eachString calls f with every string that is a value.
func eachString(n *jsontext.Node, f func(text string)) {
	if n.Kind == jsontext.String {
		f(n.Str())
	}
	for _, item := range n.Items {
		eachString(item, f)
	}
}

// Fill returns the arguments of the step with the values that they refer to, which
// result gives by the ID of a step. What is put in is never read for references
// again, and <<var:name>> in it is text, unless the schema of the result says that
// it refers to a variable. The error is a [*ReferenceError] where there is no such
// value, or what all of them make is longer than 16 MiB.
func (s Step) Fill(result func(step string) (Result, bool)) (json.RawMessage, error) {
	if len(s.Arguments) == 0 {
		return s.Arguments, nil
	}
	n, err := jsontext.Parse(string(s.Arguments), jsontext.MaxDepth)
	if err != nil {
		return nil, &ReferenceError{Reference: referenceOpen, Reason: "the arguments are no JSON: " + err.Error()}
	}
	f := filling{result: result, read: map[string]*source{}}
	filled := f.value(n, "")
	if f.err != nil {
		return nil, f.err
	}
	return filled.Append(nil), nil
}

// filling puts values into arguments.
type filling struct {
	result func(step string) (Result, bool)
	read   map[string]*source // by step
	size   int                // of what was put in
	err    error
}

// A source is a result that was read. Schema is nil if there is none.
type source struct {
	value  *jsontext.Node
	schema *jsonschema.Schema
}

func (f *filling) fail(at string, p part, format string, args ...any) {
	if f.err == nil {
		f.err = &ReferenceError{Pointer: at, Reference: p.text, Reason: fmt.Sprintf(format, args...)}
	}
}

func (f *filling) value(n *jsontext.Node, at string) *jsontext.Node {
	switch n.Kind {
	case jsontext.String:
		if text := n.Str(); mayRefer(text) {
			return f.text(parts(text), n, at)
		}
	case jsontext.Array, jsontext.Object:
		return withParts(n, at, f.value)
	}
	return n
}

// text returns what a string with references becomes.
func (f *filling) text(all []part, n *jsontext.Node, at string) *jsontext.Node {
	if isWhole(all) {
		found, schemas := f.find(all[0], at)
		if f.err != nil {
			return n
		}
		filled := escaped(found, schemas)
		filled.Key = n.Key
		return filled
	}
	var b strings.Builder
	put := false
	for _, p := range all {
		if !p.refers {
			b.WriteString(p.text)
			continue
		}
		found, _ := f.find(p, at)
		if f.err != nil {
			return n
		}
		put = true
		if found.Is(jsontext.String) {
			b.WriteString(found.Str())
		} else {
			b.WriteString(found.String())
		}
	}
	text := b.String()
	if put { // what values made a reference of is none
		text = reference.Escape(text)
	}
	return &jsontext.Node{Kind: jsontext.String, Key: n.Key, Text: jsontext.Quote(text)}
}

// find returns the value that is referred to, and what its schema says of it.
func (f *filling) find(p part, at string) (*jsontext.Node, []*jsonschema.Schema) {
	if p.broken {
		f.fail(at, p, "it is no reference, which is written as in %s", Reference{"1", "/id"})
		return nil, nil
	}
	from := f.source(p, at)
	if f.err != nil {
		return nil, nil
	}
	found := from.value.At(p.to.Pointer)
	if found == nil {
		f.fail(at, p, "the result of step %s has nothing at %s", show(p.to.Step), cut(p.to.Pointer))
		return nil, nil
	}
	if f.size += len(found.String()); f.size > longestFilled {
		f.fail(at, p, "the arguments would be longer than %d bytes; refer to less", longestFilled)
	}
	return found, reach([]*jsonschema.Schema{from.schema}, p.to.Pointer)
}

// source returns the result of a step, which is read once.
func (f *filling) source(p part, at string) *source {
	if known := f.read[p.to.Step]; known != nil {
		return known
	}
	r, ok := f.result(p.to.Step)
	if !ok {
		f.fail(at, p, "step %s has no result", show(p.to.Step))
		return nil
	}
	value, err := jsontext.Parse(string(r.Value), jsontext.MaxDepth)
	if err != nil {
		f.fail(at, p, "the result of step %s is no JSON: %v", show(p.to.Step), err)
		return nil
	}
	f.read[p.to.Step] = &source{value, schemaOr(r.Output, anything)}
	return f.read[p.to.Step]
}

// escaped returns a value in which no string refers to a variable, except where
// one of the schemas says so.
func escaped(n *jsontext.Node, schemas []*jsonschema.Schema) *jsontext.Node {
	switch n.Kind {
	case jsontext.String:
		text := n.Str()
		literal := reference.Escape(text)
		if literal == text || isVariablePlace(schemas) {
			break
		}
		return &jsontext.Node{Kind: jsontext.String, Key: n.Key, Text: jsontext.Quote(literal)}
	case jsontext.Array, jsontext.Object:
		return withParts(n, "", func(item *jsontext.Node, at string) *jsontext.Node { return escaped(item, reach(schemas, at)) })
	}
	copied := *n
	return &copied
}

// isVariablePlace reports whether values of a schema refer to variables.
func isVariablePlace(schemas []*jsonschema.Schema) bool {
	for _, s := range schemas {
		if s.Node.Member("pattern").Str() == reference.Pattern {
			return true
		}
	}
	return false
}

package tool

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/wire"
)

// available reports whether the tool can be called with a scope, which may be
// nil.
func (t Tool) available(s *Scope) bool {
	x := t.peculiar()
	if s == nil {
		return !x.scoped
	}
	return !slices.ContainsFunc(x.needs, func(fits func(any) bool) bool { return len(s.variables.Fitting(fits)) == 0 })
}

// scopeError returns why the tool cannot run with a scope, which may be nil, whatever
// its arguments are.
func (t Tool) scopeError(s *Scope) error {
	x := t.peculiar()
	switch {
	case s == nil && x.scoped && x.yields != "":
		return &ScopeError{Err: errors.New("there is no scope to keep the result in: the context needs one, by tool.WithScope")}
	case s == nil && x.scoped:
		return &ScopeError{Err: errors.New("there is no scope: the context needs one, by tool.WithScope")}
	case s != nil && x.yields != "":
		return s.variables.Full()
	}
	return nil
}

// input returns the schema of the arguments in a scope, which may be nil.
func (t Tool) input(s *Scope) json.RawMessage {
	schema := t.Definition().Input
	if s != nil && s.refersToValues {
		schema = admitReferences(schema)
	}
	return schema
}

// referenceSchema is the JSON Schema of a reference.
const referenceSchema = `{"type":"string","pattern":"` + wire.ReferencePattern + `","description":"a reference to a variable"}`

const maxSchemaDepth = 1000

// admitReferences lets each property of an input schema be a reference, too.
func admitReferences(input json.RawMessage) json.RawMessage {
	schema, err := jsontext.Parse(string(input), maxSchemaDepth)
	if err != nil {
		return input
	}
	properties := schema.Member("properties")
	if !properties.Is(jsontext.Object) {
		return input
	}
	var b []byte
	done := int32(0) // how much of the text was copied
	for _, p := range properties.Items {
		b = append(b, input[done:p.Start]...)
		b = appendOrReference(b, p)
		done = p.End
	}
	return append(b, input[done:]...)
}

// appendOrReference appends the schema of what is valid for one and of references.
// What says what the value is for stays at the top.
func appendOrReference(b []byte, schema *jsontext.Node) []byte {
	if schema.Member("pattern").Str() == wire.ReferencePattern {
		return schema.Append(b)
	}
	var said []string
	rest := *schema
	rest.Items = nil
	for _, m := range schema.Items {
		switch m.Name() {
		case "title", "description", "default":
			said = append(said, m.Key+":"+m.String())
		default:
			rest.Items = append(rest.Items, m)
		}
	}
	said = append(said, `"anyOf":[`+rest.String()+","+referenceSchema+"]")
	return append(b, "{"+strings.Join(said, ",")+"}"...)
}

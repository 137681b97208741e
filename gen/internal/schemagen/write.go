package schemagen

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/invopop/jsonschema"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// appendSchema writes a schema like encoding/json, but without HTML escaping, so that arrows in
// descriptions stay readable. It is also faster, because encoding/json writes, checks and copies a nested
// schema once for each level. Only the members that the builder sets are written.
func appendSchema(b []byte, s *jsonschema.Schema) []byte {
	if s == jsonschema.FalseSchema {
		return append(b, "false"...)
	}
	o := objectWriter{b}
	if members, ok := s.Extras[writtenMembers].(string); ok {
		o.b = append(append(o.b, ','), members...)
	}
	o.writeText("$ref", s.Ref)
	o.writeNamed("$defs", s.Definitions)
	appendList(&o, "anyOf", s.AnyOf, appendSchema)
	o.writeSchema("items", s.Items)
	o.writeProperties(s)
	o.writeSchema("additionalProperties", s.AdditionalProperties)
	o.writeSchema("propertyNames", s.PropertyNames)
	o.writeText("type", s.Type)
	if s.Const != nil {
		o.b = appendValue(o.writeMember("const", ""), s.Const)
	}
	appendList(&o, "enum", s.Enum, appendValue)
	o.writeNumber("multipleOf", s.MultipleOf)
	o.writeNumber("maximum", s.Maximum)
	o.writeNumber("exclusiveMaximum", s.ExclusiveMaximum)
	o.writeNumber("minimum", s.Minimum)
	o.writeNumber("exclusiveMinimum", s.ExclusiveMinimum)
	o.writeCount("maxLength", s.MaxLength)
	o.writeCount("minLength", s.MinLength)
	o.writeText("pattern", s.Pattern)
	o.writeCount("maxItems", s.MaxItems)
	o.writeCount("minItems", s.MinItems)
	if s.UniqueItems {
		o.writeMember("uniqueItems", "true")
	}
	appendList(&o, "required", s.Required, jsontext.AppendQuoted)
	o.writeText("format", s.Format)
	o.writeText("contentEncoding", s.ContentEncoding)
	o.writeText("title", s.Title)
	o.writeText("description", s.Description)
	if s.Default != nil {
		o.b = appendValue(o.writeMember("default", ""), s.Default)
	}
	appendList(&o, "examples", s.Examples, appendValue)
	switch {
	case len(o.b) > len(b):
		o.b[len(b)] = '{' // instead of the comma
	case s.Extras == nil:
		return append(b, "true"...)
	default:
		o.b = append(o.b, '{')
	}
	return append(o.b, '}')
}

// writtenMembers is the key in Schema.Extras for members that are already JSON text.
const writtenMembers = "written"

// An objectWriter writes the members of a JSON object. Its methods leave out empty values.
type objectWriter struct{ b []byte }

// writeMember writes a name and the value, or the beginning of the value.
func (o *objectWriter) writeMember(name, value string) []byte {
	o.b = append(append(append(o.b, `,"`...), name...), `":`...)
	o.b = append(o.b, value...)
	return o.b
}

func (o *objectWriter) writeText(name, value string) {
	if value != "" {
		o.b = jsontext.AppendQuoted(o.writeMember(name, ""), value)
	}
}

func (o *objectWriter) writeNumber(name string, n json.Number) {
	if n != "" {
		o.writeMember(name, string(n))
	}
}

func (o *objectWriter) writeCount(name string, n *uint64) {
	if n != nil {
		o.b = strconv.AppendUint(o.writeMember(name, ""), *n, 10)
	}
}

func (o *objectWriter) writeSchema(name string, s *jsonschema.Schema) {
	if s != nil {
		o.b = appendSchema(o.writeMember(name, ""), s)
	}
}

// appendList writes a list, unless it is empty.
func appendList[T any](o *objectWriter, name string, list []T, appendItem func([]byte, T) []byte) {
	if len(list) == 0 {
		return
	}
	o.writeMember(name, "[")
	for i, item := range list {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.b = appendItem(o.b, item)
	}
	o.b = append(o.b, ']')
}

// writeProperties writes the properties in their order.
func (o *objectWriter) writeProperties(s *jsonschema.Schema) {
	if s.Properties == nil {
		return
	}
	o.writeMember("properties", "{")
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		o.writeEntry(p.Key, p.Value)
	}
	o.b = append(o.b, '}')
}

func (o *objectWriter) writeNamed(name string, schemas map[string]*jsonschema.Schema) {
	if len(schemas) == 0 {
		return
	}
	o.writeMember(name, "{")
	for _, key := range slices.Sorted(maps.Keys(schemas)) {
		o.writeEntry(key, schemas[key])
	}
	o.b = append(o.b, '}')
}

// writeEntry writes one schema of an object of schemas.
func (o *objectWriter) writeEntry(key string, s *jsonschema.Schema) {
	if o.b[len(o.b)-1] != '{' {
		o.b = append(o.b, ',')
	}
	o.b = appendSchema(append(jsontext.AppendQuoted(o.b, key), ':'), s)
}

// appendValue writes a value of a kind that the builder creates.
func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return jsontext.AppendQuoted(b, v)
	case json.RawMessage:
		return append(b, v...)
	}
	panic(fmt.Sprintf("schema: unexpected value of type %T", v))
}

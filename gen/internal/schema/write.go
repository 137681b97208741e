package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/invopop/jsonschema"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// appendSchema writes a schema as encoding/json does, but without HTML escaping: the
// notation's arrow in a description stays an arrow. That package would write, check and
// copy what is in a schema once for each schema around it. Of the members those are
// written that the builder sets, in the order of their type.
func appendSchema(b []byte, s *jsonschema.Schema) []byte {
	if s == jsonschema.FalseSchema {
		return append(b, "false"...)
	}
	o := object{b}
	o.text("$ref", s.Ref)
	o.named("$defs", s.Definitions)
	o.schemas("anyOf", s.AnyOf)
	o.schema("items", s.Items)
	o.properties(s)
	o.schema("additionalProperties", s.AdditionalProperties)
	o.schema("propertyNames", s.PropertyNames)
	o.text("type", s.Type)
	o.values("enum", s.Enum)
	o.number("multipleOf", s.MultipleOf)
	o.number("maximum", s.Maximum)
	o.number("exclusiveMaximum", s.ExclusiveMaximum)
	o.number("minimum", s.Minimum)
	o.number("exclusiveMinimum", s.ExclusiveMinimum)
	o.count("maxLength", s.MaxLength)
	o.count("minLength", s.MinLength)
	o.text("pattern", s.Pattern)
	o.count("maxItems", s.MaxItems)
	o.count("minItems", s.MinItems)
	if s.UniqueItems {
		o.member("uniqueItems", "true")
	}
	o.names("required", s.Required)
	o.text("format", s.Format)
	o.text("contentEncoding", s.ContentEncoding)
	o.text("title", s.Title)
	o.text("description", s.Description)
	if s.Default != nil {
		o.b = appendValue(o.member("default", ""), s.Default)
	}
	o.values("examples", s.Examples)
	switch {
	case len(o.b) > len(b):
		o.b[len(b)] = '{' // in place of a comma
	case s.Extras == nil:
		return append(b, "true"...)
	default:
		o.b = append(o.b, '{')
	}
	return append(o.b, '}')
}

// An object is one that is being written. Its functions leave out what is empty.
type object struct{ b []byte }

// member begins one, with the text of its value or the beginning of that.
func (o *object) member(name, value string) []byte {
	o.b = append(append(append(o.b, `,"`...), name...), `":`...)
	o.b = append(o.b, value...)
	return o.b
}

func (o *object) text(name, value string) {
	if value != "" {
		o.b = jsontext.AppendQuoted(o.member(name, ""), value)
	}
}

func (o *object) number(name string, n json.Number) {
	if n != "" {
		o.member(name, string(n))
	}
}

func (o *object) count(name string, n *uint64) {
	if n != nil {
		o.b = strconv.AppendUint(o.member(name, ""), *n, 10)
	}
}

func (o *object) schema(name string, s *jsonschema.Schema) {
	if s != nil {
		o.b = appendSchema(o.member(name, ""), s)
	}
}

func (o *object) schemas(name string, list []*jsonschema.Schema) {
	appendList(o, name, list, appendSchema)
}

func (o *object) names(name string, list []string) {
	appendList(o, name, list, jsontext.AppendQuoted)
}

func (o *object) values(name string, list []any) { appendList(o, name, list, appendValue) }

func appendList[T any](o *object, name string, list []T, appendItem func([]byte, T) []byte) {
	if len(list) == 0 {
		return
	}
	o.member(name, "[")
	for i, item := range list {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.b = appendItem(o.b, item)
	}
	o.b = append(o.b, ']')
}

// properties keeps their order.
func (o *object) properties(s *jsonschema.Schema) {
	if s.Properties == nil {
		return
	}
	o.member("properties", "{")
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		o.entry(p.Key, p.Value)
	}
	o.b = append(o.b, '}')
}

func (o *object) named(name string, schemas map[string]*jsonschema.Schema) {
	if len(schemas) == 0 {
		return
	}
	o.member(name, "{")
	for _, key := range slices.Sorted(maps.Keys(schemas)) {
		o.entry(key, schemas[key])
	}
	o.b = append(o.b, '}')
}

// entry writes one of the schemas in an object of such.
func (o *object) entry(key string, s *jsonschema.Schema) {
	if o.b[len(o.b)-1] != '{' {
		o.b = append(o.b, ',')
	}
	o.b = appendSchema(append(jsontext.AppendQuoted(o.b, key), ':'), s)
}

// appendValue writes one of the kinds of values that the builder makes.
func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return jsontext.AppendQuoted(b, v)
	case json.RawMessage:
		return append(b, v...)
	}
	panic(fmt.Sprintf("schema: a value of type %T", v))
}

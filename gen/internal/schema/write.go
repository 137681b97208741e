package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// text is a schema as encoding/json writes it, but without HTML escaping: the notation's
// arrow in a description stays an arrow. That package would write, check and copy what is
// in a schema once for each schema around it.
func text(s *jsonschema.Schema) string { return string(appendSchema(nil, s)) }

// members are those of a schema, with their names as JSON: "type":.
var members = func() (all []reflect.StructField) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[jsonschema.Schema]()) {
		if name, _, ok := strings.Cut(f.Tag.Get("json"), ","); ok {
			f.Name = jsontext.Quote(name) + ":"
			all = append(all, f)
		}
	}
	return all
}()

func appendSchema(b []byte, s *jsonschema.Schema) []byte {
	switch s {
	case jsonschema.TrueSchema:
		return append(b, "true"...)
	case jsonschema.FalseSchema:
		return append(b, "false"...)
	}
	begin := len(b)
	for v, i := reflect.ValueOf(s).Elem(), 0; i < len(members); i++ {
		field := v.FieldByIndex(members[i].Index)
		if isEmpty(field) {
			continue
		}
		b = append(b, ',')
		b = append(b, members[i].Name...)
		if members[i].Type == reflect.TypeOf(s.Properties) {
			b = appendProperties(b, s)
		} else {
			b = appendValue(b, field)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Extras)) {
		b = append(jsontext.AppendQuoted(append(b, ','), name), ':')
		b = appendAny(b, s.Extras[name])
	}
	switch {
	case len(b) > begin:
		b[begin] = '{' // in place of a comma
	case s.Extras == nil:
		return append(b, "true"...)
	default:
		b = append(b, '{')
	}
	return append(b, '}')
}

// isEmpty reports whether a member is left out.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}

func appendValue(b []byte, v reflect.Value) []byte {
	switch {
	case v.Kind() == reflect.String && v.Type() != reflect.TypeFor[json.Number]():
		return jsontext.AppendQuoted(b, v.String())
	case v.Kind() == reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	case v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Uint64:
		return strconv.AppendUint(b, v.Elem().Uint(), 10)
	}
	switch v := v.Interface().(type) {
	case *jsonschema.Schema:
		return appendSchema(b, v)
	case []*jsonschema.Schema:
		return appendList(b, v, appendSchema)
	case []string:
		return appendList(b, v, jsontext.AppendQuoted)
	case []any:
		return appendList(b, v, appendAny)
	case jsonschema.Definitions:
		return appendNamed(b, v)
	case map[string]*jsonschema.Schema:
		return appendNamed(b, v)
	default:
		return appendAny(b, v)
	}
}

func appendList[T any](b []byte, list []T, appendItem func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, item := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendItem(b, item)
	}
	return append(b, ']')
}

// appendProperties keeps their order.
func appendProperties(b []byte, s *jsonschema.Schema) []byte {
	b = append(b, '{')
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(jsontext.AppendQuoted(b, p.Key), ':')
		b = appendSchema(b, p.Value)
	}
	return append(b, '}')
}

func appendNamed(b []byte, schemas map[string]*jsonschema.Schema) []byte {
	b = append(b, '{')
	for i, name := range slices.Sorted(maps.Keys(schemas)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(jsontext.AppendQuoted(b, name), ':')
		b = appendSchema(b, schemas[name])
	}
	return append(b, '}')
}

func appendAny(b []byte, v any) []byte {
	text, err := jsontext.Encode(v)
	if err != nil {
		panic(fmt.Sprintf("schema: %v", err)) // the builder makes no such value
	}
	return append(b, text...)
}

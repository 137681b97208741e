package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// parse reads a schema, with numbers as they are written. None allows all.
func parse(text json.RawMessage) (any, error) {
	if len(text) == 0 {
		return true, nil
	}
	var v any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("there is text behind it")
	}
	return v, nil
}

// annotations are the keywords that allow and forbid nothing, with those that
// only hold what is referred to.
var annotations = []string{
	"$schema", "$id", "$anchor", "$comment", "$defs", "definitions", "$vocabulary",
	"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly",
}

// understood are the keywords that are compared, by the type of what they limit.
var understood = map[string][]string{
	"string":  {"minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"},
	"number":  {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
	"integer": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
	"array":   {"items", "minItems", "maxItems", "uniqueItems"},
	"object":  {"properties", "required", "additionalProperties", "propertyNames", "minProperties", "maxProperties"},
}

// allTypes are those of values; an integer is a number.
var allTypes = []string{"null", "boolean", "string", "number", "array", "object"}

// constrains reports whether a keyword limits values.
func constrains(word string) bool {
	return !slices.Contains(annotations, word) && !strings.HasPrefix(word, "x-")
}

// constraints are the keywords of a schema that limit values, in order.
func constraints(words map[string]any) (found []string) {
	for word := range words {
		if constrains(word) {
			found = append(found, word)
		}
	}
	slices.Sort(found)
	return found
}

// only reports whether a schema says nothing but one keyword.
func only(words map[string]any, word string) bool {
	return slices.Equal(constraints(words), []string{word})
}

// resolve follows a reference within its document, where the schema says nothing
// else. The name is that of the last one followed, "" if there was none. What
// leads nowhere is left as it is.
func resolve(root, schema any) (name string, _ any) {
	for range maxDepth {
		words, ok := schema.(map[string]any)
		if !ok || !only(words, "$ref") {
			return name, schema
		}
		ref, _ := words["$ref"].(string)
		target, ok := lookUp(root, ref)
		if !ok {
			return name, schema
		}
		name, schema = ref, target
	}
	return name, schema
}

// lookUp finds what a reference by JSON Pointer means.
func lookUp(root any, ref string) (any, bool) {
	pointer, local := strings.CutPrefix(ref, "#")
	if !local || pointer != "" && pointer[0] != '/' {
		return nil, false
	}
	at := root
	for _, token := range strings.Split(pointer, "/")[1:] {
		words, ok := at.(map[string]any)
		if !ok {
			return nil, false
		}
		if at, ok = words[nameOf(token)]; !ok {
			return nil, false
		}
	}
	return at, true
}

// nameOf is what a token of a reference means.
func nameOf(token string) string {
	if plain, err := url.PathUnescape(token); err == nil {
		token = plain
	}
	return jsontext.Name(token)
}

// kindsOf are the types that a schema names, or that its values have; nil where
// it allows all of them, or says what is not understood.
func kindsOf(words map[string]any) (types []string) {
	switch t := words["type"].(type) {
	case string:
		return []string{t}
	case []any:
		for _, name := range t {
			if name, ok := name.(string); ok {
				types = append(types, name)
			}
		}
		return types
	}
	for _, value := range valuesOf(words) {
		all := append([]string{"integer"}, allTypes...)
		i := slices.IndexFunc(all, func(t string) bool { return isOf(value, t) })
		if i >= 0 && !slices.Contains(types, all[i]) {
			types = append(types, all[i])
		}
	}
	return types
}

// valuesOf are the only values that a schema allows, nil where it lists none.
func valuesOf(words map[string]any) []any {
	if value, ok := words["const"]; ok {
		return []any{value}
	}
	list, _ := words["enum"].([]any)
	return list
}

// isOf reports whether a value is of a type.
func isOf(value any, typ string) bool {
	switch v := value.(type) {
	case nil:
		return typ == "null"
	case bool:
		return typ == "boolean"
	case string:
		return typ == "string"
	case []any:
		return typ == "array"
	case map[string]any:
		return typ == "object"
	case json.Number:
		n, ok := numberOf(v)
		return typ == "number" || typ == "integer" && ok && n.IsInteger()
	}
	return false
}

// numberOf is a number. It is not ok for what is none, or too long to reckon with.
func numberOf(v any) (jsontext.Decimal, bool) {
	n, ok := v.(json.Number)
	if !ok || len(n) > maxDigits {
		return jsontext.Decimal{}, false
	}
	return jsontext.ParseDecimal(n.String()), true
}

// sameDefinitions reports whether references of two schemas mean the same, so
// that what is equal in text is equal.
func sameDefinitions(a, b any) bool {
	definitions := func(schema any) []any {
		words, _ := schema.(map[string]any)
		return []any{words["$defs"], words["definitions"]}
	}
	return reflect.DeepEqual(definitions(a), definitions(b)) && !rootReferred(a) && !rootReferred(b)
}

// rootReferred reports whether a schema refers to a part of itself that is no
// definition.
func rootReferred(schema any) bool {
	switch s := schema.(type) {
	case map[string]any:
		if ref, ok := s["$ref"].(string); ok && !strings.HasPrefix(ref, "#/$defs/") && !strings.HasPrefix(ref, "#/definitions/") {
			return true
		}
		for _, part := range s {
			if rootReferred(part) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(s, rootReferred)
	}
	return false
}

package contract

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// parse reads a schema. None allows all.
func parse(text json.RawMessage) (*jsontext.Node, error) {
	if len(text) == 0 {
		return anything, nil
	}
	return jsontext.Parse(string(text), deepest)
}

// deepest bounds how deeply texts nest that are read at all.
const deepest = 10_000

var (
	anything = &jsontext.Node{Kind: jsontext.Bool, Text: "true"}
	zero     = &jsontext.Node{Kind: jsontext.Number, Text: "0"}
)

func isTrue(n *jsontext.Node) bool  { return n.Is(jsontext.Bool) && n.Text == "true" }
func isFalse(n *jsontext.Node) bool { return n.Is(jsontext.Bool) && n.Text == "false" }

// equal reports whether two values are the same, either of which may be missing.
func equal(a, b *jsontext.Node) bool {
	return a == nil && b == nil || a != nil && b != nil && jsontext.Equal(a, b)
}

// strs are the values of an array that are strings.
func strs(n *jsontext.Node) (all []string) {
	if n.Is(jsontext.Array) {
		for _, item := range n.Items {
			if item.Is(jsontext.String) {
				all = append(all, item.Str())
			}
		}
	}
	return all
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
func constraints(words *jsontext.Node) (found []string) {
	for _, word := range words.Items {
		if name := word.Name(); words.Is(jsontext.Object) && constrains(name) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

// only reports whether a schema says nothing but one keyword.
func only(words *jsontext.Node, word string) bool {
	return slices.Equal(constraints(words), []string{word})
}

// resolve follows a reference within its document, where the schema says nothing
// else. The name is that of the last one followed, "" if there was none. What
// leads nowhere is left as it is.
func resolve(root, schema *jsontext.Node) (name string, _ *jsontext.Node) {
	for range maxDepth {
		if !schema.Is(jsontext.Object) || !only(schema, "$ref") {
			return name, schema
		}
		ref := schema.Member("$ref").Str()
		target := lookUp(root, ref)
		if target == nil {
			return name, schema
		}
		name, schema = ref, target
	}
	return name, schema
}

// lookUp finds what a reference by JSON Pointer means; nil if that is nothing.
func lookUp(root *jsontext.Node, ref string) *jsontext.Node {
	pointer, local := strings.CutPrefix(ref, "#")
	if !local {
		return nil
	}
	if plain, err := url.PathUnescape(pointer); err == nil {
		pointer = plain
	}
	return root.At(pointer)
}

// kindsOf are the types that a schema names, or that its values have; nil where
// it allows all of them, or says what is not understood.
func kindsOf(words *jsontext.Node) (types []string) {
	if t := words.Member("type"); t.Is(jsontext.String) {
		return []string{t.Str()}
	} else if t.Is(jsontext.Array) {
		return strs(t)
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
func valuesOf(words *jsontext.Node) []*jsontext.Node {
	if value := words.Member("const"); value != nil {
		return []*jsontext.Node{value}
	}
	if list := words.Member("enum"); list.Is(jsontext.Array) {
		return append([]*jsontext.Node{}, list.Items...)
	}
	return nil
}

// isOf reports whether a value is of a type.
func isOf(value *jsontext.Node, typ string) bool {
	if typ == "integer" {
		n, ok := numberOf(value)
		return ok && n.IsInteger()
	}
	return slices.Index(allTypes, typ) == slices.Index(kinds, value.Kind)
}

// kinds are those of allTypes.
var kinds = []jsontext.Kind{jsontext.Null, jsontext.Bool, jsontext.String, jsontext.Number, jsontext.Array, jsontext.Object}

// numberOf is a number. It is not ok for what is none, or too long to reckon with.
func numberOf(n *jsontext.Node) (jsontext.Decimal, bool) {
	if !n.Is(jsontext.Number) || len(n.Text) > maxDigits {
		return jsontext.Decimal{}, false
	}
	return jsontext.ParseDecimal(n.Text), true
}

// sameDefinitions reports whether references of two schemas mean the same, so
// that what is equal in text is equal.
func sameDefinitions(a, b *jsontext.Node) bool {
	return equal(a.Member("$defs"), b.Member("$defs")) && equal(a.Member("definitions"), b.Member("definitions")) && !rootReferred(a) && !rootReferred(b)
}

// rootReferred reports whether a schema refers to a part of itself that is no
// definition.
func rootReferred(schema *jsontext.Node) bool {
	if ref := schema.Member("$ref"); ref.Is(jsontext.String) && !strings.HasPrefix(ref.Str(), "#/$defs/") && !strings.HasPrefix(ref.Str(), "#/definitions/") {
		return true
	}
	return slices.ContainsFunc(schema.Items, rootReferred)
}

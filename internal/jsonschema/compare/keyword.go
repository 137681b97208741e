package compare

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// annotations are the keywords that allow and forbid nothing, with those that
// only hold what is referred to.
var annotations = []string{
	"$schema", "$id", "$anchor", "$comment", "$defs", "definitions", "$vocabulary",
	"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly",
}

// understood are the keywords that are compared by what they mean.
var understood = []string{
	"minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType",
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
	"items", "minItems", "maxItems", "uniqueItems",
	"properties", "required", "additionalProperties", "propertyNames", "minProperties", "maxProperties",
}

// isUnderstood reports whether a keyword is understood as a schema has it: not the
// list of schemas that items may be in old drafts.
func isUnderstood(s *jsonschema.Schema, word string) bool {
	return slices.Contains(understood, word) && (word != "items" || !s.Node.Member(word).Is(jsontext.Array))
}

// constraints are the keywords of a schema that limit values, in order.
func constraints(s *jsonschema.Schema) (found []string) {
	if !s.Node.Is(jsontext.Object) {
		return nil
	}
	for _, word := range s.Node.Items {
		if name := word.Name(); !slices.Contains(annotations, name) && !strings.HasPrefix(name, "x-") {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

// only reports whether a schema says nothing but one keyword.
func only(s *jsonschema.Schema, word string) bool {
	return slices.Equal(constraints(s), []string{word})
}

// equal reports whether two values are the same, either of which may be missing.
func equal(a, b *jsontext.Node) bool {
	return a == nil && b == nil || a != nil && b != nil && jsontext.Equal(a, b)
}

// sameDefinitions reports whether references of two schemas mean the same, so
// that what is equal in text is equal.
func sameDefinitions(a, b *jsontext.Node) bool {
	return equal(a.Member("$defs"), b.Member("$defs")) && equal(a.Member("definitions"), b.Member("definitions")) &&
		!refersElsewhere(a) && !refersElsewhere(b)
}

// refersElsewhere reports whether a schema refers to more than the definitions of the
// document: to another part of it, or to what depends on the way there.
func refersElsewhere(schema *jsontext.Node) bool {
	if ref := schema.Member("$ref"); ref.Is(jsontext.String) && !strings.HasPrefix(ref.Str(), "#/$defs/") && !strings.HasPrefix(ref.Str(), "#/definitions/") {
		return true
	}
	return schema.Member("$dynamicRef").Is(jsontext.String) || slices.ContainsFunc(schema.Items, func(part *jsontext.Node) bool {
		return part.Member("$id").Is(jsontext.String) || refersElsewhere(part)
	})
}

// refers reports whether a part of a schema, the value of a keyword, holds a reference
// or is one.
func refers(part *jsontext.Node) bool {
	name := part.Name()
	return name == "$ref" || name == "$dynamicRef" || slices.ContainsFunc(part.Items, refers)
}

// sameNames reports whether two schemas name the same members, and both or none say
// something of all others, and of elements: then the same are unevaluated by them.
func sameNames(a, b *jsonschema.Schema) bool {
	named := func(s, other *jsonschema.Schema) bool {
		return !slices.ContainsFunc(s.Properties, func(p jsonschema.Property) bool { return other.Property(p.Name) == nil })
	}
	return named(a, b) && named(b, a) && (a.Additional == nil) == (b.Additional == nil) && (a.Items == nil) == (b.Items == nil)
}

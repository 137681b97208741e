package compare

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// annotations are the keywords that do not restrict values, including those that only contain
// definitions.
var annotations = []string{
	"$schema", "$id", "$anchor", "$comment", "$defs", "definitions", "$vocabulary",
	"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly",
}

// understood are the keywords that are compared by their meaning.
var understood = []string{
	"minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType",
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
	"items", "minItems", "maxItems", "uniqueItems",
	"properties", "required", "additionalProperties", "propertyNames", "minProperties", "maxProperties",
}

// isUnderstood reports whether a keyword of a schema is understood. It returns false for items with a list, as in
// old drafts.
func isUnderstood(s *jsonschema.Schema, word string) bool {
	return slices.Contains(understood, word) && (word != "items" || !s.Node.Member(word).Is(jsontext.Array))
}

// constraints returns the keywords of a schema that restrict values, in order.
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

// hasOnly reports whether the given keyword is the only constraint of a schema.
func hasOnly(s *jsonschema.Schema, word string) bool {
	return slices.Equal(constraints(s), []string{word})
}

// equalNodes reports whether two values are equal. Either may be nil.
func equalNodes(a, b *jsontext.Node) bool {
	return a == nil && b == nil || a != nil && b != nil && jsontext.Equal(a, b)
}

// sameDefinitions reports whether references in two documents have the same meaning, so that
// schemas with equal text are equal.
func sameDefinitions(a, b *jsontext.Node) bool {
	return equalNodes(a.Member("$defs"), b.Member("$defs")) && equalNodes(a.Member("definitions"), b.Member("definitions")) &&
		!refersElsewhere(a) && !refersElsewhere(b)
}

// refersElsewhere reports whether a schema contains dynamic references, or references to schemas other than the
// definitions of the document.
func refersElsewhere(schema *jsontext.Node) bool {
	if ref := schema.Member("$ref"); ref.Is(jsontext.String) && !strings.HasPrefix(ref.Str(), "#/$defs/") && !strings.HasPrefix(ref.Str(), "#/definitions/") {
		return true
	}
	return schema.Member("$dynamicRef").Is(jsontext.String) || slices.ContainsFunc(schema.Items, func(part *jsontext.Node) bool {
		return part.Member("$id").Is(jsontext.String) || refersElsewhere(part)
	})
}

// hasReference reports whether the value of a keyword is or contains a reference.
func hasReference(part *jsontext.Node) bool {
	name := part.Name()
	return name == "$ref" || name == "$dynamicRef" || slices.ContainsFunc(part.Items, hasReference)
}

// sameNames reports whether two schemas leave the same members and elements unevaluated. To do so, they must
// declare the same properties. Each of the keywords additionalProperties and items must be in both of them or in
// neither.
func sameNames(a, b *jsonschema.Schema) bool {
	namesAllOf := func(other, s *jsonschema.Schema) bool {
		return !slices.ContainsFunc(s.Properties, func(p jsonschema.Property) bool { return other.Property(p.Name) == nil })
	}
	return namesAllOf(a, b) && namesAllOf(b, a) && (a.Additional == nil) == (b.Additional == nil) && (a.Items == nil) == (b.Items == nil)
}

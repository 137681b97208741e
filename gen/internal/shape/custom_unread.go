package shape

import (
	"encoding/json"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/source"
)

// explainUnread says why the method JSONSchema of a type with its own UnmarshalJSON is ignored, and what
// to change. It returns "" if there is no such method.
func explainUnread(t types.Type, docs func(*types.Package) *source.PackageDoc) string {
	f, ok := findSchemaMethod(t, "JSONSchema")
	if !ok {
		return ""
	}
	reads, ok := findSchemaMethod(t, "UnmarshalJSON")
	if !ok {
		return ""
	}
	m := schemaMethods{owner: receiverType(reads), docs: docs}
	switch {
	case m.owner == nil || receiverType(f) != m.owner:
		return "its method JSONSchema belongs to another type than UnmarshalJSON: declare both methods on the same type"
	case f.Signature().Params().Len() > 0:
		return "its method JSONSchema has parameters: declare it without parameters"
	}
	v := m.readValue(t, "JSONSchema")
	if text, ok := v.(string); ok {
		if json.Unmarshal([]byte(text), &v) != nil {
			return "its method JSONSchema returns invalid JSON"
		}
	}
	s, ok := v.(map[string]any)
	switch {
	case !ok:
		return "aiongen does not run the method JSONSchema, and can only read it if its body is one return of constants: write the schema there as a literal"
	case hasReference(s):
		return "its method JSONSchema returns a schema with $ref, and the schema of an argument contains no references: write the schema itself instead of $ref"
	case hasUnion(s) && !isConstant(s):
		return "a part of what its method JSONSchema returns is not a constant: write the schema there as a literal"
	}
	return "its method JSONSchema returns a schema without a usable type: add one, as in \"type\": \"string\""
}

// hasReference reports whether a schema refers to another one at any depth.
func hasReference(v any) bool {
	return anyPart("", v, func(name string, v any) bool {
		_, isText := v.(string) // "ref" is the field Ref of a schema in Go, or the name of a property
		return isText && (name == "$ref" || name == "ref")
	})
}

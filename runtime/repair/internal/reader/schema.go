package reader

import (
	"encoding/json"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// ParseSchema parses a schema. It returns nil for a blank text.
func ParseSchema(text json.RawMessage) (*jsonschema.Schema, *Failure) {
	if strings.Trim(string(text), scan.Blanks) == "" {
		return nil, nil
	}
	s, err := jsonschema.Parse(text)
	if err != nil {
		return nil, &Failure{Code: Schema, At: Nowhere, Message: "the schema cannot be used: " + err.Error()}
	}
	return s, nil
}

// The following functions accept a nil schema, which means that nothing is known about the value.

// WantsKind reports whether a schema mentions values of kind k.
func WantsKind(s *jsonschema.Schema, k jsontext.Kind) bool {
	if s == nil {
		return false
	}
	types := s.Kinds()
	return types.Has(k) || k == jsontext.Number && types.Has(jsonschema.Integer)
}

// PropertyOf returns the schema of a member: that of the property with its name, or else that of
// additional properties. It returns nil if there is neither.
func PropertyOf(s *jsonschema.Schema, name string) (rest *jsonschema.Schema) {
	if s == nil {
		return nil
	}
	for x := range s.All() {
		if p := x.Property(name); p != nil {
			return p
		}
		if rest == nil {
			rest = x.Additional
		}
	}
	return rest
}

// itemOf returns the schema of the element at index i, or nil if there is none.
func itemOf(s *jsonschema.Schema, i int) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	for x := range s.All() {
		if i < len(x.Prefix) {
			return x.Prefix[i]
		}
		if x.Items != nil {
			return x.Items
		}
	}
	return nil
}

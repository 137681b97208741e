package tree

import (
	"encoding/json"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// ParseSchema reads a schema. It is nil if there is none.
func ParseSchema(text json.RawMessage) (*jsonschema.Schema, *report.Failure) {
	if strings.Trim(string(text), scan.Blanks) == "" {
		return nil, nil
	}
	s, err := jsonschema.Parse(text)
	if err != nil {
		return nil, &report.Failure{Code: report.Schema, At: report.Nowhere, Message: "the schema cannot be used: " + err.Error()}
	}
	return s, nil
}

// The functions that follow tell how a value is to be read that a schema is for;
// nothing, if there is none.

// Wants tells whether a schema speaks of values of a kind.
func Wants(s *jsonschema.Schema, k jsontext.Kind) bool {
	if s == nil {
		return false
	}
	types := s.Speaks()
	return types.Has(k) || k == jsontext.Number && types.Has(jsonschema.Integer)
}

// Property returns the schema of a member; nil if there is none.
func Property(s *jsonschema.Schema, name string) (rest *jsonschema.Schema) {
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

// ItemOf returns the schema of an element; nil if there is none.
func ItemOf(s *jsonschema.Schema, i int) *jsonschema.Schema {
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

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
func Property(s *jsonschema.Schema, name string) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	return named(s, name, 0)
}

func named(s *jsonschema.Schema, name string, depth int) *jsonschema.Schema {
	if p := s.Property(name); p != nil {
		return p
	}
	if depth < jsonschema.Deepest {
		for _, other := range s.Also() {
			if p := named(other, name, depth+1); p != nil {
				return p
			}
		}
	}
	return s.Additional
}

// ItemOf returns the schema of an element; nil if there is none.
func ItemOf(s *jsonschema.Schema, i int) *jsonschema.Schema { return element(s, i, 0) }

func element(s *jsonschema.Schema, i, depth int) *jsonschema.Schema {
	switch {
	case s == nil:
		return nil
	case i < len(s.Prefix):
		return s.Prefix[i]
	case s.Items != nil:
		return s.Items
	}
	if depth < jsonschema.Deepest {
		for _, other := range s.Also() {
			if e := element(other, i, depth+1); e != nil {
				return e
			}
		}
	}
	return nil
}

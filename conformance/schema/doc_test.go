// Package schema checks the JSON Schema checker, and the code that builds on it, against an independent
// validator.
package schema

import (
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

func checkValue(t testing.TB, s *jsonschema.Schema, value string) []jsonschema.Fault {
	t.Helper()
	v, err := jsontext.Parse(value, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return s.Check(v, len(value))
}

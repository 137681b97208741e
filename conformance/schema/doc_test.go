// Package schema holds the checker of JSON Schemas, and what is built on it, against
// a validator that others wrote.
package schema

import (
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

func check(t testing.TB, s *jsonschema.Schema, value string) []jsonschema.Fault {
	t.Helper()
	v, err := jsontext.Parse(value, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return s.Check(v, len(value))
}

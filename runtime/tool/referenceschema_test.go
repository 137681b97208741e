package tool

import (
	"testing"

	"github.com/aiongen/aiongen/runtime/internal/reference"
)

// TestAdmitReferences checks that each property may also be a reference, and that schemas without properties,
// or with references only, are unchanged.
func TestAdmitReferences(t *testing.T) {
	const refers = `{"type":"string","pattern":"` + reference.Pattern + `","description":"a reference to a variable"}`
	for _, tt := range []struct{ schema, want string }{
		{
			`{"type":"object","properties":{"n":{"description":"how many","type":"integer"}}}`,
			`{"type":"object","properties":{"n":{"description":"how many","anyOf":[{"type":"integer"},` + refers + `]}}}`,
		},
		{``, ``},
		{`{`, `{`},
		{`true`, `true`},
		{`{"type":"object"}`, `{"type":"object"}`},
		{`{"properties":true}`, `{"properties":true}`},
		{`{"properties":{"f":` + refers + `}}`, `{"properties":{"f":` + refers + `}}`},
	} {
		if got := string(admitReferences([]byte(tt.schema))); got != tt.want {
			t.Errorf("%s became %s, want %s", tt.schema, got, tt.want)
		}
	}
}

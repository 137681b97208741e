package definition_test

import (
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/runtime/internal/reference"
	"github.com/aiongen/aiongen/runtime/tool/internal/definition"
)

func Example_refer() {
	schema := definition.AdmitReferences([]byte(`{"type":"object","properties":{"n":{"description":"how many","type":"integer"}}}`))
	fmt.Println(string(schema))
	// Output:
	// {"type":"object","properties":{"n":{"description":"how many","anyOf":[{"type":"integer"},{"type":"string","pattern":"^<<var:[A-Za-z0-9_.-]{1,64}>>$","description":"a reference to a variable"}]}}}
}

// TestSame checks that schemas without properties, or with references only, are unchanged.
func TestSame(t *testing.T) {
	for _, schema := range []string{
		``, `{`, `true`, `{"type":"object"}`, `{"properties":true}`,
		`{"properties":{"f":{"type":"string","pattern":"` + reference.Pattern + `"}}}`,
	} {
		if got := string(definition.AdmitReferences([]byte(schema))); got != schema {
			t.Errorf("%s became %s", schema, got)
		}
	}
}

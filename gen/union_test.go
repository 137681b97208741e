package gen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/runtime/schema"
)

// unionSource is a package with a type that describes itself by a union, and a struct with all
// keywords of invopop/jsonschema that do not apply to arguments.
const unionSource = `package desk

import "encoding/json"

// Shape is a circle or a square.
type Shape struct{ raw json.RawMessage }

// UnmarshalJSON keeps the value.
func (s *Shape) UnmarshalJSON(b []byte) error { return s.raw.UnmarshalJSON(b) }

// JSONSchema describes what UnmarshalJSON accepts.
func (Shape) JSONSchema() string {
	return ` + "`" + `{"oneOf": [
		{"type": "object", "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}, "required": ["kind", "r"], "additionalProperties": false},
		{"type": "object", "properties": {"kind": {"const": "square"}, "a": {"type": "number"}}, "required": ["kind", "a"], "additionalProperties": false}]}` + "`" + `
}

// Query has a tag for each keyword.
type Query struct {
	A any    ` + "`" + `json:"a" jsonschema:"oneof_type=string;integer"` + "`" + `
	B any    ` + "`" + `json:"b" jsonschema:"anyof_type=string;integer"` + "`" + `
	C any    ` + "`" + `json:"c" jsonschema:"oneof_ref=#/$defs/X;#/$defs/Y"` + "`" + `
	D any    ` + "`" + `json:"d" jsonschema:"anyof_ref=#/$defs/X"` + "`" + `
	E string ` + "`" + `json:"e,omitempty" jsonschema:"oneof_required=e"` + "`" + `
	F string ` + "`" + `json:"f,omitempty" jsonschema:"anyof_required=f"` + "`" + `
	G string ` + "`" + `json:"g" jsonschema:"readOnly=true,minLength=2"` + "`" + `
	H string ` + "`" + `json:"h" jsonschema:"writeOnly=true,deprecated=true"` + "`" + `
	I string ` + "`" + `json:"i" jsonschema:"type=string,anchor=i" jsonschema_extras:"x=y"` + "`" + `
	S Shape  ` + "`" + `json:"s"` + "`" + `
}

// Find finds a ticket.
func Find(q Query) string { return "" }
`

// TestUnions checks that the schema of a type's own is kept as written, that keywords of
// invopop/jsonschema that do not apply are warnings, and that every target accepts the schema.
func TestUnions(t *testing.T) {
	dir := desk(t, `[ { name --> "find", function --> "Find" --> {} } ]`)
	if err := os.WriteFile(filepath.Join(dir, "desk.go"), []byte(unionSource), 0o644); err != nil {
		t.Fatal(err)
	}
	result, list := Generate(t.Context(), Config{Dir: dir})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	var ignored []string
	for _, d := range list {
		if d.Code == "bad-tag" && d.Severity == diag.Warning {
			_, rest, _ := strings.Cut(d.Message, "the keyword ")
			keyword, _, _ := strings.Cut(rest, " ")
			ignored = append(ignored, keyword)
		}
	}
	if got, want := strings.Join(ignored, " "), "oneof_type anyof_type oneof_ref anyof_ref oneof_required anyof_required readOnly writeOnly deprecated type anchor"; got != want {
		t.Errorf("ignored keywords %s, want %s", got, want)
	}
	written := `{\"oneOf\":[{\"type\":\"object\",\"properties\":{\"kind\":{\"const\":\"circle\"}`
	found := false
	for _, change := range result.Changes {
		found = found || strings.Contains(string(change.New), strings.ReplaceAll(written, `\"`, `"`)) || strings.Contains(string(change.New), written)
	}
	if !found {
		t.Error("the generated code does not have the schema as written")
	}
	for _, target := range schema.Targets() {
		_, list := Generate(t.Context(), Config{Dir: dir, Lint: []schema.Target{target}})
		for _, d := range list {
			if d.Code == "target-refuses" {
				t.Errorf("%s: %v", target, d)
			}
		}
	}
}

package gen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema"
)

// nullableSource is a package with the names of one whose types distinguish null from absent.
const nullableSource = `package nullable

import "encoding/json"

type Nullable[T any] map[bool]T

func (n Nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n[true]) }

func (n *Nullable[T]) UnmarshalJSON(b []byte) error { return nil }
`

const patchSource = `package desk

import (
	"time"

	"github.com/oapi-codegen/nullable"
)

// Status is a state.
type Status string

// The states.
const (
	Open   Status = "open"
	Closed Status = "closed"
)

type Patch struct {
	Nick   nullable.Nullable[string]        ` + "`json:\"nick,omitempty\"`" + `
	Status nullable.Nullable[Status]        ` + "`json:\"status\"`" + `
	Wait   nullable.Nullable[time.Duration] ` + "`json:\"wait,omitempty\"`" + `
	Next   nullable.Nullable[*Patch]        ` + "`json:\"next,omitempty\"`" + `
}

// Find changes a ticket.
func Find(id int, patch Patch) Patch { return patch }

// Rename changes a name.
func Rename(name nullable.Nullable[string]) {}
`

// TestNullableTypes checks the schemas of a well-known type that reads null, and that all providers accept
// them.
func TestNullableTypes(t *testing.T) {
	dir := desk(t, `[ { name --> "find", function --> "Find" --> {} }, { name --> "rename", function --> "Rename" --> {} } ]`)
	if err := os.Mkdir(filepath.Join(dir, "nullable"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"go.mod":               "module example.com/desk\n\ngo 1.26\n\nrequire github.com/oapi-codegen/nullable v1.1.0\n\nreplace github.com/oapi-codegen/nullable => ./nullable\n",
		"desk.go":              patchSource,
		"nullable/go.mod":      "module github.com/oapi-codegen/nullable\n\ngo 1.26\n",
		"nullable/nullable.go": nullableSource,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	found, list := Tools(t.Context(), Config{Dir: dir})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"nick":{"anyOf":[{"type":"string"},{"type":"null"}]}`,
		`"status":{"anyOf":[{"type":"string","enum":["open","closed"],"description":"Status is a state."},{"type":"null"}]}`,
		`"wait":{}`, // encoding/json writes durations as numbers
		`"next":{"anyOf":[{"$ref":"#/$defs/Patch"},{"type":"null"}]}`,
		`"required":["status"]`,
	} {
		if !strings.Contains(string(found[0].Input), want) {
			t.Errorf("the arguments are %s, without %s", found[0].Input, want)
		}
	}
	if want := `"properties":{"name":{"anyOf":[{"type":"string"},{"type":"null"}]}}`; !strings.Contains(string(found[1].Input), want) {
		t.Errorf("the arguments are %s, without %s", found[1].Input, want)
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

package dialect_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsonschema/dialect"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// TestSuite runs JSON Schema's own tests of draft 7. A schema must allow the same values as it is,
// translated, and repaired; repaired with losses, it may allow more. Left out are format.json, because formats are checked here, and
// schemas that refer to other documents.
func TestSuite(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", "github.com/google/jsonschema-go").Output()
	var module struct{ Dir string }
	if err != nil || json.Unmarshal(out, &module) != nil {
		t.Fatalf("the tests of JSON Schema are not there: %v\n%s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(module.Dir, "jsonschema", "testdata", "draft7", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, file := range files {
		if filepath.Base(file) == "format.json" {
			continue
		}
		var groups []struct {
			Description string
			Schema      json.RawMessage
			Tests       []struct {
				Description string
				Data        json.RawMessage
				Valid       bool
			}
		}
		text, err := os.ReadFile(file)
		if err != nil || json.Unmarshal(text, &groups) != nil {
			t.Fatalf("%s cannot be read: %v", file, err)
		}
		for _, g := range groups {
			name := filepath.Base(file) + ": " + g.Description
			declared := strings.Replace(string(g.Schema), "{", `{"$schema":"http://json-schema.org/draft-07/schema#",`, 1)
			if string(g.Schema) == "{}" || g.Schema[0] != '{' {
				declared = string(g.Schema)
			}
			original := parse(t, declared)
			repaired, losses := dialect.Repair(original)
			for way, n := range map[string]*jsontext.Node{"as it is": original, "translated": dialect.Translate(original), "repaired": repaired} {
				s, err := jsonschema.Read(n)
				if err != nil && strings.Contains(err.Error(), "documents are not loaded") {
					continue
				}
				if err != nil {
					t.Errorf("%s, %s: %v", name, way, err)
					continue
				}
				for _, test := range g.Tests {
					faults := s.Check(parse(t, string(test.Data)), len(test.Data))
					if (len(faults) == 0) != test.Valid && (test.Valid || way != "repaired" || losses == nil) {
						t.Errorf("%s, %s: %s: %v in %s", name, way, test.Description, faults, n)
					}
					ran++
				}
			}
		}
	}
	if ran < 2300 {
		t.Errorf("only %d tests ran", ran)
	}
}

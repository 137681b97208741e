package jsonschema_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// suite returns the files of JSON Schema's own tests. They come from a module that the MCP SDK already
// depends on, so they need not be copied.
func suite(t *testing.T) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", "github.com/google/jsonschema-go").Output()
	var module struct{ Dir string }
	if err != nil || json.Unmarshal(out, &module) != nil {
		t.Fatalf("the tests of JSON Schema are not there: %v\n%s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(module.Dir, "jsonschema", "testdata", "draft2020-12", "*.json"))
	if err != nil || len(files) < 40 {
		t.Fatalf("the tests of JSON Schema are not in %s: %d files, %v", module.Dir, len(files), err)
	}
	return files
}

// group contains the tests of one schema.
type group struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

// TestSuite runs all tests of draft 2020-12. Tests that refer to other documents, which are never
// loaded, are run with these documents inside the schema. Tests about the schema of schemas, or about
// the address from which a document is loaded, must be refused.
func TestSuite(t *testing.T) {
	files := suite(t)
	remotes := remotes(t, filepath.Join(filepath.Dir(filepath.Dir(files[0])), "remotes"))
	right, bundled, refused := 0, 0, 0
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var groups []group
		if err := json.Unmarshal(b, &groups); err != nil {
			t.Fatal(err)
		}
		for _, g := range groups {
			name := filepath.Base(file) + ": " + g.Description
			count := &right
			s, err := jsonschema.Parse(g.Schema)
			if isRemote(err) {
				s, err = jsonschema.Parse(bundle(t, g.Schema, remotes))
				count = &bundled
			}
			if isRemote(err) {
				refused += len(g.Tests)
				t.Logf("%s: %v", name, err)
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			*count += g.run(t, name, s)
		}
	}
	if right < 1050 || bundled < 30 {
		t.Errorf("only %d right, and %d with what they refer to; %d refused", right, bundled, refused)
	}
	t.Logf("%d right, and %d with what they refer to; %d refused", right, bundled, refused)
}

func isRemote(err error) bool {
	return err != nil && strings.Contains(err.Error(), "because other documents are not loaded")
}

func (g group) run(t *testing.T, name string, s *jsonschema.Schema) (right int) {
	t.Helper()
	for _, test := range g.Tests {
		if faults := check(t, s, string(test.Data)); (len(faults) == 0) != test.Valid {
			t.Errorf("%s: %s: %v", name, test.Description, faults)
			continue
		}
		right++
	}
	return right
}

// host is the address of the documents of the tests.
const host = "http://localhost:1234/"

// remotes returns the documents that the tests refer to, with their addresses.
func remotes(t *testing.T, dir string) map[string]any {
	t.Helper()
	all := map[string]any{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		if err != nil || filepath.Ext(path) != ".json" || strings.HasPrefix(rel, "draft7") {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var document map[string]any
		if err := json.Unmarshal(b, &document); err != nil {
			return err
		}
		if document["$id"] == nil {
			document["$id"] = host + filepath.ToSlash(rel)
		}
		if strings.HasPrefix(rel, "draft2020-12") && !strings.Contains(rel, "metaschema") && !strings.Contains(rel, "format-assertion") || filepath.Dir(rel) == "." {
			all[rel] = document
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// bundle returns a schema with other documents in it.
func bundle(t *testing.T, schema json.RawMessage, others map[string]any) []byte {
	t.Helper()
	var inner map[string]any
	if err := json.Unmarshal(schema, &inner); err != nil {
		t.Fatal(err)
	}
	if inner["$id"] == nil {
		inner["$id"] = host + "tested"
	}
	b, err := json.Marshal(map[string]any{"$id": host + "bundle", "$ref": inner["$id"], "$defs": map[string]any{"tested": inner, "others": map[string]any{"$defs": others}}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func check(t testing.TB, s *jsonschema.Schema, value string) []jsonschema.Fault {
	t.Helper()
	v, err := jsontext.Parse(value, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return s.Check(v, len(value))
}

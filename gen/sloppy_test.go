package gen

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/aiongen/aiongen/aion/diag"
)

// unfixedDocuments are the sloppy documents that do not compile after their fixes, with the reason.
var unfixedDocuments = map[string]string{
	"ellipsis":                "only the author knows what is left out",
	"json-interface":          "an object with one name is not always a function",
	"parentheses-for-braces":  "parentheses also enclose calls",
	"python-dict":             "only the author knows what an interface is",
	"python-dict-call":        "a call of dict is code of Python",
	"swapped-numbers-unnamed": "a wrong type does not say which of two entries is wrong",
	"toml":                    "another notation, without brackets",
	"yaml-list":               "another notation, without brackets",
	"yaml-list-in-array":      "another notation, without brackets",
}

// TestSloppyDocuments fixes documents as people paste them and compiles them. At least 80 % must
// work, and fixing them again must change nothing.
func TestSloppyDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles many packages")
	}
	archive, err := txtar.ParseFile("testdata/sloppy.txtar")
	if err != nil {
		t.Fatal(err)
	}
	goFile, documents := archive.Files[0], archive.Files[1:]
	dir := t.TempDir()
	write := func(name string, data []byte) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", []byte("module example.com/desk\n\ngo 1.26\n"))
	for _, f := range documents {
		write(f.Name+"/desk.go", goFile.Data)
		write(f.Name+"/desk.aion", f.Data)
	}
	cfg := Config{Dir: dir, Patterns: []string{"./..."}}
	result, _, left := Fix(t.Context(), cfg)
	if err := result.Write(); err != nil {
		t.Fatal(err)
	}
	failed := failedDocuments(left)
	for _, f := range documents {
		fixed, err := os.ReadFile(filepath.Join(dir, f.Name, "desk.aion"))
		if err != nil {
			t.Fatal(err)
		}
		switch faults, why := failed[f.Name], unfixedDocuments[f.Name]; {
		case faults != nil && why == "":
			t.Errorf("%s:\n%s\n%v", f.Name, fixed, faults)
		case faults == nil && why != "":
			t.Errorf("%s works, although %s", f.Name, why)
		}
	}
	t.Logf("%d of %d documents work after their fixes", len(documents)-len(failed), len(documents))
	if len(documents) < 60 || 10*len(failed) > 2*len(documents) {
		t.Errorf("%d of %d documents do not work: %v", len(failed), len(documents), slices.Sorted(maps.Keys(failed)))
	}
	if again, _, _ := Fix(t.Context(), cfg); len(again.Changes) > 0 {
		t.Errorf("fixing again changes %d files, such as %s:\n%s", len(again.Changes), again.Changes[0].Name, again.Changes[0].New)
	}
}

// failedDocuments returns the errors by the folder of the document.
func failedDocuments(list diag.List) map[string][]string {
	failed := map[string][]string{}
	for _, d := range list {
		if d.Severity == diag.Error {
			folder, _, _ := strings.Cut(d.Span.File, "/")
			failed[folder] = append(failed[folder], d.Error())
		}
	}
	return failed
}

package run_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/run/record"
)

// TestPage holds that docs/runs.md speaks of names that there are, and names every status
// and every signal.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/runs.md")
	if err != nil {
		t.Fatal(err)
	}
	folders := map[string]string{"run": ".", "record": "record", "tool": "../tool", "redact": "../redact", "cyclelog": "../orchestrator/cyclelog", "toollog": "../toollog"}
	for folder := range strings.FieldsSeq("run record tool redact cyclelog toollog") {
		there := exported(t, folders[folder])
		for _, name := range regexp.MustCompile(`\b`+folder+`\.([A-Z]\w*)`).FindAllStringSubmatch(string(page), -1) {
			if !slices.Contains(there, name[1]) {
				t.Errorf("there is no %s", name[0])
			}
		}
	}
	for _, status := range []string{record.Waiting, record.Interrupted, record.Expired, record.OverBudget, record.Completed, record.Failed, record.Cancelled, record.ForApproval, record.ForAnswer, record.ForDecision, record.ForMessage} {
		if !strings.Contains(string(page), "`"+status+"`") {
			t.Errorf("the status %s is not on the page", status)
		}
	}
	signals, there := 0, exported(t, "record")
	for _, name := range exported(t, "../internal/note") {
		signal, kind := strings.CutPrefix(name, "Kind")
		if !kind || !slices.Contains(there, "func "+signal) {
			continue
		}
		if signals++; !strings.Contains(string(page), "`record."+signal+"`") {
			t.Errorf("the signal %s is not on the page", signal)
		}
	}
	if signals < 7 {
		t.Errorf("only %d signals were found", signals)
	}
}

// exported returns the names that a package exports, those of functions also behind
// their keyword.
func exported(t *testing.T, folder string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there is nothing in %s: %v", folder, err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names = append(names, d.Name.Name, "func "+d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						names = append(names, spec.Name.Name)
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							names = append(names, name.Name)
						}
					}
				}
			}
		}
	}
	return names
}

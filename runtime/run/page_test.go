package run_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
)

// TestPage checks that docs/reference/runs.md mentions only existing names, and every status and signal.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/runs.md")
	if err != nil {
		t.Fatal(err)
	}
	for folder, path := range map[string]string{"run": ".", "tool": "../tool", "redact": "../redact", "orchestrator": "../orchestrator", "middleware": "../middleware", "repair": "../repair", "memory": "../memory"} {
		there := exported(t, path)
		for _, name := range regexp.MustCompile(`\b`+folder+`\.([A-Z]\w*)`).FindAllStringSubmatch(string(page), -1) {
			if !slices.Contains(there, name[1]) {
				t.Errorf("there is no %s", name[0])
			}
		}
	}
	for _, status := range []string{run.Waiting, run.Interrupted, run.Expired, run.OverBudget, run.Completed, run.Failed, run.Cancelled, run.ForApproval, run.ForAnswer, run.ForDecision, run.ForMessage} {
		if !strings.Contains(string(page), "`"+status+"`") {
			t.Errorf("the status %s is not on the page", status)
		}
	}
	if example := regexp.MustCompile("(?s)```json\n(.*?)```").FindSubmatch(page); example == nil {
		t.Error("the page shows no plan")
	} else if p, err := plan.Parse(string(example[1])); err != nil || len(p.Steps) != 3 {
		t.Errorf("the plan on the page has %d steps: %v", len(p.Steps), err)
	}
	signals := 0
	for _, name := range exported(t, ".") {
		signal, returns := strings.CutPrefix(name, "signal ")
		if !returns {
			continue
		}
		if signals++; !strings.Contains(string(page), "`run."+signal+"`") {
			t.Errorf("the signal %s is not on the page", signal)
		}
	}
	if signals < 7 {
		t.Errorf("only %d signals were found", signals)
	}
}

// exported returns the exported names of a package. Functions that return a Signal are also listed
// with that word before their name.
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
				if d.Recv == nil && d.Name.IsExported() {
					names = append(names, d.Name.Name)
					if results := d.Type.Results; results != nil && len(results.List) == 1 && fmt.Sprint(results.List[0].Type) == "Signal" {
						names = append(names, "signal "+d.Name.Name)
					}
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

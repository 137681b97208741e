// Package sarif checks the SARIF output of package diag against the schema that OASIS publishes, and
// with an independent reader.
package sarif

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// readDocument validates a document of package diag against the schema and parses it with the other
// reader.
func readDocument(t *testing.T, name string) *sarif.Run {
	t.Helper()
	text, err := os.ReadFile("../../aion/diag/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := loadSchema(t).Validate(value); err != nil {
		t.Errorf("%#v\n%s", err, text)
	}
	report, err := sarif.FromBytes(text)
	if err != nil {
		t.Fatal(err)
	}
	return report.Runs[0]
}

// loadSchema returns the schema that OASIS publishes. The module go-sarif has it as an unexported
// constant, so it is extracted from the source.
func loadSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	const pkg = "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.Dir}}", pkg).Output()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(strings.TrimSpace(string(dir)), "schema.go")
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	spec := file.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
	text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", value); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// TestSchema checks that the schema rejects invalid documents, so that the other tests are meaningful.
func TestSchema(t *testing.T) {
	compiled := loadSchema(t)
	for _, wrong := range []string{
		`{"version": "2.1.0"}`,
		`{"version": "2.1.0", "runs": [{"tool": {"driver": {}}}]}`,
		`{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{}]}]}`,
		`{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "columnKind": "bytes"}]}`,
		`{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x", "informationUri": "no uri"}}}]}`,
	} {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(wrong))
		if err != nil {
			t.Fatal(err)
		}
		if compiled.Validate(value) == nil {
			t.Errorf("%s is valid", wrong)
		}
	}
}

// listFixes returns the fixes of all results, one per line.
func listFixes(results []*sarif.Result) (all []string) {
	for _, r := range results {
		for _, f := range r.Fixes {
			word := "certain"
			if f.Properties.Properties["guess"] == true {
				word = "guess"
			}
			var edits []string
			for _, c := range f.ArtifactChanges {
				for _, e := range c.Replacements {
					at := e.DeletedRegion
					edits = append(edits, fmt.Sprintf("%s %d:%d-%d:%d %q", *c.ArtifactLocation.URI,
						*at.StartLine, *at.StartColumn, *at.EndLine, *at.EndColumn, *e.InsertedContent.Text))
				}
			}
			all = append(all, word+": "+strings.Join(edits, ", "))
		}
	}
	return all
}

func TestEverything(t *testing.T) {
	run := readDocument(t, "everything.sarif")
	type region struct{ line, column, endLine, endColumn int }
	type place struct {
		uri     string
		region  region
		message string
	}
	type result struct {
		rule, level, text string
		places            []place
	}
	number := func(p *int) int {
		if p == nil {
			return 0
		}
		return *p
	}
	places := func(locations []*sarif.Location) (all []place) {
		for _, l := range locations {
			p := place{uri: *l.PhysicalLocation.ArtifactLocation.URI}
			if r := l.PhysicalLocation.Region; r != nil {
				p.region = region{number(r.StartLine), number(r.StartColumn), number(r.EndLine), number(r.EndColumn)}
			}
			if l.Message != nil {
				p.message = *l.Message.Text
			}
			all = append(all, p)
		}
		return all
	}
	driver := run.Tool.Driver
	var got []result
	for _, r := range run.Results {
		rule := driver.Rules[r.RuleIndex]
		if *rule.ID != *r.RuleID || *rule.ShortDescription.Text != "Summary of "+*rule.ID+"." || *rule.FullDescription.Text != "Text with {{0}} of "+*rule.ID+"." {
			t.Errorf("the rule of %s is %+v", *r.RuleID, rule)
		}
		got = append(got, result{*rule.ID, r.Level, *r.Message.Text, append(places(r.Locations), places(r.RelatedLocations)...)})
	}
	for _, n := range run.Invocations[0].ToolExecutionNotifications {
		rule := driver.Notifications[n.Descriptor.Index]
		if *rule.ID != *n.Descriptor.ID {
			t.Errorf("the rule of %s is %+v", *n.Descriptor.ID, rule)
		}
		got = append(got, result{*rule.ID, n.Level, *n.Message.Text, places(n.Locations)})
	}
	want := []result{
		{"first", "error", `a "{{0}}: [x] (1), \x1b[0m", 100%` + "\nwrite:\n  {{\n  }}\nor not\nfrom nowhere", []place{
			{"a.aion", region{1, 5, 1, 6}, ""}, {"dir%20b/f:1.go", region{1, 9, 1, 10}, "b is here"},
		}},
		{"second", "warning", "over two lines", []place{{"a.aion", region{1, 1, 2, 2}, ""}}},
		{"first", "error", "an insertion point", []place{{"a.aion", region{2, 1, 2, 1}, ""}}},
		{"first", "error", "without an end", []place{{"a.aion", region{1, 1, 0, 0}, ""}}},
		{"third", "error", "cannot be read", []place{{"gone.aion", region{2, 0, 2, 0}, ""}}},
		{"third", "error", "a file as a whole", []place{{"file:///abs/%2541.aion", region{}, ""}}},
		{"sixth", "note", "nothing to change", []place{{"a.aion", region{}, ""}}},
		{"fourth", "warning", "no place", []place{{"a.aion", region{}, "but this one"}}},
		{"fifth", "error", "no place,\r\nand a line end", nil},
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(result{}, place{}, region{})); d != "" {
		t.Error(d)
	}
	if got := listFixes(run.Results); !slices.Equal(got, []string{
		`certain: a.aion 1:5-1:6 "\"<y>\"", dir%20b/f:1.go 1:8-1:8 " c"`,
		`guess: a.aion 1:5-1:6 ""`,
	}) {
		t.Errorf("%q", got)
	}
	if len(driver.Rules) != 4 || len(driver.Notifications) != 2 || *run.Invocations[0].ExecutionSuccessful {
		t.Errorf("%d rules, %d notifications, %+v", len(driver.Rules), len(driver.Notifications), run.Invocations[0])
	}
	if *driver.Name != "aiongen" || *driver.Version != "v1.2.3" || run.ColumnKind == nil || *run.ColumnKind != "utf16CodeUnits" {
		t.Errorf("%+v", run)
	}
}

func TestNothing(t *testing.T) {
	if run := readDocument(t, "nothing.sarif"); len(run.Results) != 0 || !*run.Invocations[0].ExecutionSuccessful {
		t.Errorf("%+v", run)
	}
}

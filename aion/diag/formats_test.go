package diag

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// sources are the files that the diagnostics below are about. The first line of
// a.aion has a byte order mark, an é of two bytes and an emoji of four.
var sources = map[string]string{
	"a.aion":       "\ufeffé👍 x\r\n\tsecond line\r\n",
	"dir b/f:1.go": "package b\n",
}

func printer() Printer {
	return Printer{
		Read: func(file string) ([]byte, error) {
			src, ok := sources[file]
			if !ok {
				return nil, fs.ErrNotExist
			}
			return []byte(src), nil
		},
		Tool: Tool{
			Name: "aiongen", Version: "v1.2.3", URL: "https://example.com",
			Describe: func(c Code) Description {
				return Description{"Summary of " + string(c) + ".", "Text with {0} of " + string(c) + ".", "More."}
			},
		},
	}
}

// everything is a list with all that a diagnostic can be: with and without a
// place, on one line and on two, in files that can be read and others.
func everything() List {
	var list List
	list.Errorf("first", Span{"a.aion", Pos{10, 1, 11}, Pos{11, 1, 12}}, "a %q, 100%%", "{0}: [x](1), \x1b[0m").
		WithRelated(Span{"dir b/f:1.go", Pos{8, 1, 9}, Pos{9, 1, 10}}, "b is here").
		WithRelated(Span{}, "from nowhere").
		WithHelp("write:\n  {\n  }").
		WithHelp("or not").
		WithCause(errors.New("the cause"))
	list.Warnf("second", Span{"a.aion", Pos{3, 1, 4}, Pos{15, 2, 2}}, "over two lines")
	list.Errorf("first", Span{"a.aion", Pos{13, 2, 1}, Pos{13, 2, 1}}, "an insertion point")
	list.Errorf("first", Span{"a.aion", Pos{3, 1, 4}, Pos{}}, "without an end")
	list.Errorf("third", Span{"gone.aion", Pos{4, 2, 3}, Pos{5, 2, 4}}, "cannot be read")
	list.Errorf("third", Span{File: "/abs/%41.aion"}, "a file as a whole")
	list.Warnf("fourth", Span{}, "no place").WithRelated(Span{File: "a.aion"}, "but this one")
	list.Errorf("fifth", Span{}, "no place,\r\nand a line end")
	list.Notef("sixth", Span{File: "a.aion"}, "nothing to change")
	return list
}

func TestGitHub(t *testing.T) {
	want := strings.Join([]string{
		`::error file=a.aion,line=1,endLine=1,col=5,endColumn=6,title=first::a "{0}: [x](1), \x1b[0m", 100%25%0Adir b/f:1.go:1:9: note: b is here%0Anote: from nowhere%0Ahelp: write:%0A  {%0A  }%0Ahelp: or not`,
		`::warning file=a.aion,line=1,endLine=2,title=second::over two lines`,
		`::error file=a.aion,line=2,endLine=2,col=1,endColumn=1,title=first::an insertion point`,
		`::error file=a.aion,line=1,title=first::without an end`,
		`::error file=gone.aion,line=2,endLine=2,title=third::cannot be read`,
		`::error file=/abs/%2541.aion,title=third::a file as a whole`,
		`::warning title=fourth::no place%0Aa.aion: note: but this one`,
		`::error title=fifth::no place,\x0d\nand a line end`,
		`::notice file=a.aion,title=sixth::nothing to change`,
		``,
	}, "\n")
	var got bytes.Buffer
	if err := printer().GitHub(&got, everything()); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got.String()); d != "" {
		t.Error(d)
	}
	var list List
	list.Errorf("c", Span{File: "a,b:c%\r\n.aion"}, "m")
	got.Reset()
	if err := printer().GitHub(&got, list); err != nil || got.String() != "::error file=a%2Cb%3Ac%25%0D%0A.aion,title=c::m\n" {
		t.Errorf("%v, %q", err, got.String())
	}
}

// TestJSON reads back what is written, under the names that it promises.
func TestJSON(t *testing.T) {
	type pos struct{ Offset, Line, Column int }
	type span struct {
		File       string
		Start, End pos
	}
	type related struct {
		Span    span
		Message string
	}
	type diagnostic struct {
		Code, Severity, Message string
		Span                    span
		Help                    []string
		Related                 []related
	}
	toSpan := func(s Span) span { return span{s.File, pos(s.Start), pos(s.End)} }
	var want []diagnostic
	for _, d := range everything() {
		w := diagnostic{string(d.Code), d.Severity.String(), d.Message, toSpan(d.Span), d.Help, nil}
		for _, r := range d.Related {
			w.Related = append(w.Related, related{toSpan(r.Span), r.Message})
		}
		want = append(want, w)
	}
	var out bytes.Buffer
	if err := printer().JSON(&out, everything()); err != nil {
		t.Fatal(err)
	}
	var got []diagnostic
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, absent := range []string{"null", `"line": 0`, `"file": ""`, `\u003c`} {
		if strings.Contains(out.String(), absent) {
			t.Errorf("%s in\n%s", absent, &out)
		}
	}
}

// TestEmpty checks that a list without diagnostics is a whole document.
func TestEmpty(t *testing.T) {
	var out bytes.Buffer
	if err := (Printer{}).JSON(&out, nil); err != nil || out.String() != "[]\n" {
		t.Errorf("%v, %q", err, out.String())
	}
	out.Reset()
	if err := (Printer{}).GitHub(&out, nil); err != nil || out.String() != "" {
		t.Errorf("%v, %q", err, out.String())
	}
	if run := sarifRunOf(t, nil); len(run.Results) != 0 || !*run.Invocations[0].ExecutionSuccessful {
		t.Errorf("%+v", run)
	}
}

// sarifRunOf writes a list as SARIF, holds it against the schema, and returns
// what another reader makes of it.
func sarifRunOf(t *testing.T, list List) *sarif.Run {
	t.Helper()
	var out bytes.Buffer
	if err := printer().SARIF(&out, list); err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := sarifSchema(t).Validate(value); err != nil {
		t.Errorf("%#v\n%s", err, &out)
	}
	report, err := sarif.FromBytes(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return report.Runs[0]
}

// sarifSchema is the schema that OASIS publishes. The module go-sarif has it as
// a constant of its own, so it is taken from its source.
func sarifSchema(t *testing.T) *jsonschema.Schema {
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
	schema, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestSARIFSchema checks that the schema refuses what is wrong, so that passing
// it means something.
func TestSARIFSchema(t *testing.T) {
	schema := sarifSchema(t)
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
		if schema.Validate(value) == nil {
			t.Errorf("%s is valid", wrong)
		}
	}
}

func TestSARIF(t *testing.T) {
	run := sarifRunOf(t, everything())
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
	if len(driver.Rules) != 4 || len(driver.Notifications) != 2 || *run.Invocations[0].ExecutionSuccessful {
		t.Errorf("%d rules, %d notifications, %+v", len(driver.Rules), len(driver.Notifications), run.Invocations[0])
	}
	if *driver.Name != "aiongen" || *driver.Version != "v1.2.3" || run.ColumnKind == nil || *run.ColumnKind != "utf16CodeUnits" {
		t.Errorf("%+v", run)
	}
}

// TestColor checks that paint is all that colour adds, and that nothing in the
// text can end it.
func TestColor(t *testing.T) {
	p := printer()
	var plain, painted bytes.Buffer
	if err := p.Print(&plain, everything()); err != nil {
		t.Fatal(err)
	}
	p.Color = true
	if err := p.Print(&painted, everything()); err != nil {
		t.Fatal(err)
	}
	const head = "\x1b[1ma.aion:1:11:\x1b[0m \x1b[1;31merror:\x1b[0m "
	if !strings.HasPrefix(painted.String(), head) {
		t.Errorf("%q", painted.String())
	}
	text := painted.String()
	for _, s := range []style{"0", bold, red, green, yellow, blue, cyan} {
		sequence := "\x1b[" + string(s) + "m"
		if !strings.Contains(text, sequence) {
			t.Errorf("%q is not used", sequence)
		}
		text = strings.ReplaceAll(text, sequence, "")
	}
	if d := cmp.Diff(plain.String(), text); d != "" {
		t.Error(d)
	}
}

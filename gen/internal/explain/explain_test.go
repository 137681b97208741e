package explain_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/gen/internal/explain"
	"github.com/aiongen/aiongen/runtime/schema"
)

// untold are the codes that no example can show: faults of the command line or the system, faults that
// fmt and check report, unprintable bytes and types, and mistakes in aiongen.
var untold = []diag.Code{
	"bad-output", "bad-snapshot", "base64-bytes", "canceled", "fixed-receiver", "go-list", "helper-functions", "internal", "large-schema", "many-packages", "no-aion-files", "no-directory", "no-packages", "not-utf8", "nul-byte",
	"out-of-date", "over-budget", "too-deep", "too-large", "too-many-faults", "unexported", "unknown-revision", "unformattable", "unformatted", "unreadable", "unwritable",
}

// used returns the codes that the compiler reports, each with a position: all literals of the type
// diag.Code in its source. Imported packages are read from export data in the format of the toolchain
// in use.
func used(t *testing.T) map[diag.Code]string {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-json=ImportPath,Export,DepOnly,Dir,GoFiles",
		"./aion/...", "./gen/...", "./cmd/...")
	list.Dir = "../../.."
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	fset, codes := token.NewFileSet(), map[diag.Code]string{}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); { // each package after those that it imports
		var p struct {
			ImportPath, Export, Dir string
			DepOnly                 bool
			GoFiles                 []string
		}
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if p.DepOnly {
			continue
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		info := types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		if _, err := config.Check(p.ImportPath, fset, files, &info); err != nil {
			t.Fatal(err)
		}
		for expr, tv := range info.Types {
			_, literal := expr.(*ast.BasicLit)
			if literal && tv.Type.String() == "github.com/aiongen/aiongen/aion/diag.Code" {
				codes[diag.Code(constant.StringVal(tv.Value))] = fset.Position(expr.Pos()).String()
			}
		}
	}
	delete(codes, "") // not a valid code
	return codes
}

// TestComplete checks that the table has the codes that the compiler reports,
// and no others.
func TestComplete(t *testing.T) {
	left := used(t)
	for _, topic := range explain.All() {
		if left[topic.Code] == "" {
			t.Errorf("nothing reports %s", topic.Code)
		}
		delete(left, topic.Code)
	}
	for code, place := range left {
		t.Errorf("%s: %s is not in the table", place, code)
	}
}

var (
	word     = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	sentence = regexp.MustCompile(`^[A-Z].*[^ ]\.$`)
)

func TestStyle(t *testing.T) {
	for _, topic := range explain.All() {
		if !word.MatchString(string(topic.Code)) {
			t.Errorf("%q is no code", topic.Code)
		}
		if !sentence.MatchString(topic.Summary) || len(topic.Summary) > 90 {
			t.Errorf("%s: the summary is no short sentence: %s", topic.Code, topic.Summary)
		}
		if topic.Text == "" {
			t.Errorf("%s has no text", topic.Code)
		}
		for line := range strings.Lines(topic.Description().Page) {
			if len([]rune(line)) > 120 {
				t.Errorf("%s: the line is long: %s", topic.Code, line)
			}
		}
		if told := len(topic.Wrong) > 0 && len(topic.Right) > 0; told == slices.Contains(untold, topic.Code) {
			t.Errorf("%s has two examples: %v", topic.Code, told)
		}
	}
}

// TestExamples checks that each wrong example yields only its code, and that the correct ones yield
// nothing.
func TestExamples(t *testing.T) {
	for _, topic := range explain.All() {
		if slices.Contains(untold, topic.Code) {
			continue
		}
		t.Run(string(topic.Code), func(t *testing.T) {
			t.Parallel()
			wrong := diagnose(t, topic, topic.Wrong)
			if len(wrong) == 0 {
				t.Error("the wrong example is right")
			}
			for _, d := range wrong {
				quoted := topic.Code == "untold-type" && d.Code == "target-quotes" // a follow-up error
				if d.Code != topic.Code && !quoted {
					t.Errorf("the wrong example yields %v", d)
				}
			}
			for _, d := range diagnose(t, topic, topic.Right) {
				t.Errorf("the right example yields %v", d)
			}
		})
	}
}

func isGo(f txtar.File) bool { return filepath.Ext(f.Name) == ".go" }

// diagnose compiles one side of an example as a separate package, for all targets. If there is an
// older version, it also compares the contracts. An example without Go is only parsed.
func diagnose(t *testing.T, topic explain.Topic, side []txtar.File) diag.List {
	t.Helper()
	files := slices.Concat(topic.Given, side)
	if len(topic.Before) > 0 {
		return compareFiles(t, slices.Concat(topic.Given, topic.Before), files)
	}
	if slices.ContainsFunc(slices.Concat(topic.Given, topic.Wrong, topic.Right), isGo) {
		_, list := gen.Generate(t.Context(), gen.Config{Dir: directory(t, files), Patterns: []string{"./..."}, Lint: schema.Targets()})
		return list
	}
	var docs []*aion.Document
	var list diag.List
	for _, f := range files {
		doc, faults := aion.Parse(f.Name, f.Data)
		docs, list = append(docs, doc), append(list, faults...)
	}
	return append(list, aion.Check(docs...)...)
}

// compareFiles compares valid files with an earlier version in a repository.
func compareFiles(t *testing.T, before, now []txtar.File) diag.List {
	t.Helper()
	dir := directory(t, before)
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "before"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	for _, f := range before {
		if err := os.Remove(filepath.Join(dir, f.Name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range now {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return gen.Compare(t.Context(), gen.Config{Dir: dir}, "HEAD")
}

func directory(t *testing.T, files []txtar.File) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range append(files, txtar.File{Name: "go.mod", Data: []byte("module example.com/users\n\ngo 1.26\n")}) {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFind(t *testing.T) {
	for _, topic := range explain.All() {
		if found, ok := explain.Find(topic.Code); !ok || found.Summary != topic.Summary {
			t.Errorf("%s is not found", topic.Code)
		}
		if d := topic.Description(); d.Summary == "" || d.Text == "" || d.More == "" || d.Page == "" {
			t.Errorf("%s is described by %+v", topic.Code, d)
		}
	}
	if _, ok := explain.Find("nothing"); ok {
		t.Error("nothing was found")
	}
}

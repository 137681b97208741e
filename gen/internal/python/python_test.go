package python_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen"
)

// An expression is one that Python and Go evaluate, with its calls.
type expression struct {
	params []param
	text   string
	calls  [][]any // arguments as JSON has them; nil is left out
}

type param struct{ name, note string }

func (e expression) lambda() string {
	var names []string
	for _, p := range e.params {
		names = append(names, p.name)
	}
	return "lambda " + strings.Join(names, ", ") + ": " + e.text
}

// TestPython evaluates expressions in CPython and in the Go code that they are
// compiled to, and compares values and failures.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	expressions := readExpressions(t)
	picked := len(expressions)
	expressions = append(expressions, randomExpressions(rand.New(rand.NewPCG(6, 2026)), 300)...)
	binary := compile(t, expressions)
	want := run(t, exec.CommandContext(t.Context(), python, "-Wignore", "testdata/python/functions.py"), pythonRequests(expressions))
	got := run(t, exec.CommandContext(t.Context(), binary), goRequests(expressions))
	if len(want)-1 != len(got) {
		t.Fatalf("Python answers %d calls, Go %d", len(want)-1, len(got))
	}
	var version [2]int
	if err := json.Unmarshal([]byte(want[0]), &version); err != nil {
		t.Fatal(err)
	}
	n, different := 0, 0
	for _, e := range expressions {
		for _, arguments := range e.calls {
			if problem := compareAnswers(e, want[n+1], got[n], version == [2]int{3, 11}); problem != "" {
				if different++; different <= 400 {
					t.Errorf("%s with %s: %s", e.lambda(), jsonOf(arguments), problem)
				}
			}
			n++
		}
	}
	t.Logf("%d expressions, %d of them picked, in %d calls: %d differ", len(expressions), picked, n, different)
}

// readExpressions reads those that are written down.
func readExpressions(t *testing.T) []expression {
	t.Helper()
	files, err := filepath.Glob("testdata/python/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []expression
	for _, name := range files {
		list = append(list, readFile(t, name)...)
	}
	return list
}

func readFile(t *testing.T, name string) []expression {
	t.Helper()
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var list []expression
	var group expression
	for line := range strings.Lines(string(file)) {
		line = strings.TrimRight(line, "\n")
		switch text, indented := strings.CutPrefix(line, "\t"); {
		case line == "" || line[0] == '#':
		case indented:
			e := group
			e.text = text
			list = append(list, e)
		default:
			group = readGroup(t, line)
		}
	}
	return list
}

func readGroup(t *testing.T, line string) expression {
	t.Helper()
	head, calls, ok := strings.Cut(line, ": ")
	if !ok {
		t.Fatalf("no arguments in %s", line)
	}
	var e expression
	for _, p := range strings.Split(head, ", ") {
		name, note, _ := strings.Cut(p, " ")
		e.params = append(e.params, param{name, note})
	}
	decoder := json.NewDecoder(strings.NewReader(calls))
	decoder.UseNumber()
	for decoder.More() {
		var arguments []any
		if err := decoder.Decode(&arguments); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		e.calls = append(e.calls, arguments)
	}
	return e
}

// compile makes a program of all expressions, and returns its path.
func compile(t *testing.T, expressions []expression) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	source, err := aion.Format(document(expressions))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{
		"expressions.aion": source,
		"go.mod":           []byte("module example.com/python\n\ngo 1.26\n\nrequire github.com/aiongen/aiongen v0.0.0\n\nreplace github.com/aiongen/aiongen => " + root + "\n"),
	}
	for name, path := range map[string]string{"go.sum": "../../../go.sum", "functions.go": "testdata/python/functions.go", "main.go": "testdata/python/main.go"} {
		if files[name], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	table := "package main\n\nvar expressions = []any{"
	for i := range expressions {
		table += fmt.Sprintf("e%dFunc, ", i)
	}
	files["table.go"] = []byte(table + "}\n")
	write(t, dir, files)
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOWORK", "off")
	result, faults := gen.Generate(t.Context(), gen.Config{Dir: dir})
	for _, d := range faults[:min(60, len(faults))] {
		t.Errorf("%v %v", d, d.Help)
	}
	if faults.Err() != nil {
		t.FailNow()
	}
	for _, c := range result.Changes {
		if c.Name == "expressions.aion.go" {
			functions := functionsOnly(t, c.New)
			checkCalled(t, functions)
			write(t, dir, map[string][]byte{c.Name: functions})
		}
	}
	binary := filepath.Join(dir, "expressions")
	build := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-N -l -dwarf=false", "-ldflags=-s -w", "-o", binary, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out[:min(len(out), 5000)])
	}
	return binary
}

// document has a tool for each expression.
func document(expressions []expression) *aion.Document {
	doc := &aion.Document{}
	for i, e := range expressions {
		element := &aion.Element{
			Name:        aion.Text{Value: fmt.Sprintf("e%d", i)},
			Description: &aion.Text{Value: "An expression."},
			Function:    &aion.Function{Text: aion.Text{Value: e.lambda()}},
		}
		for j, p := range e.params {
			note, _ := aion.ParseNote(p.note)
			element.Function.Args = append(element.Function.Args, aion.Entry{
				Name: aion.Text{Value: fmt.Sprintf("arg-%d", j+1)},
				Note: note,
			})
		}
		doc.Elements = append(doc.Elements, element)
	}
	return doc
}

// functionsOnly returns the functions that lambdas became, without the tools around
// them, which would take several times as long to compile and have their own tests.
func functionsOnly(t *testing.T, generated []byte) []byte {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", generated, 0)
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	file.Decls = slices.DeleteFunc(file.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		if !ok || !strings.HasSuffix(f.Name.Name, "Func") {
			return !ok && d.(*ast.GenDecl).Tok != token.IMPORT || ok
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				used[id.Name] = true
			}
			return true
		})
		return false
	})
	imports := file.Decls[0].(*ast.GenDecl)
	imports.Specs = slices.DeleteFunc(imports.Specs, func(s ast.Spec) bool {
		return !used[path.Base(strings.Trim(s.(*ast.ImportSpec).Path.Value, `"`))]
	})
	var b bytes.Buffer
	if err := printer.Fprint(&b, fset, file); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// checkCalled checks that the functions call everything that the packages for them
// have: what no lambda needs has no place there, and what one needs is compared.
func checkCalled(t *testing.T, functions []byte) {
	t.Helper()
	others := map[string]bool{"py.Errorf": true, "py.Quote": true, "py.TooLarge": true} // which package dyn calls
	exported := regexp.MustCompile(`(?m)^func ([A-Z]\w*)`)
	for _, pkg := range []string{"py", "py/dyn"} {
		files, err := filepath.Glob("../../../runtime/" + pkg + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range exported.FindAllSubmatch(source, -1) {
				called := path.Base(pkg) + "." + string(f[1])
				if !strings.HasSuffix(name, "_test.go") && !others[called] && !regexp.MustCompile(`\b`+called+`\b`).Match(functions) {
					t.Errorf("no expression needs %s", called)
				}
			}
		}
	}
}

func write(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// run gives a program lines, and returns those that it writes.
func run(t *testing.T, cmd *exec.Cmd, in []byte) []string {
	t.Helper()
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", cmd.Path, err)
	}
	var lines []string
	scanner := bufio.NewScanner(bytes.NewReader(out))
	scanner.Buffer(nil, 1<<26)
	for scanner.Scan() {
		lines = append(lines, scanner.Text())
	}
	return lines
}

func jsonOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // it came from JSON
	}
	return string(text)
}

func pythonRequests(expressions []expression) []byte {
	var b bytes.Buffer
	for _, e := range expressions {
		var floats []bool
		for _, p := range e.params {
			floats = append(floats, p.note == "float")
		}
		for _, arguments := range e.calls {
			fmt.Fprintln(&b, jsonOf(map[string]any{"lambda": e.lambda(), "arguments": arguments, "floats": floats}))
		}
	}
	return b.Bytes()
}

func goRequests(expressions []expression) []byte {
	var b bytes.Buffer
	for i, e := range expressions {
		for _, arguments := range e.calls {
			fmt.Fprintln(&b, jsonOf(map[string]any{"expression": i, "arguments": arguments}))
		}
	}
	return b.Bytes()
}

// An answer is what became of a call.
type answer struct {
	Value any // a float is a dict {"float": text}
	Error string
}

func readAnswer(line string) (a answer) {
	decoder := json.NewDecoder(strings.NewReader(line))
	decoder.UseNumber()
	if err := decoder.Decode(&a); err != nil {
		a.Error = err.Error() + " in " + line
	}
	return a
}

// compareAnswers says how the answers of Python and Go differ. Python changes the
// words of its messages now and then: exact is false for a version with others.
func compareAnswers(e expression, python, golang string, exact bool) string {
	want, got := readAnswer(python), readAnswer(golang)
	switch {
	case refusal.MatchString(got.Error) && refusable.MatchString(e.text):
		return ""
	case !exact && noInteger.MatchString(got.Error) && strings.Contains(e.text, "reverse="):
		return ""
	case want.Error != "":
		return compareErrors(want.Error, got, exact)
	case got.Error != "" || !same(want.Value, got.Value):
		return fmt.Sprintf("Python says %s, Go %s", python, golang)
	}
	return ""
}

// What Go says in the place of Python on purpose: a Go function gets what it takes,
// so that a value of another type is refused where Python would hand it on; a text
// is not formatted with %; and reverse is an integer, as it was before Python 3.12.
var (
	refusal   = regexp.MustCompile(`^TypeError: (expected an? (bool|int|float|str|list|dict), found |argument \w+ of \w+ must be |a string cannot be formatted with % here)`)
	refusable = regexp.MustCompile(`(half|join3|join_all|mean|trace|flag|total|first|prices|has)\(| % `)
	noInteger = regexp.MustCompile(`^TypeError: '\w+' object cannot be interpreted as an integer`)
)

// Which elements sorting compares first is up to the algorithm.
var unordered = regexp.MustCompile(`^TypeError: '<' not supported between instances of `)

func compareErrors(want string, got answer, exact bool) string {
	message := got.Error
	if at := strings.LastIndex(message, " (expressions.aion:"); at >= 0 {
		message = message[:at]
	} else if !strings.HasPrefix(want, "OddError: ") {
		return fmt.Sprintf("Python fails with %s, Go says %v %s", want, got.Value, got.Error)
	}
	if strings.HasPrefix(want, "OddError: ") {
		message = "OddError: " + message // the error of a Go function has no type in Python
	}
	wantType, _, _ := strings.Cut(want, ":")
	gotType, _, _ := strings.Cut(message, ":")
	if want == message || !exact && wantType == gotType || unordered.MatchString(want) && unordered.MatchString(message) {
		return ""
	}
	return fmt.Sprintf("Python fails with %s, Go with %s", want, message)
}

// same compares values, and floats as numbers: each language writes them its way.
func same(a, b any) bool {
	switch x := a.(type) {
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, same)
	case map[string]any:
		y, ok := b.(map[string]any)
		f, xFloat := x["float"].(string)
		g, yFloat := y["float"].(string)
		if xFloat && yFloat {
			return math.Float64bits(numberOf(f)) == math.Float64bits(numberOf(g)) // which tells -0.0 from 0.0
		}
		return ok && maps.EqualFunc(x, y, same)
	}
	return a == b
}

func numberOf(text string) float64 {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err) // a float was written
	}
	return f
}

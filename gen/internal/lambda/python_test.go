package lambda_test

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

// expression is an expression that Python and Go evaluate, with the arguments of its calls.
type expression struct {
	params []param
	text   string
	calls  [][]any // JSON arguments; nil is an omitted one
}

type param struct{ name, note string }

func (e expression) lambda() string {
	var names []string
	for _, p := range e.params {
		names = append(names, p.name)
	}
	return "lambda " + strings.Join(names, ", ") + ": " + e.text
}

// TestPython evaluates expressions in CPython and in the compiled Go code and compares values and
// errors.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	expressions := readExpressions(t)
	expressions = append(expressions, acceptedIdioms(t)...)
	picked := len(expressions)
	expressions = append(expressions, randomExpressions(rand.New(rand.NewPCG(8, 2026)), 300)...)
	expressions = append(expressions, maker{rand.New(rand.NewPCG(7, 2026))}.formatExpressions(240)...)
	if testing.Short() {
		for i := range len(expressions) / 4 {
			expressions[i] = expressions[4*i]
		}
		expressions = expressions[:len(expressions)/4]
	}
	binary, functions := buildProgram(t, expressions, nil)
	if !testing.Short() {
		checkCalled(t, functions)
	}
	want := runCommand(t, exec.CommandContext(t.Context(), python, "-Wignore", "testdata/python/functions.py"), pythonRequests(expressions))
	got := runCommand(t, exec.CommandContext(t.Context(), binary), goRequests(expressions))
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
					t.Errorf("%s with %s: %s", e.lambda(), encodeJSON(arguments), problem)
				}
			}
			n++
		}
	}
	t.Logf("%d expressions, %d of them picked, in %d calls: %d differ", len(expressions), picked, n, different)
}

// readExpressions reads the expressions in testdata.
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

// buildProgram builds a program of all expressions, with other Go files of its package, and returns its
// path and the functions that the expressions became.
func buildProgram(t *testing.T, expressions []expression, others map[string][]byte) (binary string, functions []byte) {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	source, err := aion.Format(newDocument(expressions))
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
	maps.Copy(files, others)
	writeFiles(t, dir, files)
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
			functions = functionsOnly(t, c.New)
			writeFiles(t, dir, map[string][]byte{c.Name: functions})
		}
	}
	binary = filepath.Join(dir, "expressions")
	build := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-N -l -dwarf=false", "-ldflags=-s -w", "-o", binary, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out[:min(len(out), 5000)])
	}
	return binary, functions
}

// newDocument returns a document with a tool for each expression.
func newDocument(expressions []expression) *aion.Document {
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

// functionsOnly returns the functions compiled from lambdas, without the tools around them.
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

// checkCalled checks that the compiled functions call every exported function of the runtime packages,
// so that each one is needed and compared.
func checkCalled(t *testing.T, functions []byte) {
	t.Helper()
	others := map[string]bool{"py.Errorf": true, "py.Quote": true, "py.TooLarge": true, "py.ParseFormat": true} // which package dyn or the compiler calls
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

func writeFiles(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// runCommand runs a command with the given input and returns its output lines.
func runCommand(t *testing.T, cmd *exec.Cmd, in []byte) []string {
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

func encodeJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot happen: the value was decoded from JSON
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
			fmt.Fprintln(&b, encodeJSON(map[string]any{"lambda": e.lambda(), "arguments": arguments, "floats": floats}))
		}
	}
	return b.Bytes()
}

func goRequests(expressions []expression) []byte {
	var b bytes.Buffer
	for i, e := range expressions {
		for _, arguments := range e.calls {
			fmt.Fprintln(&b, encodeJSON(map[string]any{"expression": i, "arguments": arguments}))
		}
	}
	return b.Bytes()
}

// answer is the result or error of a call.
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

// compareAnswers describes how the answers of Python and Go differ. exact is false for a Python
// version whose messages are worded differently.
func compareAnswers(e expression, python, golang string, exact bool) string {
	want, got := readAnswer(python), readAnswer(golang)
	switch {
	case refusal.MatchString(got.Error) && refusable.MatchString(e.text):
		return ""
	case !exact && noInteger.MatchString(got.Error) && strings.Contains(e.text, "reverse="):
		return ""
	case want.Error != "":
		return compareErrors(want.Error, got, exact)
	case got.Error != "" || !sameValue(want.Value, got.Value):
		return fmt.Sprintf("Python says %s, Go %s", python, golang)
	}
	return ""
}

// Intended differences in the Go code: a Go function receives only values of its parameter types,
// where Python would pass on any value; % does not format a text; and reverse is an integer, as before
// Python 3.12.
var (
	refusal   = regexp.MustCompile(`^TypeError: (expected an? (bool|int|float|str|list|dict), found |argument \w+ of \w+ must be |lambdas do not support % for formatting strings)`)
	refusable = regexp.MustCompile(`(half|join3|join_all|mean|trace|flag|total|first|prices|has)\(| % `)
	noInteger = regexp.MustCompile(`^TypeError: '\w+' object cannot be interpreted as an integer`)
)

// The sorting algorithm determines which elements are compared first.
var unordered = regexp.MustCompile(`^TypeError: '<' not supported between instances of `)

func compareErrors(want string, got answer, exact bool) string {
	message := got.Error
	if at := strings.LastIndex(message, " (expressions.aion:"); at >= 0 {
		message = message[:at]
	} else if !strings.HasPrefix(want, "OddError: ") {
		return fmt.Sprintf("Python fails with %s, Go says %v %s", want, got.Value, got.Error)
	}
	if strings.HasPrefix(want, "OddError: ") {
		message = "OddError: " + message // errors of Go functions have no Python type
	}
	wantType, _, _ := strings.Cut(want, ":")
	gotType, _, _ := strings.Cut(message, ":")
	if want == message || !exact && wantType == gotType || unordered.MatchString(want) && unordered.MatchString(message) {
		return ""
	}
	return fmt.Sprintf("Python fails with %s, Go with %s", want, message)
}

// sameValue compares values, and floats as numbers because the languages print them differently.
func sameValue(a, b any) bool {
	switch x := a.(type) {
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, sameValue)
	case map[string]any:
		y, ok := b.(map[string]any)
		f, xFloat := x["float"].(string)
		g, yFloat := y["float"].(string)
		if xFloat && yFloat {
			return math.Float64bits(parseNumber(f)) == math.Float64bits(parseNumber(g)) // distinguishes -0.0 from 0.0
		}
		return ok && maps.EqualFunc(x, y, sameValue)
	}
	return a == b
}

func parseNumber(text string) float64 {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err) // cannot happen: the text is a printed float
	}
	return f
}

package translate_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

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
	ask := func(list []expression) []string {
		return run(t, exec.CommandContext(t.Context(), python, "testdata/python/functions.py"), pythonRequests(list))
	}
	expressions = append(expressions, asTexts(expressions, ask(expressions)[1:])...)
	want := ask(expressions)
	binary := compile(t, expressions)
	var version [2]int
	if err := json.Unmarshal([]byte(want[0]), &version); err != nil {
		t.Fatal(err)
	}
	got := run(t, exec.CommandContext(t.Context(), binary), goRequests(expressions))
	if len(want)-1 != len(got) {
		t.Fatalf("Python answers %d calls, Go %d", len(want)-1, len(got))
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

// asTexts returns the expressions that have numbers in their answers, within str,
// since only that tells 1 from 1.0.
func asTexts(expressions []expression, answers []string) []expression {
	var list []expression
	for _, e := range expressions {
		if strings.ContainsAny(strings.Join(answers[:len(e.calls)], ""), "0123456789") {
			e.text = "str(" + e.text + ")"
			list = append(list, e)
		}
		answers = answers[len(e.calls):]
	}
	return list
}

// readExpressions reads those that are written down.
func readExpressions(t *testing.T) []expression {
	t.Helper()
	file, err := os.ReadFile("testdata/python/expressions.txt")
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
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	functions, err := os.ReadFile("testdata/python/functions.go")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	doc := &aion.Document{}
	for i, e := range expressions {
		element := &aion.Element{
			Name:        aion.Text{Value: fmt.Sprintf("e%d", i)},
			Description: &aion.Text{Value: "An expression."},
			Function:    &aion.Function{Text: aion.Text{Value: e.lambda()}},
		}
		for j, p := range e.params {
			element.Function.Args = append(element.Function.Args, aion.Entry{
				Name: aion.Text{Value: fmt.Sprintf("arg-%d", j+1)},
				Note: aion.Note{Text: aion.Text{Value: p.note}},
			})
		}
		doc.Elements = append(doc.Elements, element)
	}
	source, err := aion.Format(doc)
	if err != nil {
		t.Fatal(err)
	}
	mod := "module example.com/python\n\ngo 1.26\n\nrequire github.com/aiongen/aiongen v0.0.0\n\nreplace github.com/aiongen/aiongen => " + root + "\n"
	for name, content := range map[string][]byte{"functions.go": functions, "go.sum": sum, "go.mod": []byte(mod), "expressions.aion": source} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOWORK", "off")
	begin := time.Now()
	result, faults := gen.Generate(t.Context(), gen.Config{Dir: dir})
	for i, d := range faults {
		if i < 60 {
			t.Errorf("%v %v", d, d.Help)
		}
	}
	if faults.Err() != nil {
		t.FailNow()
	}
	if err := result.Write(); err != nil {
		t.Fatal(err)
	}
	t.Logf("generated in %v", time.Since(begin))
	binary := filepath.Join(dir, "expressions")
	build := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-N -l", "-o", binary, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out[:min(len(out), 5000)])
	}
	t.Logf("built in %v", time.Since(begin))
	return binary
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
			named := map[string]any{}
			for j, p := range e.params {
				if arguments[j] != nil || p.note == "any" {
					named[p.name] = arguments[j]
				}
			}
			fmt.Fprintln(&b, jsonOf(map[string]any{"name": fmt.Sprintf("e%d", i), "arguments": named}))
		}
	}
	return b.Bytes()
}

// An answer is what became of a call.
type answer struct {
	Value    any
	Error    string
	Infinite bool // it is no JSON
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
	_, message, _ := strings.Cut(got.Error, ": ") // behind the name of the tool
	switch {
	case refusal.MatchString(message) && refusable.MatchString(e.text):
		return ""
	case want.Infinite && strings.Contains(got.Error, "the result cannot be written"):
		return ""
	case want.Error != "":
		return compareErrors(want.Error, got, exact)
	case got.Error != "" || !sameJSON(want.Value, got.Value):
		return fmt.Sprintf("Python says %s, Go %s", python, golang)
	}
	return ""
}

// What Go says in the place of Python on purpose: a Go function gets what it takes,
// so that a value of another type is refused where Python would hand it on; and a
// text is not formatted with %.
var (
	refusal   = regexp.MustCompile(`^TypeError: (expected an? (int|float|str), found|argument \w+ of \w+ must be) |^TypeError: a string cannot be formatted with % here`)
	refusable = regexp.MustCompile(`(half|join3|mean|trace)\(| % `)
)

func compareErrors(want string, got answer, exact bool) string {
	_, message, _ := strings.Cut(got.Error, ": ") // behind the name of the tool
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
	if want == message || !exact && wantType == gotType {
		return ""
	}
	return fmt.Sprintf("Python fails with %s, Go with %s", want, message)
}

// sameJSON compares values; numbers are equal if they are as floats, since Go writes
// 1.0 as 1.
func sameJSON(a, b any) bool {
	switch x := a.(type) {
	case json.Number:
		y, ok := b.(json.Number)
		f, _ := x.Float64()
		g, _ := y.Float64()
		return ok && (x == y || f == g)
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !sameJSON(x[i], y[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for key := range x {
			if !sameJSON(x[key], y[key]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}

package lambda_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
)

// TestSuggestions applies what the help suggests for unsupported expressions, compiles it, and compares
// its values with those of the unsupported expressions in CPython.
func TestSuggestions(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	written := readFile(t, "testdata/suggestions.txt")
	suggested := followHelp(t, written)
	if t.Failed() {
		return
	}
	binary, _ := buildProgram(t, suggested, map[string][]byte{"functions.go": []byte(noFunctions)})
	want := runCommand(t, exec.CommandContext(t.Context(), python, "-Wignore", "testdata/python/functions.py"), pythonRequests(written))
	got := runCommand(t, exec.CommandContext(t.Context(), binary), goRequests(suggested))
	if len(want)-1 != len(got) {
		t.Fatalf("Python answers %d calls, Go %d", len(want)-1, len(got))
	}
	n := 0
	for i, e := range written {
		for _, arguments := range e.calls {
			if problem := compareSuggestion(want[n+1], got[n]); problem != "" {
				t.Errorf("%s became %s, with %s: %s", e.text, suggested[i].text, encodeJSON(arguments), problem)
			}
			n++
		}
	}
	t.Logf("%d expressions in %d calls", len(written), n)
}

// compareSuggestion describes how the answers of Python and Go differ. Where one fails, so must the
// other, in any words.
func compareSuggestion(python, golang string) string {
	want, got := readAnswer(python), readAnswer(golang)
	if (want.Error != "") != (got.Error != "") && !strings.Contains(got.Error, "OverflowError") || want.Error == "" && got.Error == "" && !sameValue(want.Value, got.Value) {
		return "Python says " + python + ", Go " + golang
	}
	return ""
}

// noFunctions replaces the functions that other expressions call.
const noFunctions = "package main\n\nfunc reset() {}\n"

// followHelp compiles expressions and does what the help for each one says. It returns the expressions
// that then stand in the file.
func followHelp(t *testing.T, written []expression) (suggested []expression) {
	t.Helper()
	source, err := aion.Format(newDocument(written))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeFiles(t, dir, map[string][]byte{
		"go.mod": []byte("module example.com/python\n\ngo 1.26\n"), "expressions.aion": source, "functions.go": []byte(noFunctions),
	})
	codes := []diag.Code{"unsupported-python", "lambda-call", "lambda-name", "lambda-syntax", "lambda-type"}
	result, _, _ := gen.Fix(t.Context(), gen.Config{Dir: dir}, codes...)
	if err := result.Write(); err != nil {
		t.Fatal(err)
	}
	_, left := gen.Generate(t.Context(), gen.Config{Dir: dir})
	for _, d := range left {
		t.Errorf("after the help: %v %q\n%s", d, d.Help, bytes.Split(source, []byte("\n"))[d.Span.Start.Line-1])
	}
	if t.Failed() {
		return nil
	}
	doc, left := aion.Parse(filepath.Join(dir, "expressions.aion"), result.Changes[0].New)
	if err := left.Err(); err != nil {
		t.Fatal(err)
	}
	edited := 0
	for i, e := range written {
		_, text, _ := strings.Cut(doc.Elements[i].Function.Text.Value, ": ")
		if text != e.text {
			edited++
		}
		e.text = text
		suggested = append(suggested, e)
	}
	if edited < 30 {
		t.Errorf("%d of %d expressions were edited", edited, len(written))
	}
	return suggested
}

// literal matches a Go function literal that the help proposes to write instead of a lambda.
var literal = regexp.MustCompile(`func\(.*\) \{ … \}`)

// TestRefusedHelp follows the help for each refused idiom: it applies the edit, or writes the Go function
// literal, and compiles the result.
func TestRefusedHelp(t *testing.T) {
	idioms, signs := readIdioms(t)
	refused := slices.DeleteFunc(slices.Clone(idioms), func(e expression) bool {
		return signs[slices.IndexFunc(idioms, func(other expression) bool { return other.text == e.text })][1] == '+'
	})
	dir := t.TempDir()
	doc := newDocument(refused)
	write := func() {
		source, err := aion.Format(doc)
		if err != nil {
			t.Fatal(err)
		}
		writeFiles(t, dir, map[string][]byte{
			"go.mod": []byte("module example.com/python\n\ngo 1.26\n"), "expressions.aion": source, "functions.go": []byte(noFunctions),
		})
	}
	write()
	result, _, left := gen.Fix(t.Context(), gen.Config{Dir: dir}, "unsupported-python", "lambda-call", "lambda-type")
	fixed, faults := aion.Parse(filepath.Join(dir, "expressions.aion"), result.Changes[0].New)
	if faults.Err() != nil {
		t.Fatal(faults)
	}
	doc = fixed
	edited := len(refused)
	for _, d := range left {
		if d.Severity != diag.Error {
			continue
		}
		i := slices.IndexFunc(fixed.Elements, func(e *aion.Element) bool { return e.Function.Text.Span.Start.Line == d.Span.Start.Line })
		text := literal.FindString(strings.Join(d.Help, "\n"))
		if text == "" || i < 0 {
			t.Errorf("%v: %q cannot be followed", d, d.Help)
			continue
		}
		edited--
		doc.Elements[i].Function.Text = aion.Text{Value: strings.Replace(text, "…", `panic("to be written")`, 1)}
	}
	write()
	if _, left := gen.Generate(t.Context(), gen.Config{Dir: dir}); left.Err() != nil {
		t.Errorf("after the help: %v", left)
	}
	if edited < 8 {
		t.Errorf("%d of %d idioms became another expression", edited, len(refused))
	}
}

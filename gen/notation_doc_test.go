package gen_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/gen/internal/contract"
)

const notationDoc = "../docs/reference/notation.md"

var (
	// exampleBlock is a fenced block of the document.
	exampleBlock = regexp.MustCompile("(?ms)^```(aion|go|json)\n(.*?)^```$")
	// exampleNote is a row of its table of notes: note, Go type, schema.
	exampleNote = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| `([^`]+)` \\| (?:`([^`]*)` )?\\|$")
)

// TestNotationDoc compiles the examples of the document, and compares the schemas that
// it shows with theirs.
func TestNotationDoc(t *testing.T) {
	text, err := os.ReadFile(notationDoc)
	if err != nil {
		t.Fatal(err)
	}
	dir := exampleModule(t)
	var files, notes int
	for _, m := range exampleBlock.FindAllStringSubmatch(string(text), -1) {
		switch m[1] {
		case "go":
			writeFile(t, filepath.Join(dir, "desk.go"), m[2])
		case "aion":
			files++
			name := fmt.Sprintf("example%02d.aion", files)
			writeFile(t, filepath.Join(dir, name), m[2])
			checkFormatted(t, name, m[2])
		}
	}
	source := "package desk\n\nimport \"time\"\n\nvar _ time.Time\n"
	table := "[\n"
	for _, m := range exampleNote.FindAllStringSubmatch(string(text), -1) {
		notes++
		source += fmt.Sprintf("\n// Note%d has the note.\nfunc Note%[1]d(x %s) {}\n", notes, m[2])
		table += fmt.Sprintf("{ name --> \"note%d\", function --> \"Note%[1]d\" --> { arg-1 --> \"%s\" } },\n", notes, strings.ReplaceAll(m[1], `\|`, "|"))
	}
	writeFile(t, filepath.Join(dir, "notes.go"), source)
	forms := functionForms(string(text))
	for i, form := range forms {
		table += fmt.Sprintf("{ name --> \"form%d\", function --> \"\"\"%s\"\"\" --> {}, description --> \"A form.\" },\n", i, form)
	}
	writeFile(t, filepath.Join(dir, "notes.aion"), table+"]\n")
	if files < 6 || notes < 15 || len(forms) < 8 {
		t.Errorf("the document has %d files, %d notes and %d forms of functions", files, notes, len(forms))
	}
	current := withSchemas(t, string(text), toolsByName(t, dir))
	if *update {
		writeFile(t, notationDoc, current)
	} else if current != string(text) {
		t.Error("the document shows other schemas than there are; rewrite it with -update")
	}
	build := exec.CommandContext(t.Context(), "go", "vet", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// functionForms are the texts in the table of what names a function.
func functionForms(text string) (forms []string) {
	_, table, _ := strings.Cut(text, "\n| the text of `function` |")
	table, _, _ = strings.Cut(table, "\n\n")
	for row := range strings.Lines(table) {
		cell, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " | ")
		for _, form := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1) {
			forms = append(forms, form[1])
		}
	}
	return forms
}

// checkFormatted checks that an example is formatted like the output of aiongen fmt.
func checkFormatted(t *testing.T, name, text string) {
	t.Helper()
	change, faults := gen.FormatInput(name, strings.NewReader(text))
	if string(change.New) != text {
		t.Errorf("the example\n%s\nis formatted as\n%s\n%v", text, change.New, faults)
	}
}

// toolsByName generates the package of the examples, which must cause no warnings.
func toolsByName(t *testing.T, dir string) map[string]contract.Tool {
	t.Helper()
	result, faults := gen.Generate(t.Context(), gen.Config{Dir: dir})
	if len(faults) > 0 {
		var report bytes.Buffer
		printer := diag.Printer{Read: func(file string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, file)) }}
		if err := printer.Print(&report, faults); err != nil {
			t.Fatal(err)
		}
		t.Fatalf("%s", &report)
	}
	if err := result.Write(); err != nil {
		t.Fatal(err)
	}
	list, faults := gen.Tools(t.Context(), gen.Config{Dir: dir})
	if faults.Err() != nil {
		t.Fatal(faults)
	}
	tools := map[string]contract.Tool{}
	for _, tool := range list {
		tools[tool.Name] = tool
	}
	return tools
}

// withSchemas returns the document with the schemas of the tools inserted: in the table of notes, and
// in the JSON blocks, each of which shows the tool that the last example before it defines.
func withSchemas(t *testing.T, text string, tools map[string]contract.Tool) string {
	t.Helper()
	last := ""
	text = exampleBlock.ReplaceAllStringFunc(text, func(block string) string {
		m := exampleBlock.FindStringSubmatch(block)
		switch m[1] {
		case "aion":
			doc, _ := aion.Parse("", []byte(m[2]))
			for _, el := range doc.Elements {
				last = el.Name.Value
			}
		case "json":
			var schema bytes.Buffer
			if err := json.Indent(&schema, tools[last].Input, "", "  "); err != nil {
				t.Fatalf("the schema of %q: %v", last, err)
			}
			return "```json\n" + schema.String() + "\n```"
		}
		return block
	})
	n := 0
	return exampleNote.ReplaceAllStringFunc(text, func(row string) string {
		n++
		m := exampleNote.FindStringSubmatch(row)
		var schema struct{ Properties struct{ X json.RawMessage } }
		if err := json.Unmarshal(tools[fmt.Sprintf("note%d", n)].Input, &schema); err != nil {
			t.Fatalf("the schema of %s: %v", m[1], err)
		}
		return fmt.Sprintf("| `%s` | `%s` | `%s` |", m[1], m[2], strings.ReplaceAll(string(schema.Properties.X), "|", `\|`))
	})
}

// exampleModule creates a module that uses this one.
func exampleModule(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "go.sum"), string(sum))
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/desk\n\ngo 1.26\n\nrequire github.com/aiongen/aiongen v0.0.0\n\n"+
		"replace github.com/aiongen/aiongen => "+root+"\n")
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOWORK", "off")
	return dir
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

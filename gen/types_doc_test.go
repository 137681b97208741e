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

	"github.com/aiongen/aiongen/gen/internal/contract"
)

const typesDoc = "../docs/reference/types.md"

// The headers of the tables in the page: those of Go types, and those of struct fields.
const (
	typesHeader  = "| Go type | schema of an argument | schema of a result | JSON |\n"
	fieldsHeader = "| field | properties of the arguments | required |\n"
)

var (
	// typeRow is a row of a table of Go types: the type, and the value that is passed, if any.
	typeRow = regexp.MustCompile("^\\| `([^`]+)` \\| .*\\| (?:`([^`]+)`[^|]*|–) \\|\n$")
	// fieldRow is a row of a table of struct fields: the field.
	fieldRow = regexp.MustCompile("^\\| (?:`` ?([^`]*`[^`]+`) ``|`([^`]+)`) \\| .*\\| .*\\|\n$")
)

// standardImports are the packages whose types the page shows.
var standardImports = map[string]string{
	"time": "time", "json": "encoding/json", "url": "net/url", "big": "math/big", "net": "net",
	"netip": "net/netip", "slog": "log/slog", "sql": "database/sql", "io": "io", "os": "os",
}

// A typesPage is the page, with the rows of its tables. The functions of the rows are numbered.
type typesPage struct {
	lines  []string
	types  map[int]string // Go types by line
	inputs map[int]string // JSON by line; none for types that JSON cannot carry
	fields map[int]string // declarations of fields by line
}

func readTypesPage(text string) *typesPage {
	p := &typesPage{types: map[int]string{}, inputs: map[int]string{}, fields: map[int]string{}}
	header := ""
	for line := range strings.Lines(text) {
		p.lines = append(p.lines, line)
		n := len(p.lines) - 1
		switch {
		case line == typesHeader || line == fieldsHeader:
			header = line
		case line == "\n":
			header = ""
		case header == typesHeader:
			if m := typeRow.FindStringSubmatch(line); m != nil {
				p.types[n], p.inputs[n] = m[1], unescapeCell(m[2])
			}
		case header == fieldsHeader:
			if m := fieldRow.FindStringSubmatch(line); m != nil {
				p.fields[n] = m[1] + m[2]
			}
		}
	}
	return p
}

func escapeCell(text string) string   { return strings.ReplaceAll(text, "|", `\|`) }
func unescapeCell(text string) string { return strings.ReplaceAll(text, `\|`, "|") }

// source returns a Go file with a function for each row, and the .aion file of their tools.
func (p *typesPage) source() (goFile, aionFile string) {
	var code, elements strings.Builder
	for n := range p.lines {
		if t, ok := p.types[n]; ok {
			fmt.Fprintf(&code, "\n// Type%d returns its argument.\nfunc Type%[1]d(x %[2]s) %[2]s { return x }\n", n, t)
			notes := ""
			if p.inputs[n] == "" { // otherwise a note reports that the tool needs a scope
				notes = `arg-1 --> "any | ref"`
			}
			fmt.Fprintf(&elements, "  { name --> \"type%d\", function --> \"Type%[1]d\" --> { %s } },\n", n, notes)
		}
		if f, ok := p.fields[n]; ok {
			fmt.Fprintf(&code, "\ntype fields%d struct {\n%s\nZZ bool `json:\"zz,omitempty\"`\n}\n\n// Field%[1]d takes a struct.\nfunc Field%[1]d(x fields%[1]d) {}\n", n, f)
			fmt.Fprintf(&elements, "  { name --> \"field%d\", function --> \"Field%[1]d\" --> {} },\n", n)
		}
	}
	imports := ""
	for name, path := range standardImports {
		if regexp.MustCompile(`\b` + name + `\.`).MatchString(code.String()) {
			imports += fmt.Sprintf("import %q\n", path)
		}
	}
	return "package kinds\n\n" + imports + code.String(), "[\n" + elements.String() + "]\n"
}

// caller returns a program that calls the tool of each row and prints the results.
func (p *typesPage) caller() string {
	var calls strings.Builder
	for n := range p.lines {
		if input := p.inputs[n]; input != "" {
			fmt.Fprintf(&calls, "\tcall(%d, %q)\n", n, `{"x": `+input+`}`)
		}
	}
	return `package main

import (
	"context"
	"fmt"

	kinds "example.com/desk"
	"github.com/aiongen/aiongen/runtime/tool"
)

func main() {
	registry := tool.NewRegistry()
	if err := kinds.Register(registry); err != nil {
		panic(err)
	}
	call := func(n int, arguments string) {
		c := registry.Call(context.Background(), tool.Request{Name: fmt.Sprint("type", n), Arguments: []byte(arguments)})
		if c.Err != nil {
			panic(c.Err)
		}
		fmt.Printf("%d %s\n", n, c.Output)
	}
` + calls.String() + "}\n"
}

// withSchemas returns the page with the schemas of the tools and the outputs of the calls.
func (p *typesPage) withSchemas(t *testing.T, tools map[string]contract.Tool, outputs map[int]string) string {
	lines := append([]string(nil), p.lines...)
	for n, goType := range p.types {
		x := tools[fmt.Sprint("type", n)]
		var input struct{ Properties struct{ X json.RawMessage } }
		if err := json.Unmarshal(x.Input, &input); err != nil {
			t.Fatalf("the schema of %s: %v", goType, err)
		}
		result := "`" + escapeCell(string(x.Output)) + "`"
		if bytes.Equal(x.Output, input.Properties.X) {
			result = "the same"
		}
		value := "–"
		if in := p.inputs[n]; in != "" {
			value = "`" + escapeCell(in) + "`"
			if out := outputs[n]; out != in {
				value += " → `" + escapeCell(out) + "`"
			}
		}
		lines[n] = fmt.Sprintf("| `%s` | `%s` | %s | %s |\n", goType, escapeCell(string(input.Properties.X)), result, value)
	}
	for n, field := range p.fields {
		var input struct {
			Properties json.RawMessage
			Required   []string
		}
		if err := json.Unmarshal(tools[fmt.Sprint("field", n)].Input, &input); err != nil {
			t.Fatalf("the schema of %s: %v", field, err)
		}
		properties := strings.TrimSuffix(strings.TrimPrefix(string(input.Properties), "{"), `"zz":{"type":"boolean"}}`) // that every struct has
		properties = strings.TrimSuffix(properties, ",")
		if properties == "" {
			properties = "none"
		} else {
			properties = "`" + escapeCell(properties) + "`"
		}
		required := "no"
		if len(input.Required) > 0 {
			required = "`" + strings.Join(input.Required, "`, `") + "`"
		}
		code := "`" + field + "`"
		if strings.Contains(field, "`") {
			code = "``" + field + " ``"
		}
		lines[n] = fmt.Sprintf("| %s | %s | %s |\n", code, properties, required)
	}
	return strings.Join(lines, "")
}

// TestTypesDoc compiles a function for each row of the page about Go types, and compares the
// schemas and the results of calls with those that the page shows.
func TestTypesDoc(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	text, err := os.ReadFile(typesDoc)
	if err != nil {
		t.Fatal(err)
	}
	page := readTypesPage(string(text))
	if len(page.types) < 40 || len(page.fields) < 20 {
		t.Fatalf("the page has %d types and %d fields", len(page.types), len(page.fields))
	}
	dir := exampleModule(t)
	declarations := exampleBlock.FindStringSubmatch(string(text))
	writeFile(t, filepath.Join(dir, "kinds.go"), declarations[2])
	goFile, aionFile := page.source()
	writeFile(t, filepath.Join(dir, "rows.go"), goFile)
	writeFile(t, filepath.Join(dir, "rows.aion"), aionFile)
	tools := toolsByName(t, dir)
	if err := os.Mkdir(filepath.Join(dir, "call"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "call", "main.go"), page.caller())
	run := exec.CommandContext(t.Context(), "go", "run", "./call")
	run.Dir = dir
	var stderr bytes.Buffer
	run.Stderr = &stderr
	printed, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	outputs := map[int]string{}
	for line := range strings.Lines(string(printed)) {
		n := 0
		number, output, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if _, err := fmt.Sscan(number, &n); err != nil {
			t.Fatal(err)
		}
		outputs[n] = output
	}
	current := page.withSchemas(t, tools, outputs)
	if *update {
		writeFile(t, typesDoc, current)
	} else if current != string(text) {
		t.Error("the page shows other schemas than there are; rewrite it with -update")
	}
}

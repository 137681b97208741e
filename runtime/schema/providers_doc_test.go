package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

const providersDoc = "../../docs/reference/providers.md"

var (
	// outcomeRow is a row of the table of outcomes: the feature and the schema.
	outcomeRow = regexp.MustCompile("(?m)^\\| ([^|]+) \\| `(\\{[^`]+)` \\|.*$")
	// targetRow is a row of the table of targets: the target and its shape.
	targetRow = regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| [^|]+ \\| `([a-z-]+)` \\|$")
	// loweredBlock is the lowered definition in the section of a target.
	loweredBlock = regexp.MustCompile("(?ms)^### ([a-z-]+)\n\n```json\n.*?^```$")
	// neutralBlock is the definition that is lowered.
	neutralBlock = regexp.MustCompile("(?ms)^This definition .*?^```json\n(.*?)^```$")
)

// worstLoss returns the outcome of lowering a schema.
func worstLoss(t *testing.T, target schema.Target, input string) string {
	t.Helper()
	losses, err := schema.Check(target, tool.Definition{Name: "a", Description: "A.", Input: json.RawMessage(input)})
	if err != nil {
		t.Fatalf("%s for %s: %v", input, target, err)
	}
	if len(losses) == 0 {
		return "kept"
	}
	worst := slices.MaxFunc(losses, func(a, b schema.Loss) int { return int(a.Severity - b.Severity) })
	return worst.Severity.String()
}

// lowerExample returns the request of a target for the definition of the page.
func lowerExample(t *testing.T, target schema.Target, neutral string) string {
	t.Helper()
	var d struct {
		Name, Description string
		Input             json.RawMessage
	}
	if err := json.Unmarshal([]byte(neutral), &d); err != nil {
		t.Fatal(err)
	}
	lowered, err := schema.Lower(target, tool.Definition{Name: d.Name, Description: d.Description, Input: d.Input})
	if err != nil {
		t.Fatal(err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, lowered.JSON(target.Shape()), "", "  "); err != nil {
		t.Fatal(err)
	}
	return indented.String()
}

// TestProvidersDoc compares the tables and the definitions of the page about providers with what
// Lower and Check do.
func TestProvidersDoc(t *testing.T) {
	text, err := os.ReadFile(providersDoc)
	if err != nil {
		t.Fatal(err)
	}
	rows, blocks := 0, 0
	current := outcomeRow.ReplaceAllStringFunc(string(text), func(row string) string {
		rows++
		m := outcomeRow.FindStringSubmatch(row)
		input, out := m[2], "| "+m[1]+" | `"+m[2]+"` |"
		if !strings.HasPrefix(m[1], "arguments") {
			input = `{"type":"object","properties":{"a":` + input + `},"required":["a"]}`
		}
		for _, target := range schema.Targets() {
			out += " " + worstLoss(t, target, input) + " |"
		}
		return out
	})
	neutral := neutralBlock.FindStringSubmatch(current)[1]
	current = loweredBlock.ReplaceAllStringFunc(current, func(block string) string {
		blocks++
		target := schema.Target(loweredBlock.FindStringSubmatch(block)[1])
		return fmt.Sprintf("### %s\n\n```json\n%s\n```", target, lowerExample(t, target, neutral))
	})
	var targets []schema.Target
	for _, m := range targetRow.FindAllStringSubmatch(current, -1) {
		targets = append(targets, schema.Target(m[1]))
		if shape := schema.Target(m[1]).Shape(); string(shape) != m[2] {
			t.Errorf("the page has the shape %s for %s, it is %s", m[2], m[1], shape)
		}
	}
	if !slices.Equal(targets, schema.Targets()) || blocks != len(targets) || rows < 30 {
		t.Errorf("the page has the targets %q, %d definitions and %d schemas", targets, blocks, rows)
	}
	if *update {
		if err := os.WriteFile(providersDoc, []byte(current), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if current != string(text) {
		t.Error("the page shows other outcomes than there are; rewrite it with -update")
	}
}

// TestProvidersDocSeverities checks that the page explains every severity.
func TestProvidersDocSeverities(t *testing.T) {
	text, err := os.ReadFile(providersDoc)
	if err != nil {
		t.Fatal(err)
	}
	source, err := parser.ParseFile(token.NewFileSet(), "lower.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range severityNames(source) {
		found++
		if !strings.Contains(string(text), "\n| `"+strings.ToLower(name)+"` | ") {
			t.Errorf("the page does not explain %s", name)
		}
	}
	if found != 5 {
		t.Errorf("found %d severities", found)
	}
}

// severityNames returns the names of the constants of type Severity.
func severityNames(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		first, ok := group.Specs[0].(*ast.ValueSpec)
		if typ, named := first.Type.(*ast.Ident); !ok || !named || typ.Name != "Severity" {
			continue
		}
		for _, s := range group.Specs {
			names = append(names, s.(*ast.ValueSpec).Names[0].Name)
		}
	}
	return names
}

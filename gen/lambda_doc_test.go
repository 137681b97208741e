package gen_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const lambdaDoc = "../docs/reference/lambdas.md"

// shown is a lambda in docs/reference/lambdas.md with its Go code.
var shown = regexp.MustCompile("(?s)```python\n(lambda [^\n]*)\n```\n\n```go\n(.*?)```")

// lambdaRow is a row of the table of elements: an example, and the type of its parameter.
var lambdaRow = regexp.MustCompile("(?m)^\\|.*\\| `(lambda [^`]*)`, `([^`]*)` \\|$")

// lambdaPackage declares what the examples of the table use.
const lambdaPackage = `package desk

// User is a user.
type User struct {
	Email string ` + "`json:\"email_address\"`" + `
}

// FindUser finds a user.
func FindUser(name string) (*User, error) { return nil, nil }

// Filter selects users.
type Filter struct{ Limit int }

// ListUsers lists users.
func ListUsers(name string, f Filter) []User { return nil }

// SendMail sends a mail.
func SendMail(subject string, priority float64, to ...string) (int, error) { return 0, nil }
`

// TestLambdaTable compiles the examples in the table of elements.
func TestLambdaTable(t *testing.T) {
	text, err := os.ReadFile(lambdaDoc)
	if err != nil {
		t.Fatal(err)
	}
	rows := lambdaRow.FindAllStringSubmatch(string(text), -1)
	if len(rows) != 14 {
		t.Errorf("the table has %d examples", len(rows))
	}
	elements := "[\n"
	for i, row := range rows {
		elements += fmt.Sprintf("{ name --> \"row%d\", function --> \"%s\" --> { arg-1 --> \"%s\" }, description --> \"Row.\" },\n", i, row[1], row[2])
	}
	dir := exampleModule(t)
	writeFile(t, filepath.Join(dir, "desk.go"), lambdaPackage)
	writeFile(t, filepath.Join(dir, "rows.aion"), elements+"]\n")
	if tools := toolsByName(t, dir); len(tools) != len(rows) {
		t.Errorf("there are %d tools for %d examples", len(tools), len(rows))
	}
	build := exec.CommandContext(t.Context(), "go", "vet", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestLambdaDoc checks that the documentation shows the generated code.
func TestLambdaDoc(t *testing.T) {
	text, err := os.ReadFile(lambdaDoc)
	if err != nil {
		t.Fatal(err)
	}
	generated, err := os.ReadFile(filepath.Join(goldenDir, "lambdas", "lambdas.aion.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	current := shown.ReplaceAllStringFunc(string(text), func(block string) string {
		found++
		lambda := shown.FindStringSubmatch(block)[1]
		_, code, ok := strings.Cut(string(generated), "Func is "+lambda+"\n")
		if !ok {
			t.Errorf("no golden tool is %s", lambda)
			return block
		}
		code, _, _ = strings.Cut(code, "\n}\n")
		return "```python\n" + lambda + "\n```\n\n```go\n" + code + "\n}\n```"
	})
	if found != 10 {
		t.Errorf("the document shows %d lambdas", found)
	}
	if *update {
		if err := os.WriteFile(lambdaDoc, []byte(current), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if current != string(text) {
		t.Error("the document shows code that is not generated; rewrite it with -update")
	}
}

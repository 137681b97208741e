package gen_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shown is a lambda in docs/lambdas.md, with the Go code that it becomes.
var shown = regexp.MustCompile("(?s)```python\n(lambda [^\n]*)\n```\n\n```go\n(.*?)```")

// TestLambdaDoc checks that the document shows what is generated.
func TestLambdaDoc(t *testing.T) {
	const document = "../docs/lambdas.md"
	text, err := os.ReadFile(document)
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
		if err := os.WriteFile(document, []byte(current), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if current != string(text) {
		t.Error("the document shows code that is not generated; rewrite it with -update")
	}
}

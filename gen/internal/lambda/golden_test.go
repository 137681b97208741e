package lambda_test

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// TestGo compares the Go code of expressions with a golden file. The code should read as if written by
// hand.
func TestGo(t *testing.T) {
	const golden = "testdata/translations.txt"
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for line := range strings.Lines(string(want)) {
		text, ok := strings.CutPrefix(line, "> ")
		if !ok {
			continue
		}
		text = strings.TrimSpace(text)
		code, faults := translate(t, text)
		if err := faults.Err(); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if err := typeCheck(code); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		_, body, _ := strings.Cut(code, "{\n")
		got.WriteString("> " + text + "\n" + strings.TrimSuffix(body, "}") + "\n")
	}
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if got.String() != string(want) {
		t.Errorf("the expressions become, see them with -update:\n%s", got.String())
	}
}

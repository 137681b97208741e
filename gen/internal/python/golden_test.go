package python_test

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// TestGo shows the Go that expressions become, which shall read as if written by
// hand. The parameters are those of all tests here.
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
		code, faults := translated(t, text)
		if err := faults.Err(); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if err := check(code); err != nil {
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

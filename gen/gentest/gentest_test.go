package gentest_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/gen/gentest"
)

// recorder is a test that records its errors.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// TestCheckCurrent changes a package after it was generated. Each change is something that the Go compiler does not
// notice.
func TestCheckCurrent(t *testing.T) {
	files := map[string]string{
		"go.mod":   "module example.com/shelf\n\ngo 1.26\n",
		"shelf.go": "package shelf\n\n// Lend lends a book.\nfunc Lend(title string) error { return nil }\n",
		"a.aion":   "[{ name --> \"lend\", function --> \"Lend\" --> {}, description --> \"Lend a book.\" }]\n",
	}
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		write(name, text)
	}
	check := func(what, want string) {
		t.Helper()
		r := &recorder{TB: t}
		gentest.CheckCurrent(r)
		switch got := strings.Join(r.errors, "\n"); {
		case want == "" && got != "":
			t.Errorf("%s: %s", what, got)
		case !strings.Contains(got, want):
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	check("not generated", "a.aion.go: error: the generated file is missing")
	result, faults := gen.Generate(t.Context(), gen.Config{})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if err := result.Write(); err != nil {
		t.Fatal(err)
	}
	check("generated", "")
	write("a.aion", strings.Replace(files["a.aion"], "Lend a book.", "Lend one book.", 1))
	check("another description", "a.aion.go: error: the generated file is stale")
	write("a.aion", strings.Replace(files["a.aion"], "Lend a book.", "TODO: describe it", 1))
	check("a warning", "warning: ")
	write("a.aion", strings.Replace(files["a.aion"], `"Lend"`, `"Lent"`, 1))
	check("an error", "ghost tool: there is no function Lent")
	write("a.aion", files["a.aion"])
	check("as before", "")
}

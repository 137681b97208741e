package outline_test

import (
	"flag"
	"os"
	"regexp"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
)

var update = flag.Bool("update", false, "rewrite the table of limits")

const providersDoc = "../../../../docs/reference/providers.md"

// limitsTable is the table of limits in the page about providers: its header and its rows.
var limitsTable = regexp.MustCompile(`(?m)(^\| target \| name of a tool \| .*\n\| --- .*\n)((?:\| .*\n)*)`)

// TestLimitsDoc compares the table of limits with the rules of the targets.
func TestLimitsDoc(t *testing.T) {
	text, err := os.ReadFile(providersDoc)
	if err != nil {
		t.Fatal(err)
	}
	m := limitsTable.FindSubmatchIndex(text)
	if m == nil {
		t.Fatal("the page has no table of limits")
	}
	want := outline.LimitRows()
	got := string(text[m[4]:m[5]])
	if *update {
		if err := os.WriteFile(providersDoc, []byte(string(text[:m[4]])+want+string(text[m[5]:])), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if got != want {
		t.Errorf("the page has\n%s\nthe rules are\n%s\nrewrite the table with -update", got, want)
	}
}

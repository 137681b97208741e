package gen_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen"
)

const promisesDoc = "../docs/explanation/promises.md"

// changeRow is a row of the table of changes.
var changeRow = regexp.MustCompile(`(?m)^\| (.+) \| *(?:fails|passes)? *\| *(?:fails|passes)? *\|$`)

const (
	promisedGo = `package desk

import "github.com/aiongen/aiongen/runtime/tool"

var _ = tool.Annotate("find", tool.ReadOnly)

// State is the state of a ticket.
type State string

// The states.
const (
	Open   State = "open"
	Closed State = "closed"
)

// Query selects tickets.
type Query struct {
	Words string ` + "`json:\"words\" jsonschema:\"minLength=1\"`" + `
	State State  ` + "`json:\"state\"`" + `
}

// Find finds tickets.
func Find(q Query) (int, error) { return 0, nil }

// Assign gives a ticket to a user.
//   - user: who gets it
func Assign(id int, user string) error { return nil }
`
	promisedAion = `[
  { name --> "find", function --> "Find" --> {}, description --> "Find tickets." },
  { name --> "assign", function --> "Assign" --> {}, description --> "Assign a ticket." }
]
`
)

// promisedChanges are the edits of the rows: old and new text.
var promisedChanges = map[string][2]string{
	"a function is renamed or deleted":                    {"func Assign(", "func Give("},
	"a parameter gets another type":                       {"id int,", "id string,"},
	"a parameter is added":                                {"user string)", "user, why string)"},
	"the result gets another type":                        {"(int, error) { return 0, nil }", "(string, error) { return \"\", nil }"},
	"a field of an argument struct is renamed or deleted": {"\tWords string", "\tText string"},
	"a field of an argument struct gets another type":     {"\tWords string", "\tWords []string"},
	"a parameter is renamed":                              {"user string)", "owner string)"},
	"a field is added to an argument struct":              {"type Query struct {", "type Query struct {\n\tLimit int"},
	"a json tag is changed":                               {`json:"words"`, `json:"text"`},
	"a jsonschema tag is changed":                         {"minLength=1", "minLength=2"},
	"a constant is added to an enum":                      {"\tClosed State", "\tAsleep State = \"asleep\"\n\tClosed State"},
	"the value of a constant is changed":                  {`"closed"`, `"done"`},
	"a doc comment that the model reads is changed":       {"who gets it", "the new owner"},
	"an annotation is added":                              {`"find", tool.ReadOnly)`, `"find", tool.ReadOnly, tool.Title("Find"))`},
	"an annotation is deleted":                            {`"find", tool.ReadOnly)`, `"find")`},
	"a note in the `.aion` file is changed":               {`"Assign" --> {}`, `"Assign" --> { arg-1 --> "int | min=1", arg-2 --> "string" }`},
	"a tool is added to the `.aion` file":                 {"\n]\n", ",\n  { name --> \"manual\", link --> \"https://example.com\", description --> \"The manual.\" }\n]\n"},
}

// TestPromisesDoc makes each change of the table, and compares what detects it.
func TestPromisesDoc(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	text, err := os.ReadFile(promisesDoc)
	if err != nil {
		t.Fatal(err)
	}
	dir := exampleModule(t)
	reset := func() {
		writeFile(t, filepath.Join(dir, "desk.go"), promisedGo)
		writeFile(t, filepath.Join(dir, "desk.aion"), promisedAion)
	}
	reset()
	result, faults := gen.Generate(t.Context(), gen.Config{Dir: dir})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if err := result.Write(); err != nil {
		t.Fatal(err)
	}
	if buildOutcome(t, dir) != "passes" || checkOutcome(t.Context(), dir) != "passes" {
		t.Fatal("the package is not in order before any change")
	}
	done := map[string]bool{}
	current := changeRow.ReplaceAllStringFunc(string(text), func(row string) string {
		change := changeRow.FindStringSubmatch(row)[1]
		edit, ok := promisedChanges[change]
		if !ok {
			t.Errorf("there is no edit for %q", change)
			return row
		}
		done[change] = true
		goFile, aionFile := strings.Replace(promisedGo, edit[0], edit[1], 1), promisedAion
		if goFile == promisedGo {
			aionFile = strings.Replace(promisedAion, edit[0], edit[1], 1)
		}
		if goFile == promisedGo && aionFile == promisedAion {
			t.Errorf("the edit for %q changes nothing", change)
		}
		writeFile(t, filepath.Join(dir, "desk.go"), goFile)
		writeFile(t, filepath.Join(dir, "desk.aion"), aionFile)
		return "| " + change + " | " + buildOutcome(t, dir) + " | " + checkOutcome(t.Context(), dir) + " |"
	})
	if len(done) != len(promisedChanges) {
		t.Errorf("the page has %d of %d changes", len(done), len(promisedChanges))
	}
	if *update {
		writeFile(t, promisesDoc, current)
	} else if current != string(text) {
		t.Error("the page shows other outcomes than there are; rewrite it with -update")
	}
}

func buildOutcome(t *testing.T, dir string) string {
	t.Helper()
	build := exec.CommandContext(t.Context(), "go", "build", "./...")
	build.Dir = dir
	if build.Run() != nil {
		return "fails"
	}
	return "passes"
}

// checkOutcome reports whether the generated files are up to date, as the command check does.
func checkOutcome(ctx context.Context, dir string) string {
	result, faults := gen.Generate(ctx, gen.Config{Dir: dir})
	if faults.Err() != nil || len(result.Changes) > 0 {
		return "fails"
	}
	return "passes"
}

package gen_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen"
)

const generatedDoc = "../docs/reference/generated-code.md"

// namedBlock is a fenced block whose file the line before names.
var namedBlock = regexp.MustCompile("(?ms)`([a-z_.]+)`:\n\n```(go|aion)\n(.*?)^```$")

// TestGeneratedDoc generates the files that the page shows from those that it shows first, and
// compiles them with its fragments.
func TestGeneratedDoc(t *testing.T) {
	text, err := os.ReadFile(generatedDoc)
	if err != nil {
		t.Fatal(err)
	}
	dir := exampleModule(t)
	files := namedBlock.FindAllStringSubmatch(string(text), -1)
	for _, m := range files {
		if name := m[1]; name == "users.go" || name == "users.aion" {
			writeFile(t, filepath.Join(dir, name), m[3])
		}
	}
	result, faults := gen.Generate(t.Context(), gen.Config{Dir: dir})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if err := result.Write(); err != nil {
		t.Fatal(err)
	}
	current := namedBlock.ReplaceAllStringFunc(string(text), func(block string) string {
		m := namedBlock.FindStringSubmatch(block)
		code, err := os.ReadFile(filepath.Join(dir, m[1]))
		if err != nil {
			t.Fatal(err)
		}
		return "`" + m[1] + "`:\n\n```" + m[2] + "\n" + string(code) + "```"
	})
	if *update {
		writeFile(t, generatedDoc, current)
	} else if current != string(text) {
		t.Error("the page shows other code than is generated; rewrite it with -update")
	}
	fragments := namedBlock.ReplaceAllString(current, "")
	code := "package users\n\nimport (\n\"context\"\n\"errors\"\n\"fmt\"\n\n\"github.com/aiongen/aiongen/runtime/tool\"\n)\n"
	found := 0
	for _, m := range exampleBlock.FindAllStringSubmatch(fragments, -1) {
		found++
		code += "\n" + m[2]
	}
	if len(files) != 4 || found != 4 {
		t.Errorf("the page has %d files and %d fragments", len(files), found)
	}
	writeFile(t, filepath.Join(dir, "fragments.go"), code)
	build := exec.CommandContext(t.Context(), "go", "vet", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, strings.TrimSpace(string(out)))
	}
}

package main

import (
	"encoding/json"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// block is a fenced block of a Markdown file, with the text in front of it.
type block struct{ before, language, body string }

var fence = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// section returns the fenced blocks below a heading of README.md.
func section(t *testing.T, heading string) []block {
	t.Helper()
	_, text, found := strings.Cut(readme(t), "\n## "+heading+"\n")
	if !found {
		t.Fatalf("README.md has no section %q", heading)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	var blocks []block
	end := 0
	for _, m := range fence.FindAllStringSubmatchIndex(text, -1) {
		blocks = append(blocks, block{text[end:m[0]], text[m[2]:m[3]], text[m[4]:m[5]]})
		end = m[1]
	}
	return blocks
}

var fileName = regexp.MustCompile("`([a-z]+\\.(?:go|aion))`:\\s*$")

// endpoint is a model that makes a plan to greet, and tells of it.
func endpoint(t *testing.T) string {
	const plan = `{"goal": "Greet Ada and Grace", "steps": [
		{"step_id": "1", "description": "Greet Ada", "tool": "greet", "arguments": {"name": "Ada", "times": "1"}},
		{"step_id": "2", "description": "Greet Grace twice", "tool": "Greet", "arguments": {"name": "Grace", "times": 2}}
	]}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text := "I have greeted Ada once and Grace twice."
		if asked, _ := io.ReadAll(r.Body); strings.Contains(string(asked), "Make a plan") {
			text = plan
		}
		answer := map[string]any{"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": text}}}}
		if err := json.NewEncoder(w).Encode(answer); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestQuickStart follows the README step by step, as a newcomer would: it types
// the commands, writes the files, and compares what is printed. Where there should
// be a model, there is one. What go mod tidy wants and the module cache lacks comes
// from where the modules of this test came from, and is held to the same go.sum.
func TestQuickStart(t *testing.T) {
	if testing.Short() {
		t.Skip("the quick start builds aiongen")
	}
	dir, root := t.TempDir(), repository(t)
	if err := os.Symlink(root, filepath.Join(dir, "aiongen")); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	steps, printed := 0, ""
	model := endpoint(t)
	blocks := slices.Concat(section(t, "Quick start"), section(t, "An agent in five minutes"), section(t, "Other models and clients"))
	for _, b := range blocks {
		switch b.language {
		case "sh":
			typed := strings.ReplaceAll(b.body, "http://127.0.0.1:8000", model)
			cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", typed)
			cmd.Dir, cmd.Env = dir, env
			var stderr strings.Builder // where the go command says what it downloads
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%s: %v\n%s%s", b.body, err, out, stderr.String())
			}
			if _, cd, ok := strings.Cut(b.body, "&& cd "); ok {
				dir = filepath.Join(dir, strings.Fields(cd)[0])
				copySums(t, root, dir)
			}
			printed = string(out)
		case "go", "aion":
			if b.language == "go" && !strings.HasPrefix(b.body, "package ") {
				continue // a few lines to show how
			}
			name := fileName.FindStringSubmatch(b.before)
			if name == nil {
				t.Fatalf("no file name in front of\n%s", b.body)
			}
			if err := os.WriteFile(filepath.Join(dir, name[1]), []byte(b.body), 0o644); err != nil {
				t.Fatal(err)
			}
		case "text":
			if printed != b.body {
				t.Errorf("the commands print\n%s\nREADME.md says\n%s", printed, b.body)
			}
		}
		steps++
	}
	if steps < 13 {
		t.Errorf("the quick start has only %d steps", steps)
	}
}

// TestUsage holds the README to what the command says of itself, and the command
// to its doc comment.
func TestUsage(t *testing.T) {
	if got := section(t, "The command")[0].body; got != usage {
		t.Errorf("README.md has\n%s\nthe command says\n%s", got, usage)
	}
	source, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	doc, _, _ := strings.Cut(string(source), "\npackage main\n")
	for line := range strings.Lines(usage) {
		name := strings.Fields(line + " .")[0]
		if strings.HasPrefix(line, "\t-") && !strings.Contains(doc, "\n//\t"+name+" ") && !strings.Contains(doc, "\n//\t"+name+"\n") {
			t.Errorf("the doc comment does not have the flag %s", name)
		}
	}
}

var (
	tableRow = regexp.MustCompile(`(?m)^\| ([a-z A-Z]+) \| (.*) \|$`)
	code     = regexp.MustCompile("`([^`]*)`")
)

// TestContracts looks up every Go name that the README has for the contracts of
// agents.
func TestContracts(t *testing.T) {
	loaded := exported(t, module+"runtime/")
	_, text, found := strings.Cut(readme(t), "\n| contract | in Go |\n")
	if !found {
		t.Fatal("README.md has no table of the contracts")
	}
	text, _, _ = strings.Cut(text, "\n\n")
	var contracts []string
	for _, row := range tableRow.FindAllStringSubmatch(text, -1) {
		contracts = append(contracts, row[1])
		for _, name := range code.FindAllStringSubmatch(row[2], -1) {
			if !declared(loaded, name[1]) {
				t.Errorf("%s: there is no %s", row[1], name[1])
			}
		}
	}
	want := []string{"model adapter", "memory", "tool", "tool registry", "supervisor", "validator", "step executor", "kernel API"}
	if !slices.Equal(contracts, want) {
		t.Errorf("README.md has the contracts %q, want %q", contracts, want)
	}
	for _, wrong := range []string{"llm.Modell", "llm.Retry.Sleeps", "nothing.Model", "llm", "openai.model"} {
		if declared(loaded, wrong) {
			t.Errorf("%s was found", wrong)
		}
	}
}

// exported returns the packages below a path, as their export data has them. The
// reader of the toolchain knows the format that the same toolchain writes.
func exported(t *testing.T, below string) (loaded []*types.Package) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", below+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	reader := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
	for path := range files {
		if !strings.HasPrefix(path, below) {
			continue
		}
		p, err := reader.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		loaded = append(loaded, p)
	}
	return loaded
}

// declared tells whether there is a package that exports a name, or a member of
// one: "llm/openai.New", "tool.Call.Check".
func declared(loaded []*types.Package, name string) bool {
	path, symbol, _ := strings.Cut(name, ".")
	symbol, member, isMember := strings.Cut(symbol, ".")
	for _, p := range loaded {
		if !strings.HasSuffix(p.Path(), "/"+path) {
			continue
		}
		object := p.Scope().Lookup(symbol)
		if object == nil || !object.Exported() {
			continue // another package may have the same name
		}
		if isMember {
			object, _, _ = types.LookupFieldOrMethod(object.Type(), true, p, member)
		}
		return object != nil
	}
	return false
}

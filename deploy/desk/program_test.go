package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

var (
	pageFile = regexp.MustCompile("(?s)`([a-z]+\\.(?:go|aion))`:\n\n(?:<!-- [^\n]* -->\n)?```[a-z]+\n(.*?)```\n")
	pageRun  = regexp.MustCompile("(?s)<!-- run: by deploy/desk/program_test.go -->\n```(sh|text)\n(.*?)```\n")
)

// TestProgram follows the first section of docs/howto/workers.md: it builds the program, and starts two workers and a run.
func TestProgram(t *testing.T) {
	page, err := os.ReadFile(workersPage)
	if err != nil {
		t.Fatal(err)
	}
	dir := newModule(t)
	for _, f := range pageFile.FindAllStringSubmatch(string(page), -1) {
		if err := os.WriteFile(filepath.Join(dir, f[1]), []byte(f[2]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	commands, want := "set -e\n", ""
	for _, block := range pageRun.FindAllStringSubmatch(string(page), -1) {
		if block[1] == "sh" {
			commands += block[2]
		} else {
			want += block[2]
		}
	}
	commands = strings.NewReplacer(
		"postgres://agents@db.example.com/agents", server(t, "postgres"),
		"http://127.0.0.1:11434", startModel(t),
	).Replace(commands)
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	shell := exec.CommandContext(ctx, "sh", "-c", commands)
	shell.Dir, shell.Env = dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // the workers go on when the shell has ended
	shell.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	shell.Stdout, shell.Stderr = &stdout, &stderr
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(-shell.Process.Pid, syscall.SIGTERM) }()
	if err := shell.Wait(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		t.Fatalf("%v: %s%s", err, &stdout, &stderr)
	}
	out := stdout.String()
	if pattern := strings.ReplaceAll(regexp.QuoteMeta(want), "…", `\S+`); want == "" || !regexp.MustCompile("^"+pattern+"$").MatchString(out) {
		t.Errorf("the program prints\n%s\nthe page says\n%s", out, want)
	}
}

// newModule returns the directory of a module that has aiongen as a tool, next to the repository.
func newModule(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "hello")
	if err := errors.Join(os.Symlink(root, filepath.Join(parent, "aiongen")), os.Mkdir(dir, 0o700)); err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	const mod = "module example.com/hello\n\ngo 1.26.0\n\ntool github.com/aiongen/aiongen/cmd/aiongen\n\n" +
		"require github.com/aiongen/aiongen v0.0.0\n\nreplace github.com/aiongen/aiongen => ../aiongen\n"
	for name, text := range map[string][]byte{"go.mod": []byte(mod), "go.sum": sum} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// startModel starts an endpoint whose model plans a greeting and reports it.
func startModel(t *testing.T) string {
	const plan = `{"goal": "Greet Ada", "steps": [{"step_id": "1", "description": "Greet Ada", "tool": "greet", "arguments": {"name": "Ada"}}]}`
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text := "I have greeted Ada."
		if asked, _ := io.ReadAll(r.Body); bytes.Contains(asked, []byte("Make a plan")) {
			text = plan
		}
		answer := map[string]any{"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": text}}}}
		if err := json.NewEncoder(w).Encode(answer); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(endpoint.Close)
	return endpoint.URL
}

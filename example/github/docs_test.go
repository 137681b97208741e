package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	fence    = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")
	fileName = regexp.MustCompile("`([a-z]+\\.(?:go|aion))`:\\s*$")
)

// TestPage follows docs/go-client.md as a reader would: it types the commands,
// writes the files, and compares what is printed. The modules are those of this one.
// Without paths in it, what is built is found in the cache the next time.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/go-client.md")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(root, filepath.Join(dir, "aiongen")); err != nil {
		t.Fatal(err)
	}
	text, end, printed := string(page), 0, ""
	for _, m := range fence.FindAllStringSubmatchIndex(text, -1) {
		before, body := text[end:m[0]], text[m[4]:m[5]]
		end = m[1]
		switch text[m[2]:m[3]] {
		case "sh":
			printed = typed(t, dir, body)
			if _, to, ok := strings.Cut(body, "&& cd "); ok {
				dir = filepath.Join(dir, strings.Fields(to)[0])
				copySums(t, dir)
			}
		case "go", "aion":
			name := fileName.FindStringSubmatch(before)
			if name == nil {
				t.Fatalf("no file name in front of\n%s", body)
			}
			if err := os.WriteFile(filepath.Join(dir, name[1]), []byte(body), 0o666); err != nil {
				t.Fatal(err)
			}
		case "text":
			if printed != body {
				t.Errorf("the commands print\n%s\nthe page says\n%s", printed, body)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "tickets")); err != nil {
		t.Error("the page ends without a program")
	}
}

// typed returns what commands write to standard output.
func typed(t *testing.T, dir, commands string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", commands)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-trimpath", "GOWORK=off")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", commands, err, out, &stderr)
	}
	return string(out)
}

// copySums has the commands in dir use the modules that this module is tested with.
func copySums(t *testing.T, dir string) {
	t.Helper()
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o666); err != nil {
		t.Fatal(err)
	}
}

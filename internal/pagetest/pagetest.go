// Package pagetest compiles programs of the documentation that import modules of other projects. Tests in modules that
// require those modules call BuildPrograms.
package pagetest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	named  = regexp.MustCompile("(?s)`([a-z]+\\.go)`:\n\n```go\n(.*?)```\n")
	exempt = regexp.MustCompile("(?s)<!-- run: by ([^ ]+)/[^/ ]+ -->\n```go\n(.*?)```\n")
)

// BuildPrograms builds the Go programs of a Markdown page that carry the comment
//
//	<!-- run: by DIR/NAME_test.go -->
//
// where DIR is the directory of the calling test in this repository. Each program is built with the modules of
// the test. It forms one package with the first Go file that the page names and, if it calls Register, with a
// function Register such as aiongen generates.
func BuildPrograms(t *testing.T, page, dir string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	first := named.FindStringSubmatch(string(text))
	if first == nil {
		t.Fatalf("%s names no Go file", page)
	}
	built := 0
	for _, program := range exempt.FindAllStringSubmatch(string(text), -1) {
		if program[1] != dir {
			continue
		}
		built++
		files := map[string]string{first[1]: first[2], "main.go": program[2]}
		if strings.Contains(program[2], "Register(registry)") {
			files["aion_register.go"] = "package main\n\nimport \"github.com/aiongen/aiongen/runtime/tool\"\n\nfunc Register(*tool.Registry) error { return nil }\n"
		}
		if !strings.Contains(program[2], "\nfunc main() {") {
			files["entry.go"] = "package main\n\nfunc main() {}\n"
		}
		buildOverlay(t, files)
	}
	if built == 0 {
		t.Errorf("%s has no program that %s compiles", page, dir)
	}
}

// buildOverlay builds a package that exists only in an overlay, in a directory below the current one.
func buildOverlay(t *testing.T, files map[string]string) {
	t.Helper()
	tmp := t.TempDir()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	for name, text := range files {
		onDisk := filepath.Join(tmp, name)
		if err := os.WriteFile(onDisk, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(here, "program", name)] = onDisk
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(tmp, "overlay.json"), overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", filepath.Join(tmp, "overlay.json"), "-o", filepath.Join(tmp, "program"), "./program")
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, out, files["main.go"])
	}
}

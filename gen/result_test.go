package gen

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/emit"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// TestMeanwhile compiles a package while another run writes its files. They must not be mistaken for
// files of the user, neither when they exist nor while they are replaced.
func TestMeanwhile(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod": "module example.com/meanwhile\n\ngo 1.26\n",
		"a.go":   "package meanwhile\n",
		"a.aion": `[ system_prompt --> "Be kind." ]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, gone := range []string{"", model.RegisterFile} {
		late := newGenerator(NewSession(Config{Dir: dir}), nil)
		late.Folders.Folder(dir)
		result, faults := Generate(t.Context(), Config{Dir: dir})
		if err := errors.Join(faults.Err(), result.Write()); err != nil {
			t.Fatal(err)
		}
		if gone != "" {
			late = newGenerator(NewSession(Config{Dir: dir}), nil)
			*late.Folders.Folder(dir) = load.Folder{Aion: []string{"a.aion"}}
			if err := os.Remove(filepath.Join(dir, gone)); err != nil || !late.Folders.IsGenerated(filepath.Join(dir, gone)) {
				t.Errorf("%s is taken for another's while it is gone: %v", gone, err)
			}
		}
		result = &Result{}
		for _, s := range late.findSources(t.Context()) {
			late.compilePackage(s, result)
		}
		if err := late.Faults.Err(); err != nil {
			t.Error(err)
		}
		if gone == "" && len(result.Changes) > 0 {
			t.Errorf("would change %s again", result.Changes[0].Name)
		}
	}
}

// TestCRLF checks that files with CRLF line ends, as git checks them out on Windows, are current, and
// that a change in such a file is still stale.
func TestCRLF(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	dir := writeFiles(t, map[string]string{
		"a.go":   "package m\n\n// Shout\n// shouts.\nfunc Shout(s string) string { return s }\n",
		"a.aion": "[\n  system_prompt --> \"Be\nkind.\",\n  { name --> \"shout\", function --> \"Shout\" --> {} }\n]\n",
	})
	first, faults := Generate(t.Context(), Config{Dir: dir})
	if err := errors.Join(faults.Err(), first.Write()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.go", "a.aion", "a.aion.go", model.RegisterFile} {
		rewriteFile(t, filepath.Join(dir, name), "\n", "\r\n")
	}
	if result, faults := Generate(t.Context(), Config{Dir: dir}); len(result.Changes) > 0 || len(faults) > 0 {
		t.Errorf("%d changes, %v", len(result.Changes), faults)
	}
	rewriteFile(t, filepath.Join(dir, "a.aion.go"), "shouts", "whispers")
	if result, _ := Generate(t.Context(), Config{Dir: dir}); len(result.Changes) != 1 || result.Changes[0].State() != "stale" {
		t.Errorf("%d changes after a change of one file with CRLF line ends, want 1, stale", len(result.Changes))
	}
}

// rewriteFile replaces all occurrences of a text in a file. There must be at least one.
func rewriteFile(t *testing.T, path, before, after string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte(before)) {
		t.Fatalf("%s does not contain %q", path, before)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(text, []byte(before), []byte(after)), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestUnreadable checks that an unreadable file is distinguished from one that aiongen did not write.
func TestUnreadable(t *testing.T) {
	if testing.Short() || os.Geteuid() == 0 {
		t.Skip("runs the go command, and not as one who may read all")
	}
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod": "module example.com/unreadable\n\ngo 1.26\n",
		"a.go":   "package unreadable\n",
		"a.aion": `[ system_prompt --> "Be kind." ]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		content string
		mode    os.FileMode
		want    diag.Code
	}{
		{emit.HeaderLine("a.aion") + "\n\npackage unreadable\n", 0o200, "unreadable"},
		{"package unreadable\n", 0o600, "foreign-file"},
	} {
		path := filepath.Join(dir, model.RegisterFile)
		os.Remove(path)
		if err := os.WriteFile(path, []byte(tt.content), tt.mode); err != nil {
			t.Fatal(err)
		}
		result, faults := Generate(t.Context(), Config{Dir: dir})
		if len(faults) != 1 || faults[0].Code != tt.want || len(result.Changes) > 0 {
			t.Errorf("mode %o: %v, want %s", tt.mode, faults, tt.want)
		}
	}
}

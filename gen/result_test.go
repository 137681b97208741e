package gen

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/emit"
	"github.com/aiongen/aiongen/gen/internal/folder"
)

// TestMeanwhile compiles a package whose files another run writes after this one
// has looked at its directory. They are no user's, neither while they are there nor
// while they are being replaced.
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
	for _, gone := range []string{"", emit.RegisterFile} {
		late := newGenerator(NewSession(Config{Dir: dir}), nil)
		late.Folders.At(dir)
		result, faults := Generate(t.Context(), Config{Dir: dir})
		if err := errors.Join(faults.Err(), result.Write()); err != nil {
			t.Fatal(err)
		}
		if gone != "" {
			late = newGenerator(NewSession(Config{Dir: dir}), nil)
			*late.Folders.At(dir) = folder.Folder{Aion: []string{"a.aion"}}
			if err := os.Remove(filepath.Join(dir, gone)); err != nil || !late.Folders.IsGenerated(filepath.Join(dir, gone)) {
				t.Errorf("%s is taken for another's while it is gone: %v", gone, err)
			}
		}
		result = &Result{}
		for _, s := range late.Sources(t.Context()) {
			late.compile(s, result)
		}
		if err := late.Faults.Err(); err != nil {
			t.Error(err)
		}
		if gone == "" && len(result.Changes) > 0 {
			t.Errorf("would change %s again", result.Changes[0].Name)
		}
	}
}

// TestUnreadable tells a file that cannot be read from one that somebody else wrote.
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
		{emit.Header("a.aion") + "\n\npackage unreadable\n", 0o200, "unreadable"},
		{"package unreadable\n", 0o600, "foreign-file"},
	} {
		path := filepath.Join(dir, emit.RegisterFile)
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

package gen

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

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

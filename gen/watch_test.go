package gen

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
)

// TestWatch makes changes of all kinds and waits for their effects.
func TestWatch(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	r := remember(t)
	ctx, cancel := context.WithCancel(t.Context())
	said, ended := make(chan string), make(chan error)
	runs := 0
	go func() {
		ended <- NewSession(r.cfg).Watch(ctx, func(result *Result, faults diag.List) {
			runs++
			text := ""
			for _, c := range result.Changes {
				text += fmt.Sprintln(c.Name, c.State())
			}
			for _, d := range faults {
				text += fmt.Sprintln(d)
			}
			if err := result.Write(); err != nil {
				text += fmt.Sprintln(err)
			}
			said <- text
		})
	}()
	steps := []struct {
		name   string
		change func()
		want   string // part of the expected report, followed by ! and text that must be gone
	}{
		{"the beginning", func() {}, "c.Aion"},
		{"a saved .aion file", func() { r.replace("main/tools/a.aion", "int", "int | min=1") }, "tools/a.aion.go stale"},
		{"a file saved by renaming", func() {
			r.write(map[string]string{"main/tools/b.aion~": `[ { name --> "b", function --> "B" --> { arg-1 --> "str (what to do)" } } ]` + "\n"})
			r.must(os.Rename(r.path("main/tools/b.aion~"), r.path("main/tools/b.aion")))
		}, "tools/b.aion.go stale"},
		{"a saved Go file", func() { r.replace("main/tools/tools.go", "A does it.", "A does it well.") }, "tools/a.aion.go stale"},
		{"an imported package", func() { r.replace("main/own/deep/deep.go", "A int", "B int") }, "tools/a.aion.go stale"},
		{"another module", func() { r.replace("lib/lib.go", "A int", "B int") }, "tools/a.aion.go stale"},
		{"an error", func() { r.replace("main/tools/a.aion", `"A"`, `"Aa"`) }, "ghost-tool"},
		{"a file that is opened meanwhile", func() { r.must(os.Chmod(r.path("main/tools/b.aion"), 0o600)) }, "ghost-tool"},
		{"which is edited", func() { r.replace("main/tools/a.aion", `"Aa"`, `"A"`) }, "!ghost-tool"},
		{"an error in Go", func() { r.replace("main/tools/b.go", "func B", "fun B") }, "ghost-tool"},
		{"which is edited in turn", func() { r.replace("main/tools/b.go", "fun B", "func B") }, "!ghost-tool"},
		{"a new directory", func() {
			r.write(map[string]string{"main/new/deep/d.go": "package deep\n\n// D does it.\nfunc D() error { return nil }\n", "main/new/deep/d.aion": `[ { name --> "d", function --> "D" --> {} } ]` + "\n"})
		}, "new/deep/d.aion.go missing"},
		{"an output that somebody removes", func() { r.must(os.Remove(r.path("main/tools/a.aion.go"))) }, "tools/a.aion.go missing"},
		{"a directory that goes", func() { r.must(os.RemoveAll(r.path("main/own"))) }, "unfit-function"},
		{"and comes back", func() {
			r.write(map[string]string{"main/own/own.go": rememberedModule["main/own/own.go"], "main/own/deep/deep.go": "package deep\n\ntype D struct{ C int }\n"})
		}, "tools/a.aion.go stale"},
		{"a link in place of a file", func() {
			r.write(map[string]string{"_elsewhere/b.aion": rememberedModule["main/tools/b.aion"]})
			// Renaming replaces the file in one step. A run that finds no file would remove the output,
			// which would then be missing instead of stale.
			r.must(errors.Join(os.Symlink("../../_elsewhere/b.aion", r.path("main/tools/b.aion~")), os.Rename(r.path("main/tools/b.aion~"), r.path("main/tools/b.aion"))))
		}, "tools/b.aion.go stale"},
		{"what it leads to", func() { r.replace("_elsewhere/b.aion", "TODO", "what to do then") }, "tools/b.aion.go stale"},
		{"the settings of the module", func() { r.replace("main/go.mod", "go 1.26\n", "go 1.26\n\n// changed\n") }, "c.Aion"},
	}
	for _, step := range steps {
		step.change()
		want, not := strings.CutPrefix(step.want, "!")
		for found := not; found == not; {
			select {
			case text := <-said:
				t.Logf("%s: %s", step.name, text)
				found = strings.Contains(text, want)
			case err := <-ended:
				t.Fatal(step.name, err)
			}
		}
	}
	go func() { // a run may be in progress
		for range said {
		}
	}()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if runs > 4*len(steps) {
		t.Errorf("%d runs for %d changes: it wakes itself", runs, len(steps))
	}
	if _, err := os.Stat(filepath.Join(r.root, "main", "new", "deep", "d.aion.go")); err != nil {
		t.Error(err)
	}
}

// TestLeft checks that the output of a run counts as a change only if somebody modifies it.
func TestLeft(t *testing.T) {
	r := remember(t)
	r.cfg.Memory = ""
	s := NewSession(r.cfg)
	_, faults := s.Generate(t.Context())
	r.must(faults.Err())
	file := r.path("main/tools/a.aion.go")
	if !s.isOwnOutput(file) || !s.watchedPlaces().Contains(file) {
		t.Error("a generated file as it was left is a change")
	}
	r.replace("main/tools/a.aion.go", "DO NOT EDIT.", "DO NOT EDIT. ")
	if s.isOwnOutput(file) {
		t.Error("a generated file that was edited is no change")
	}
}

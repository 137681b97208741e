package gen

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestSessionLoads counts the packages that a session loads after an edit.
func TestSessionLoads(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	root := fakeGo(t, runtime.Version())
	t.Setenv("PATH", filepath.Join(root, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // cache for types
	r := remember(t)
	r.cfg.Memory = ""
	session := NewSession(r.cfg)
	lists := func() int {
		asked, err := os.ReadFile(filepath.Join(root, "asked"))
		r.must(err)
		return bytes.Count(asked, []byte("\nlist "))
	}
	run := func() string {
		parsed, checked, listed := session.memory.Parsed, session.memory.Checked, lists()
		result, faults := session.Generate(t.Context())
		r.must(errors.Join(faults.Err(), result.Write()))
		return fmt.Sprintf("%d parsed, %d checked, %d listed", session.memory.Parsed-parsed, session.memory.Checked-checked, lists()-listed)
	}
	run()
	for _, step := range []struct {
		name string
		edit func()
		want string
	}{
		{"nothing", func() {}, "0 parsed, 0 checked, 0 listed"},
		{"an .aion file", func() { r.replace("main/tools/a.aion", "int", "int | min=1") }, "0 parsed, 0 checked, 0 listed"},
		{"a comment", func() { r.replace("main/tools/b.go", "B does", "B always does") }, "1 parsed, 1 checked, 0 listed"},
		{"a signature", func() { r.replace("main/tools/b.go", "(s string) {}", "(s string) int { return 0 }") }, "1 parsed, 1 checked, 0 listed"},
		{"what is imported", func() { r.replace("lib/lib.go", "A int", "B int") }, "1 parsed, 2 checked, 0 listed"},
		{"what that imports", func() { r.replace("main/own/deep/deep.go", "A int", "B int") }, "1 parsed, 3 checked, 0 listed"},
		{"a new import", func() {
			r.replace("main/tools/b.go", "package tools\n", "package tools\n\nimport (\n\t\"net/netip\"\n\t\"go/constant\"\n)\n\nvar (\n\t_ netip.Addr\n\t_ constant.Kind\n)\n")
		}, "1 parsed, 1 checked, 1 listed"},
		{"what is elsewhere", func() { r.write(map[string]string{"main/unrelated/more.go": "package unrelated\n"}) }, "0 parsed, 0 checked, 0 listed"},
	} {
		if step.edit(); t.Failed() {
			return
		}
		if got := run(); got != step.want {
			t.Errorf("after an edit of %s: %s, want %s", step.name, got, step.want)
		}
	}
}

package doctor

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestSlowGo runs a go command that starts a program and does not end.
func TestSlowGo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte("#!/bin/sh\nsleep 1000\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	e := &examiner{Config: Config{Dir: dir}, Report: newReport(), ctx: t.Context(), goTimeout: time.Millisecond}
	if e.readSettings() || len(e.Problems) != 1 || !strings.Contains(e.Problems[0].Message, "go env does not end within 1ms") {
		t.Error(e.Problems)
	}
}

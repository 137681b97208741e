package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
)

// TestUnwritable opens folders that this user cannot write, as a user other than root.
func TestUnwritable(t *testing.T) {
	parent := t.TempDir()
	if err := os.Chmod(filepath.Dir(parent), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(parent, 0o555); err != nil {
		t.Fatal(err)
	}
	readOnly, writable := t.TempDir(), t.TempDir()
	if err := errors.Join(os.Chmod(readOnly, 0o555), os.Chmod(writable, 0o777)); err != nil {
		t.Fatal(err)
	}
	failures := make(chan error, 4)
	go func() {
		defer close(failures)
		if os.Getuid() == 0 {
			runtime.LockOSThread() // the thread with the changed user ends with the goroutine
			failures <- syscall.Setfsuid(65534)
		}
		for _, folder := range []string{readOnly, filepath.Join(parent, "new"), writable} {
			_, err := Open(folder)
			e, ok := errors.AsType[*journal.Error](err)
			refused := ok && e.Code() == journal.Failed && errors.Is(err, fs.ErrPermission) && strings.Contains(err.Error(), folder)
			if refused == (folder == writable) {
				failures <- fmt.Errorf("%s: %v", folder, err)
			}
		}
	}()
	for err := range failures {
		if err != nil {
			t.Error(err)
		}
	}
}

// TestBrokenLink checks that an ID whose file is a broken link cannot be used, and that an empty
// folder name does not mean the working directory.
func TestBrokenLink(t *testing.T) {
	if _, err := Open(""); err == nil {
		t.Error("a journal without a folder was opened")
	}
	j, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", j.runPath("r")); err != nil {
		t.Fatal(err)
	}
	err = j.Append(t.Context(), "r", 0, note("a"))
	if e, ok := errors.AsType[*journal.Error](err); !ok || e.Code() != journal.Failed || !strings.Contains(err.Error(), "exists and cannot be opened") {
		t.Error(err)
	}
}

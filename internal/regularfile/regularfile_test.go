package regularfile_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/regularfile"
)

// TestReadFile reads regular files and other kinds of files.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	write := func(name string, size int64) {
		if err := errors.Join(os.WriteFile(in(name), []byte("text"), 0o666), os.Truncate(in(name), size)); err != nil {
			t.Fatal(err)
		}
	}
	link := func(name, target string) {
		if err := os.Symlink(target, in(name)); err != nil {
			t.Fatal(err)
		}
	}
	write("plain", 4)
	write("large", regularfile.MaxSize)
	write("huge", regularfile.MaxSize+1)
	want := map[string]string{
		"plain": "", "large": "", "none": "no such file or directory",
		"huge": "it is larger than the limit of 64 MiB",
		".":    "it is a directory, not a regular file",
	}
	if runtime.GOOS == "windows" {
		want["none"] = "The system cannot find the file specified."
	} else {
		link("linked", "plain")
		link("loop", "loop")
		link("null", os.DevNull)
		link("zero", "/dev/zero")
		socket, err := net.Listen("unix", in("socket"))
		if err != nil {
			t.Fatal(err)
		}
		defer socket.Close()
		if out, err := exec.Command("mkfifo", in("pipe")).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		want["linked"], want["loop"] = "", "too many levels of symbolic links"
		want["null"], want["zero"] = "it is a device, not a regular file", "it is a device, not a regular file"
		want["socket"], want["pipe"] = "it is a socket, not a regular file", "it is a named pipe, not a regular file"
	}
	for name, want := range want {
		content, err := regularfile.ReadFile(in(name))
		if want == "" {
			if err != nil || string(content[:4]) != "text" {
				t.Errorf("%s: %.4q, %v", name, content, err)
			}
			continue
		}
		bad, ok := errors.AsType[*fs.PathError](err)
		if !ok || bad.Err.Error() != want || bad.Path != in(name) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}

// TestHasContent compares files with texts that differ in a byte or in length.
func TestHasContent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	long := strings.Repeat("0123456789", 20_000) // which is read in several pieces
	for _, text := range []string{"", "a", long} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, other := range []string{"", "a", "ab", long, long + "0", long[:len(long)-1], long[:65536], long[:65536] + "x" + long[65537:]} {
			if same, err := regularfile.HasContent(path, []byte(other)); err != nil || same != (text == other) {
				t.Errorf("a file of %d bytes and a text of %d: %v, %v", len(text), len(other), same, err)
			}
		}
	}
}

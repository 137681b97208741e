package output

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/emit"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// files is the content of a directory, by name.
type files map[string]string

func (f files) write(t *testing.T, dir string) {
	t.Helper()
	for name, content := range f {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, dir string) files {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	f := files{}
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		f[e.Name()] = string(content)
	}
	return f
}

// withoutTemps returns the files that the go command sees.
func (f files) withoutTemps() files {
	f = maps.Clone(f)
	maps.DeleteFunc(f, func(name, _ string) bool { return strings.HasPrefix(name, ".") })
	return f
}

func (f files) withoutRegister() files {
	f = maps.Clone(f)
	delete(f, model.RegisterFile)
	return f
}

// A run is an argument of [Write].
type run struct{ changes, marks []File }

func (r *run) Write() error { return Write(r.changes, r.marks) }

// to is the run that changes one state of a directory into another.
func (f files) to(dir string, want files) *run {
	r := &run{marks: []File{file(dir, model.RegisterFile, emit.UnfinishedFile("p", ""))}}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if f[name] != want[name] {
			r.changes = append(r.changes, file(dir, name, []byte(want[name])))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if _, ok := want[name]; !ok {
			r.changes = append(r.changes, file(dir, name, nil))
		}
	}
	return r
}

// turns are the ways in which generated files can change.
var turns = []struct {
	name     string
	old, new files
}{
	{"first", files{}, files{"a.aion.go": "a", "b.aion.go": "b", model.RegisterFile: "a b"}},
	{"changed", files{"a.aion.go": "a", "b.aion.go": "b", model.RegisterFile: "a b"}, files{"a.aion.go": "A", "b.aion.go": "B", model.RegisterFile: "A B"}},
	{"registered alike", files{"a.aion.go": "a", "b.aion.go": "b", model.RegisterFile: "2"}, files{"a.aion.go": "A", "b.aion.go": "B", model.RegisterFile: "2"}},
	{"renamed", files{"a.aion.go": "a", "b.aion.go": "b", model.RegisterFile: "a b"}, files{"a.aion.go": "a", "c.aion.go": "b", model.RegisterFile: "a c"}},
	{"removed", files{"a.aion.go": "a", "b.aion.go": "b", model.RegisterFile: "a b"}, files{}},
	{"one", files{"a.aion.go": "a", model.RegisterFile: "a"}, files{"a.aion.go": "A", model.RegisterFile: "a"}},
}

func TestMain(m *testing.M) {
	if dir := os.Getenv("AIONGEN_KILLED_IN"); dir != "" {
		writeAndDie(dir)
	}
	os.Exit(m.Run())
}

// writeAndDie ends this process before one of its steps, as kill -9 does.
func writeAndDie(dir string) {
	steps, err := strconv.Atoi(os.Getenv("AIONGEN_KILLED_AT"))
	self, err2 := os.FindProcess(os.Getpid())
	if err = errors.Join(err, err2); err != nil {
		panic(err)
	}
	beforeStep = func() {
		if steps--; steps < 0 {
			self.Kill()
			select {}
		}
	}
	for _, turn := range turns {
		if turn.name == os.Getenv("AIONGEN_KILLED_TURN") {
			if err := turn.old.to(dir, turn.new).Write(); err != nil {
				panic(err)
			}
		}
	}
	os.Exit(0)
}

// TestKilled ends runs between any two of their steps. The files must then be old, new or fail to
// compile, and the next run must make them new.
func TestKilled(t *testing.T) {
	for _, turn := range turns {
		t.Run(turn.name, func(t *testing.T) {
			t.Parallel()
			steps, unfinished := 0, 0
			for ended := false; !ended; steps++ {
				dir := t.TempDir()
				turn.old.write(t, dir)
				cmd := exec.CommandContext(t.Context(), os.Args[0])
				cmd.Env = append(os.Environ(), "AIONGEN_KILLED_IN="+dir, "AIONGEN_KILLED_TURN="+turn.name, fmt.Sprint("AIONGEN_KILLED_AT=", steps))
				out, err := cmd.CombinedOutput()
				if ended = err == nil; !ended && cmd.ProcessState.ExitCode() != -1 {
					t.Fatalf("it failed on its own: %v\n%s", err, out)
				}
				left := read(t, dir).withoutTemps()
				if left[model.RegisterFile] == string(emit.UnfinishedFile("p", "")) {
					unfinished++
				} else if got := left.withoutRegister(); !maps.Equal(left, turn.new) && !maps.Equal(got, turn.old.withoutRegister()) && !maps.Equal(got, turn.new.withoutRegister()) {
					t.Errorf("killed at step %d it leaves %v", steps, left)
				}
				if err := left.to(dir, turn.new).Write(); err != nil {
					t.Errorf("the run after one killed at step %d: %v", steps, err)
				}
				if got := read(t, dir); !maps.Equal(got, turn.new) {
					t.Errorf("the run after one killed at step %d leaves %v", steps, got)
				}
			}
			if one := turn.name == "one"; steps < 3 || (unfinished == 0) != one {
				t.Errorf("%d steps, at %d of them the package does not compile", steps, unfinished)
			}
		})
	}
}

// TestLeftovers checks that a run removes the files of a killed run even if nothing else changes, and
// no other files.
func TestLeftovers(t *testing.T) {
	dir := t.TempDir()
	kept := files{"a.aion.go": "a", ".aiongen-notes": "mine", ".aiongen-0123456789abcdeg": "mine", model.RegisterFile: "a"}
	kept.write(t, dir)
	files{".aiongen-0123456789abcdef": "left"}.write(t, dir)
	if err := kept.to(dir, kept).Write(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir); !maps.Equal(got, kept) {
		t.Errorf("left is %v", got)
	}
}

// TestWriteUndone deletes a file before it is moved to its place. The files that were already replaced
// must be restored.
func TestWriteUndone(t *testing.T) {
	dir := t.TempDir()
	turn := turns[1]
	turn.old.write(t, dir)
	r := turn.old.to(dir, turn.new)
	step := 0
	beforeStep = func() {
		if step++; step == 8 { // all files are staged, and the first one is being replaced
			for name := range read(t, dir) {
				if content, _ := os.ReadFile(filepath.Join(dir, name)); string(content) == "B" {
					os.Remove(filepath.Join(dir, name))
				}
			}
		}
	}
	defer func() { beforeStep = func() {} }()
	bad, ok := errors.AsType[*Error](r.Write())
	if !ok || bad.Name != "b.aion.go" {
		t.Errorf("got %v", bad)
	}
	if got := read(t, dir); !maps.Equal(got, turn.old) {
		t.Errorf("left is %v", got)
	}
}

// TestWriteTogether lets many runs write the same files concurrently.
func TestWriteTogether(t *testing.T) {
	dir := t.TempDir()
	turn := turns[1]
	turn.old.write(t, dir)
	var runs sync.WaitGroup
	for range 20 {
		runs.Go(func() {
			if err := turn.old.to(dir, turn.new).Write(); err != nil {
				t.Error(err)
			}
		})
	}
	runs.Wait()
	if got := read(t, dir); !maps.Equal(got, turn.new) {
		t.Errorf("left is %v", got)
	}
}

// TestWriteLink checks that neither writing nor deleting follows a link that leads out of the module.
func TestWriteLink(t *testing.T) {
	dir := t.TempDir()
	module, outside, inside := filepath.Join(dir, "m"), filepath.Join(dir, "outside"), filepath.Join(dir, "m", "parts", "inside")
	if err := os.MkdirAll(filepath.Dir(inside), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{outside, inside, filepath.Join(module, "go.mod")} {
		if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(module, "link")
	for _, tt := range []struct {
		to, content string
		ok          bool
	}{{outside, "new", false}, {outside, "", false}, {inside, "new", true}} {
		os.Remove(link)
		if err := os.Symlink(tt.to, link); err != nil {
			t.Skip(err)
		}
		change := File{Name: "link", Path: link}
		if tt.content != "" {
			change.New = []byte(tt.content)
		}
		err := Write([]File{change, {Name: "other", Path: filepath.Join(module, "parts", "other"), New: []byte("x")}}, nil)
		content, _ := os.ReadFile(tt.to)
		_, other := os.Stat(filepath.Join(module, "parts", "other"))
		if (err == nil) != tt.ok || (string(content) == "new") != tt.ok || (other == nil) != tt.ok {
			t.Errorf("to %s: %v, %q, %v", tt.to, err, content, other)
		}
	}
}

package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var kills = flag.Int("kills", 6, "how often TestKilledTogether kills what runs")

// TestKilledTogether has two processes generate the same packages at once, and kills them
// at any time: while they read, fill caches and write. Whatever they leave, the go command
// sees files of aiongen alone, and the next run makes all as it should be.
func TestKilledTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	d := newDesk(t)
	var want [2]map[string]string // by revision, each from a desk and caches of its own
	for revision := range want {
		other := newDesk(t)
		other.revise(revision)
		other.generate("./...")
		want[revision] = other.files()
	}
	d.generate("./...")
	longest := 50 * time.Millisecond
	for round := range *kills {
		revision := round % 2
		d.revise(revision)
		if round%3 == 0 {
			d.must(os.RemoveAll(d.cache))
		}
		survive := round%4 == 3
		began := time.Now()
		d.together(survive, longest, "./...", "./a")
		if survive {
			longest = time.Since(began)
		}
		for name := range d.files() {
			if _, known := want[revision][name]; !known && !strings.HasPrefix(filepath.Base(name), ".aiongen-") {
				t.Errorf("round %d leaves %s", round, name)
			}
		}
		d.generate("./...")
		if got := d.files(); !maps.Equal(got, want[revision]) {
			t.Fatalf("after round %d:\n%v\nwant\n%v", round, got, want[revision])
		}
	}
}

// A desk is a module with two packages, and caches.
type desk struct {
	*testing.T
	dir, cache string
	env        []string
}

func newDesk(t *testing.T) *desk {
	dir := t.TempDir()
	d := &desk{t, filepath.Join(dir, "desk"), filepath.Join(dir, "cache"), nil}
	d.env = append(append(os.Environ(), goEnv(t)...), "XDG_CACHE_HOME="+d.cache)
	root := repository(t)
	d.write("go.mod", "module example.com/desk\n\ngo 1.26\n\nrequire github.com/aiongen/aiongen v0.0.0\n\nreplace github.com/aiongen/aiongen => "+root+"\n")
	copySums(t, root, d.dir)
	d.revise(0)
	return d
}

func (d *desk) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

func (d *desk) write(name, text string) {
	d.Helper()
	path := filepath.Join(d.dir, name)
	d.must(os.MkdirAll(filepath.Dir(path), 0o777))
	d.must(os.WriteFile(path, []byte(text), 0o666))
}

// revise writes what all generated files depend on.
func (d *desk) revise(revision int) {
	d.write("a/a.go", fmt.Sprintf("package a\n\nimport \"net/url\"\n\n// T has revision %d.\ntype T struct{ N%[1]d int }\n\nfunc F(t T, at *url.URL) T { return t }\n", revision))
	d.write("b/b.go", fmt.Sprintf("package b\n\nimport \"example.com/desk/a\"\n\nfunc G(t a.T, n%d int) string { return \"\" }\n", revision))
	for _, name := range []string{"a/one.aion", "a/two.aion", "b/three.aion"} {
		of := "F"
		params := `arg-1 --> "T", arg-2 --> "string"`
		if name[0] == 'b' {
			of, params = "G", `arg-1 --> "a.T", arg-2 --> "int"`
		}
		d.write(name, fmt.Sprintf("[ { name --> %q, description --> \"Revision %d.\", function --> %q --> { %s } } ]\n", name[2:5], revision, of, params))
	}
}

func (d *desk) command(pattern string) (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.Command("aiongen", pattern)
	cmd.Dir, cmd.Env = d.dir, d.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	return cmd, &out
}

func (d *desk) generate(pattern string) {
	d.Helper()
	cmd, out := d.command(pattern)
	if err := cmd.Run(); err != nil {
		d.Fatalf("%v\n%s", err, out)
	}
}

// together generates by several processes at once, and kills each within a time, unless
// all are to survive.
func (d *desk) together(survive bool, within time.Duration, patterns ...string) {
	var all sync.WaitGroup
	for _, pattern := range patterns {
		cmd, out := d.command(pattern)
		d.must(cmd.Start())
		if !survive {
			kill := time.AfterFunc(rand.N(within), func() { cmd.Process.Kill() })
			defer kill.Stop()
		}
		all.Go(func() {
			if err := cmd.Wait(); err != nil && (survive || out.Len() > 0) {
				d.Errorf("%s: %v\n%s", pattern, err, out)
			}
		})
	}
	all.Wait()
}

// files are all that there is in the packages, by name.
func (d *desk) files() map[string]string {
	files := map[string]string{}
	for _, dir := range []string{"a", "b"} {
		entries, err := os.ReadDir(filepath.Join(d.dir, dir))
		d.must(err)
		for _, e := range entries {
			name := filepath.Join(dir, e.Name())
			content, err := os.ReadFile(filepath.Join(d.dir, name))
			d.must(err)
			files[name] = string(content)
		}
	}
	return files
}

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

// TestKilledTogether lets two processes generate the same packages at once and kills them at any time:
// while they read, fill caches and write. Afterward the go command must see no foreign files, and the next
// run must repair everything.
func TestKilledTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	d := newWorkspace(t)
	var want [2]map[string]string // by revision, each from a separate workspace with its own caches
	for revision := range want {
		other := newWorkspace(t)
		other.writeRevision(revision)
		other.runGenerate("./...")
		want[revision] = other.readFiles()
	}
	d.runGenerate("./...")
	longest := 50 * time.Millisecond
	for round := range *kills {
		revision := round % 2
		d.writeRevision(revision)
		if round%3 == 0 {
			d.requireNoError(os.RemoveAll(d.cache))
		}
		survive := round%4 == 3
		began := time.Now()
		d.runTogether(survive, longest, "./...", "./a")
		if survive {
			longest = time.Since(began)
		}
		for name := range d.readFiles() {
			if _, known := want[revision][name]; !known && !strings.HasPrefix(filepath.Base(name), ".aiongen-") {
				t.Errorf("round %d leaves %s", round, name)
			}
		}
		d.runGenerate("./...")
		if got := d.readFiles(); !maps.Equal(got, want[revision]) {
			t.Fatalf("after round %d:\n%v\nwant\n%v", round, got, want[revision])
		}
	}
}

// A workspace is a module with two packages, and caches.
type workspace struct {
	*testing.T
	dir, cache string
	env        []string
}

func newWorkspace(t *testing.T) *workspace {
	dir := t.TempDir()
	d := &workspace{t, filepath.Join(dir, "desk"), filepath.Join(dir, "cache"), nil}
	d.env = append(append(os.Environ(), goEnv(t)...), "XDG_CACHE_HOME="+d.cache)
	root := repositoryRoot(t)
	d.writeFile("go.mod", "module example.com/desk\n\ngo 1.26\n\nrequire github.com/aiongen/aiongen v0.0.0\n\nreplace github.com/aiongen/aiongen => "+root+"\n")
	copySums(t, root, d.dir)
	d.writeRevision(0)
	return d
}

func (d *workspace) requireNoError(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

func (d *workspace) writeFile(name, text string) {
	d.Helper()
	path := filepath.Join(d.dir, name)
	d.requireNoError(os.MkdirAll(filepath.Dir(path), 0o777))
	d.requireNoError(os.WriteFile(path, []byte(text), 0o666))
}

// writeRevision writes the file that all generated files depend on.
func (d *workspace) writeRevision(revision int) {
	d.writeFile("a/a.go", fmt.Sprintf("package a\n\nimport \"net/url\"\n\n// T has revision %d.\ntype T struct{ N%[1]d int }\n\nfunc F(t T, at *url.URL) T { return t }\n", revision))
	d.writeFile("b/b.go", fmt.Sprintf("package b\n\nimport \"example.com/desk/a\"\n\nfunc G(t a.T, n%d int) string { return \"\" }\n", revision))
	for _, name := range []string{"a/one.aion", "a/two.aion", "b/three.aion"} {
		of := "F"
		params := `arg-1 --> "T", arg-2 --> "string"`
		if name[0] == 'b' {
			of, params = "G", `arg-1 --> "a.T", arg-2 --> "int"`
		}
		d.writeFile(name, fmt.Sprintf("[ { name --> %q, description --> \"Revision %d.\", function --> %q --> { %s } } ]\n", name[2:5], revision, of, params))
	}
}

func (d *workspace) newCommand(pattern string) (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.Command("aiongen", pattern)
	cmd.Dir, cmd.Env = d.dir, d.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	return cmd, &out
}

func (d *workspace) runGenerate(pattern string) {
	d.Helper()
	cmd, out := d.newCommand(pattern)
	if err := cmd.Run(); err != nil {
		d.Fatalf("%v\n%s", err, out)
	}
}

// runTogether generates in several processes at once and kills each of them after a random time of at
// most within, unless survive is set.
func (d *workspace) runTogether(survive bool, within time.Duration, patterns ...string) {
	var all sync.WaitGroup
	for _, pattern := range patterns {
		cmd, out := d.newCommand(pattern)
		d.requireNoError(cmd.Start())
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

// readFiles returns the content of all files in the packages, by name.
func (d *workspace) readFiles() map[string]string {
	files := map[string]string{}
	for _, dir := range []string{"a", "b"} {
		entries, err := os.ReadDir(filepath.Join(d.dir, dir))
		d.requireNoError(err)
		for _, e := range entries {
			name := filepath.Join(dir, e.Name())
			content, err := os.ReadFile(filepath.Join(d.dir, name))
			d.requireNoError(err)
			files[name] = string(content)
		}
	}
	return files
}

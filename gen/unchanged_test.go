package gen

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/output"
	"github.com/aiongen/aiongen/runtime/schema"
)

// rememberedModule is a workspace whose package depends on another package of its module, on a module
// of the workspace, and on a module that a directory replaces.
var rememberedModule = map[string]string{
	"go.work":           "go 1.26\n\nuse (\n\t./main\n\t./lib\n)\n",
	"main/go.mod":       "module example.com/main\n\ngo 1.26\n\nrequire example.com/other v0.0.0\n\nreplace example.com/other => ../other\n",
	"main/tools/a.aion": `[ { name --> "a", function --> "A" --> { arg-1 --> "int", arg-2 --> "dict" } } ]` + "\n",
	"main/tools/b.aion": `[ { name --> "b", function --> "B" --> { arg-1 --> "str (TODO)" } } ]` + "\n",
	"main/tools/c.Aion": "[]\n", // causes a warning
	"main/tools/tools.go": "package tools\n\n//go:generate aiongen -tags=$REMEMBERED_TAGS\n" + `

import (
	"example.com/lib"
	"example.com/main/own"
	"example.com/other"
)

type T struct {
	L lib.L
	O other.O
	W own.W
}

// A does it.
func A(n int, t T) {}
`,
	"main/tools/b.go":         "package tools\n\n// B does it.\nfunc B(s string) {}\n",
	"main/tools/a_test.go":    "package tools\n",
	"main/own/own.go":         "package own\n\nimport \"example.com/main/own/deep\"\n\ntype W struct{ D deep.D }\n",
	"main/own/own_test.go":    "package own\n",
	"main/own/deep/deep.go":   "package deep\n\ntype D struct{ A int }\n",
	"main/unrelated/other.go": "package unrelated\n",
	"lib/go.mod":              "module example.com/lib\n\ngo 1.26\n",
	"lib/lib.go":              "package lib\n\ntype L struct{ A int }\n",
	"other/go.mod":            "module example.com/other\n\ngo 1.26\n",
	"other/other.go":          "package other\n\ntype O struct{ A int }\n",
}

// A remembered is a module with a stored run.
type cacheTest struct {
	*testing.T
	root string
	cfg  Config
}

func remember(t *testing.T) *cacheTest {
	r := &cacheTest{T: t, root: t.TempDir()}
	r.cfg = Config{Dir: filepath.Join(r.root, "main"), Patterns: []string{"./..."}, Memory: filepath.Join(t.TempDir(), "runs")}
	t.Setenv("GOFLAGS", "-mod=readonly")
	t.Setenv("GOWORK", "")
	t.Setenv("GOENV", filepath.Join(r.root, "goenv"))
	r.write(rememberedModule)
	r.generate()
	r.generate() // the first run did not know its inputs before it ran
	if !r.same() {
		t.Fatal("nothing is kept of a run")
	}
	return r
}

func (r *cacheTest) write(files map[string]string) {
	for name, text := range files {
		r.must(os.MkdirAll(filepath.Dir(r.path(name)), 0o777))
		r.must(os.WriteFile(r.path(name), []byte(text), 0o666))
	}
}

func (r *cacheTest) generate() diag.List {
	r.Helper()
	result, faults := Generate(r.Context(), r.cfg)
	r.must(errors.Join(faults.Err(), result.Write()))
	return faults
}

// same reports whether a run would stop early because nothing has changed.
func (r *cacheTest) same() bool {
	_, ok := output.BeginRun(r.cfg.runConfig()).Outcome()
	return ok
}

// settled reports whether the settings of the go command are known without asking it, and fails if
// they are outdated.
func (r *cacheTest) settled() bool {
	r.Helper()
	known := output.BeginRun(r.cfg.runConfig()).Env()
	if known == nil {
		return false
	}
	if now, err := load.ReadEnv(r.Context(), r.cfg.Dir); err != nil || !maps.Equal(now, known) {
		r.Errorf("the go command has other settings by now, or an error: %v\n%v\n%v", err, now, known)
	}
	return true
}

func (r *cacheTest) path(name string) string { return filepath.Join(r.root, filepath.FromSlash(name)) }

func (r *cacheTest) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// replace replaces text in a file.
func (r *cacheTest) replace(name, from, to string) {
	r.Helper()
	text, err := os.ReadFile(r.path(name))
	r.must(err)
	if !bytes.Contains(text, []byte(from)) {
		r.Fatalf("%s has no %q", name, from)
	}
	r.must(os.WriteFile(r.path(name), bytes.Replace(text, []byte(from), []byte(to), 1), 0o666))
}

// silently changes a file and restores its modification time.
func (r *cacheTest) silently(name string, do func()) {
	info, err := os.Stat(r.path(name))
	r.must(err)
	do()
	r.must(os.Chtimes(r.path(name), time.Time{}, info.ModTime()))
}

func (r *cacheTest) swap(a, b string) {
	r.must(os.Rename(r.path(a), r.path("swapped")))
	r.must(os.Rename(r.path(b), r.path(a)))
	r.must(os.Rename(r.path("swapped"), r.path(b)))
}

// restored calls a function and then undoes all its changes.
func (r *cacheTest) restored(do func()) {
	files := map[string]string{}
	r.must(filepath.WalkDir(r.root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			text, err := os.ReadFile(path)
			files[strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(r.root)+"/")] = string(text)
			return err
		}
		return err
	}))
	do()
	entries, err := os.ReadDir(r.root)
	r.must(err)
	for _, e := range entries {
		r.must(os.RemoveAll(filepath.Join(r.root, e.Name())))
	}
	r.write(files)
}

// TestFooled tries to make a run stop early although something has changed.
func TestFooled(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	r := remember(t)
	for name, change := range map[string]func(){
		"an edited .aion file":       func() { r.replace("main/tools/a.aion", "int", "int | min=1") },
		"a new .aion file":           func() { r.write(map[string]string{"main/tools/c.aion": "[]\n"}) },
		"an .aion file that is gone": func() { r.must(os.Remove(r.path("main/tools/b.aion"))) },
		"a moved .aion file":         func() { r.must(os.Rename(r.path("main/tools/b.aion"), r.path("main/tools/c.aion"))) },
		"a note of another kind":     func() { r.write(map[string]string{"main/tools/d.AION": "[]\n"}) },
		"an edited Go file":          func() { r.replace("main/tools/tools.go", "A does it.", "A does it twice.") },
		"a new Go file":              func() { r.write(map[string]string{"main/tools/c.go": "package tools\n"}) },
		"an edited test":             func() { r.replace("main/tools/a_test.go", "package tools", "package tools\n\nvar a int") },
		"a new go:generate line": func() {
			r.replace("main/tools/b.go", "package tools", "package tools\n\n//go:generate aiongen -o ../gen")
		},
		"an edited package beside it":  func() { r.replace("main/own/own.go", "deep.D", "[]deep.D") },
		"an edited package below that": func() { r.replace("main/own/deep/deep.go", "int", "string") },
		"a new file of a package":      func() { r.write(map[string]string{"main/own/deep/more.go": "package deep\n"}) },
		"an edited module beside it":   func() { r.replace("lib/lib.go", "int", "string") },
		"a new file of such a module":  func() { r.write(map[string]string{"lib/more.go": "package lib\n"}) },
		"an edited replacement":        func() { r.replace("other/other.go", "int", "string") },
		"an edited go.mod":             func() { r.replace("main/go.mod", "go 1.26", "go 1.25") },
		"a go.mod of a replacement":    func() { r.replace("other/go.mod", "go 1.26", "go 1.25") },
		"a go.mod of the workspace":    func() { r.replace("lib/go.mod", "go 1.26", "go 1.25") },
		"a go.mod in between":          func() { r.write(map[string]string{"main/own/go.mod": "module example.com/main/own\n"}) },
		"a new go.sum":                 func() { r.write(map[string]string{"main/go.sum": "\n"}) },
		"a new go.work.sum":            func() { r.write(map[string]string{"go.work.sum": "\n"}) },
		"an edited go.work":            func() { r.replace("go.work", "\t./lib\n", "") },
		"a go.work that is gone":       func() { r.must(os.Remove(r.path("go.work"))) },
		"a go.work in between":         func() { r.write(map[string]string{"main/go.work": "go 1.26\n\nuse .\n"}) },
		"vendoring":                    func() { r.write(map[string]string{"main/vendor/modules.txt": "\n"}) },
		"a deleted output":             func() { r.must(os.Remove(r.path("main/tools/a.aion.go"))) },
		"an edited output":             func() { r.replace("main/tools/a.aion.go", "DO NOT EDIT.", "DO NOT EDIT. ") },
		"an output of another file":    func() { r.swap("main/tools/a.aion.go", "main/tools/b.aion.go") },
		"an output left over":          func() { r.write(map[string]string{"main/tools/z.aion.go": "package tools\n"}) },
		"what a killed run left":       func() { r.write(map[string]string{"main/tools/.aiongen-0123456789abcdef": ""}) },
		"a new package":                func() { r.write(map[string]string{"main/new/new.go": "package new\n", "main/new/new.aion": "[]\n"}) },
		".aion files in another":       func() { r.write(map[string]string{"main/unrelated/new.aion": "[]\n"}) },
		"settings of the go command":   func() { r.write(map[string]string{"goenv": "GOFLAGS=-tags=x\n"}) },
		"swapped files":                func() { r.swap("main/tools/a.aion", "main/tools/b.aion") },
		"swapped packages":             func() { r.swap("main/own/own.go", "main/own/deep/deep.go") },
		"an edit of no other size or time": func() {
			r.silently("main/own/deep/deep.go", func() { r.replace("main/own/deep/deep.go", "int", "any") })
		},
		"the same of an .aion file": func() {
			r.silently("main/tools/a.aion", func() { r.replace("main/tools/a.aion", `"a"`, `"c"`) })
		},
		"the same of an output": func() {
			r.silently("main/tools/a.aion.go", func() { r.replace("main/tools/a.aion.go", "return", "Return") })
		},
		"a link to another file": func() {
			r.write(map[string]string{"main/elsewhere/b.txt": "package tools\n\n// B is another.\nfunc B(s string) {}\n"})
			r.must(os.Remove(r.path("main/tools/b.go")))
			r.must(os.Symlink(r.path("main/elsewhere/b.txt"), r.path("main/tools/b.go")))
		},
		"a link to another directory": func() {
			r.must(os.Rename(r.path("main/own"), r.path("was")))
			r.write(map[string]string{"is/own.go": "package own\n\ntype W int\n"})
			r.must(os.Symlink(r.path("is"), r.path("main/own")))
		},
		"a folder in place of a file": func() {
			r.must(os.Remove(r.path("main/tools/b.go")))
			r.must(os.Mkdir(r.path("main/tools/b.go"), 0o777))
		},
	} {
		r.restored(func() {
			if change(); r.same() {
				t.Errorf("not noticed: %s", name)
			}
			if settled := r.settled(); strings.Contains(name, "go.work") && !strings.Contains(name, ".sum") && settled {
				t.Errorf("settings are taken to be the same: %s", name)
			} else if name == "an edited Go file" && !settled {
				t.Error("the go command is asked again after an edit")
			}
		})
		if !r.same() {
			t.Fatalf("changed, although all was put back: %s", name)
		}
	}
}

// TestLeftOver checks that files which were generated from another directory are reported once its
// .aion files are deleted.
func TestLeftOver(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	r := remember(t)
	cfg := r.cfg
	r.cfg.Patterns, r.cfg.Output = []string{"./own"}, "gen"
	r.write(map[string]string{
		"main/own/own.aion": `[{ name --> "w", function --> "Does" --> { arg-1 --> "string (what it is)" }, description --> "Does it." }]`,
		"main/own/w.go":     "package own\n\n// Does does it.\nfunc Does(s string) error { return nil }\n",
	})
	r.generate()
	r.cfg = cfg
	r.cfg.Patterns = []string{"./gen"}
	r.generate()
	r.generate()
	if !r.same() {
		t.Fatal("nothing is kept of a run over generated files")
	}
	r.must(os.Remove(r.path("main/own/own.aion")))
	if r.same() {
		t.Error("files that are left over were not noticed")
	}
}

// TestFooledByEnvironment does the same with changes outside of the files.
func TestFooledByEnvironment(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	r := remember(t)
	goRoot := fakeGo(t, "go1.99")
	for name, value := range map[string]string{
		"GOFLAGS": "-tags=x", "GOOS": "plan9", "GOARCH": "arm", "CGO_ENABLED": "0", "GOEXPERIMENT": "none", "GOWORK": "off", "GOTOOLCHAIN": "go1.27.0",
		"GOENV": "off", "GO111MODULE": "off", "GOPACKAGESDRIVER": "driver", "CC": "no such compiler", "GOROOT": goRoot, "REMEMBERED_TAGS": "x",
		"HOME": t.TempDir(),
		"PATH": filepath.Join(goRoot, "bin") + string(filepath.ListSeparator) + os.Getenv("PATH"),
	} {
		t.Run(name, func(t *testing.T) {
			if t.Setenv(name, value); r.same() {
				t.Errorf("%s=%s was not noticed", name, value)
			}
			if name != "REMEMBERED_TAGS" && r.settled() {
				t.Errorf("%s=%s does not matter to settings", name, value)
			}
		})
	}
	for _, other := range []Config{
		{Output: "gen"}, {Tags: "x"}, {Lint: []schema.Target{schema.MCP}}, {Patterns: []string{"./tools"}}, {Patterns: []string{"./tools/..."}}, {Patterns: []string{"./...", "./own"}}, {Dir: r.root},
	} {
		cfg := r.cfg
		cfg.Output, cfg.Tags, cfg.Lint = other.Output, other.Tags, other.Lint
		cfg.Dir = cmp.Or(other.Dir, cfg.Dir)
		if other.Patterns != nil {
			cfg.Patterns = other.Patterns
		}
		if _, ok := output.BeginRun(cfg.runConfig()).Outcome(); ok {
			t.Errorf("taken for the same: %+v", other)
		}
	}
	if !r.same() {
		t.Error("changed, although all was put back")
	}
}

// TestC checks that a run whose types depend on C headers never stops early, because the places of
// headers are unknown, and that a run which only calls C may stop early.
func TestC(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip(err)
	}
	r := remember(t)
	const deep = "package deep\n\n// #include \"../../c/d.h\"\nimport \"C\"\n\n"
	r.write(map[string]string{
		"main/c/d.h":            "typedef int number;\n",
		"main/own/deep/deep.go": deep + "type D struct{ A int }\n\nfunc call() { var n C.number; _ = n }\n",
	})
	r.generate()
	if r.generate(); !r.same() {
		t.Error("what only calls C is never the same")
	}
	r.write(map[string]string{"main/own/deep/deep.go": deep + "type D struct{ A C.number }\n"})
	r.generate()
	r.generate()
	r.write(map[string]string{"main/c/d.h": "typedef double number;\n"})
	if r.same() {
		t.Error("not noticed: an edited header")
	}
}

// fakeGo creates a toolchain that records its commands in a file and passes them to the real one.
func fakeGo(t *testing.T, version string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	script := "#!/bin/sh\necho \"$@\" >> " + filepath.Join(root, "asked") + "\nexec " + real + " \"$@\"\n"
	for name, text := range map[string]string{"VERSION": version + "\n", "go.env": "", "bin/go": script} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o777), os.WriteFile(filepath.Join(root, name), []byte(text), 0o777)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// TestUnchanged checks that irrelevant changes do not cause a new run, that the go command is not
// asked, and that the warnings of the stored run are repeated.
func TestUnchanged(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	root := fakeGo(t, runtime.Version())
	t.Setenv("PATH", filepath.Join(root, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	r := remember(t)
	asked, err := os.ReadFile(filepath.Join(root, "asked"))
	r.must(err)
	all := r.cfg
	all.All = true
	_, want := Generate(t.Context(), all)
	for name, change := range map[string]func(){
		"nothing":           func() {},
		"a touched file":    func() { r.must(os.Chtimes(r.path("main/tools/a.aion"), time.Now(), time.Now())) },
		"a README":          func() { r.write(map[string]string{"main/tools/README.md": "Read me.\n"}) },
		"a backup":          func() { r.write(map[string]string{"main/tools/a.aion~": ""}) },
		"a test elsewhere":  func() { r.replace("main/own/own_test.go", "package own", "package own\n\nvar a int") },
		"another package":   func() { r.replace("main/unrelated/other.go", "package unrelated", "package unrelated\n\nvar a int") },
		"a line of a shell": func() { t.Setenv("GOLINE", "17") },
	} {
		r.restored(func() {
			asked, err = os.ReadFile(filepath.Join(root, "asked"))
			r.must(err)
			change()
			result, got := Generate(t.Context(), r.cfg)
			if now, err := os.ReadFile(filepath.Join(root, "asked")); err != nil || !bytes.Equal(now, asked) {
				t.Errorf("%s: the go command was asked: %s", name, bytes.TrimPrefix(now, asked))
			}
			if diff := gocmp.Diff(want, got); diff != "" || len(want) == 0 || len(result.Changes) > 0 {
				t.Errorf("%s: %d diagnostics, %d changes\n%s", name, len(got), len(result.Changes), diff)
			}
			r.must(result.Write())
		})
	}
	if asked, err = os.ReadFile(filepath.Join(root, "asked")); err != nil {
		t.Fatal(err)
	}
	if _, got := Generate(t.Context(), all); gocmp.Diff(want, got) != "" {
		t.Error("All finds other things")
	}
	if now, err := os.ReadFile(filepath.Join(root, "asked")); err != nil || bytes.Equal(now, asked) {
		t.Error("with All, the go command was not asked")
	}
}

// TestMemory checks that invalid stored data does no harm.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	r := remember(t)
	records, err := filepath.Glob(filepath.Join(r.cfg.Memory, "*"))
	if err != nil || len(records) != 1 {
		t.Fatal(records, err)
	}
	record, err := os.ReadFile(records[0])
	r.must(err)
	sum, body, _ := bytes.Cut(record, []byte("\n"))
	for name, text := range map[string][]byte{
		"empty": nil, "cut off": record[:len(record)-1], "a sum alone": sum, "without a sum": body, "garbage": []byte("\x00\xff{"),
		"one bit": append(slices.Clone(record[:len(record)-9]), append([]byte{record[len(record)-9] ^ 1}, record[len(record)-8:]...)...),
	} {
		r.must(os.WriteFile(records[0], text, 0o666))
		if r.same() {
			t.Errorf("%s: taken for a record", name)
		}
		r.generate()
		if r.generate(); !r.same() {
			t.Errorf("%s: not kept anew", name)
		}
	}
	r.cfg.Memory = filepath.Join(records[0], "not a folder")
	if r.generate(); r.same() {
		t.Error("kept nowhere")
	}
}

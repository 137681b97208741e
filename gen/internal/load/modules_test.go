package load

import (
	"context"
	"errors"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

func Example_modules() {
	env, err := ReadEnv(context.Background(), ".")
	if err != nil {
		log.Fatal(err)
	}
	set, err := openModules(env, "", nil)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := filepath.Abs("..")
	if err != nil {
		log.Fatal(err)
	}
	found, err := set.matchPatterns(dir, []string{"./explain/..."})
	fmt.Println(found[0].Path, filepath.Base(found[0].Files[0]), len(found[0].Files), err)
	// Output: github.com/aiongen/aiongen/gen/internal/explain explain.go 1 <nil>
}

const goMod = `
-- go.mod --
module example.com/m

go 1.26
-- a/a.go --
package a
-- a/a_test.go --
package a
-- a/ignored/ignored.go --
//go:build ignore

package ignored
-- a/two/words.go --
package two
-- a/two/more.go --
package words
-- broken/b.go --
<<<<<<<
package broken
-- nested/go.mod --
module example.com/m/nested

go 1.26
-- nested/n.go --
package nested
-- feature/f.go --
//go:build amd64.v2

package feature
-- experiment/e.go --
//go:build !goexperiment.x

package experiment
-- testdata/t/t.go --
package t
-- with space/s.go --
package s
-- plain/p.go --
package plain
-- plain/_u.go --
package u
-- plain/p_windows.go --
package plain
`

// TestUncertain checks that questions which only the go command can answer are left to it.
func TestUncertain(t *testing.T) {
	env, dir := workspace(t)
	for pattern, want := range map[string]string{
		"./plain": "plain", "./plain/...": "plain", "./testdata/t": "testdata/t", "./a": "a",
		filepath.Join(dir, "plain"): "plain",

		"./...": "", "./a/...": "", "./a/ignored": "", "./a/two": "", "./broken": "", "./nested": "", "./nested/...": "", "./feature": "", "./experiment": "",
		"./with space": "", "./none": "", "./none/...": "", "./pl...": "", "plain": "", "example.com/m/plain": "", "all": "", "std": "", "internal": "", "./plain/p.go": "",
	} {
		set, err := openModules(env, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		found, err := set.matchPatterns(dir, []string{pattern})
		switch {
		case want == "" && (!errors.Is(err, errNeedGoCommand) || found != nil):
			t.Errorf("%s: %v", pattern, err)
		case want != "" && (err != nil || len(found) != 1 || found[0].Path != "example.com/m/"+want || len(found[0].Files) != 1):
			t.Errorf("%s: %v, %v", pattern, found, err)
		}
	}
	if set, err := openModules(env, "", nil); err != nil {
		t.Error(err)
	} else if found, err := set.matchPatterns(dir, []string{"./plain", "./link/..."}); !errors.Is(err, errNeedGoCommand) {
		t.Errorf("a link beside another: %v, %v", found, err)
	}
	for path, want := range map[string]string{
		"example.com/m/plain": "package", "example.com/m/none": "uncertain", "example.com/m/nested": "uncertain", "example.com/m": "uncertain",
		"example.com/mm": "no", "fmt": "no", "./plain": "no", "": "no",
	} {
		set, err := openModules(env, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := set.findPackage(path)
		if got := map[bool]string{true: "package", false: "no"}[p != nil]; want != "uncertain" && (got != want || err != nil) || want == "uncertain" && !errors.Is(err, errNeedGoCommand) {
			t.Errorf("%s: %v, %v", path, p, err)
		}
	}
}

// TestOpen checks that settings which make the go command find other files, or none, are respected.
func TestOpen(t *testing.T) {
	env, dir := workspace(t)
	for name, change := range map[string]func(Env) string{
		"-overlay":    func(env Env) string { env["GOFLAGS"] = "-overlay=x.json"; return "" },
		"-mod=vendor": func(env Env) string { env["GOFLAGS"] = "-mod=vendor"; return "" },
		"-race":       func(env Env) string { env["GOFLAGS"] = "-race"; return "" },
		"GO111MODULE": func(env Env) string { env["GO111MODULE"] = "off"; return "" },
		"no module":   func(env Env) string { env["GOMOD"] = os.DevNull; return "" },
		"devel":       func(env Env) string { env["GOVERSION"] = "devel go1.27-abcdef"; return "" },
		"an old go":   func(env Env) string { env["GOVERSION"] = "go1.25.1"; return "" },
		"ignore":      func(Env) string { return "go.mod:module example.com/m\n\ngo 1.26\n\nignore ./x\n" },
		"no go line":  func(Env) string { return "go.mod:module example.com/m\n" },
		"nonsense":    func(Env) string { return "go.mod:modul\n" },
		"one version": func(Env) string {
			return "go.mod:module m.org\n\ngo 1.26\n\nrequire x.org v1.0.0\n\nreplace x.org v1.0.0 => ./x\n"
		},
		"gone replace": func(Env) string {
			return "go.mod:module m.org\n\ngo 1.26\n\nrequire x.org v1.0.0\n\nreplace x.org => ./x\n"
		},
	} {
		changed := maps.Clone(env)
		if write := change(changed); write != "" {
			var text string
			write, text, _ = strings.Cut(write, ":")
			root := t.TempDir()
			if err := os.CopyFS(root, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(root, write)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			changed["GOMOD"] = filepath.Join(root, "go.mod")
		}
		if set, err := openModules(changed, "", nil); set != nil || !errors.Is(err, errNeedGoCommand) {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Setenv("GOPACKAGESDRIVER", "driver")
	if _, err := openModules(env, "", nil); !errors.Is(err, errNeedGoCommand) {
		t.Errorf("a driver: %v", err)
	}
}

func workspace(t *testing.T) (Env, string) {
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(goMod)).Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("plain", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	env, err := ReadEnv(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return env, dir
}

// TestVendored checks that vendored packages are found where the go command would find them, and that
// a vendor directory that does not agree with the module files is left to the go command.
func TestVendored(t *testing.T) {
	env, dir := workspace(t)
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	const (
		mod     = "module example.com/m\n\ngo 1.26\n\nrequire (\n\tx.org v1.0.0\n\ty.org v1.2.0\n)\n\nreplace y.org => ../y\n"
		listing = "# x.org v1.0.0\n## explicit; go 1.21\nx.org/a\nx.org/gone\n# y.org v1.2.0 => ../y\n## explicit\ny.org/b\n# y.org => ../y\n"
	)
	write("vendor/x.org/a/a.go", "package a\n")
	write("vendor/y.org/b/b.go", "package bee\n")
	write("vendor/x.org/unlisted/u.go", "package u\n")
	write("broken/b.go", "package broken\n")
	for _, tt := range []struct{ name, mod, listing, flags, open, find string }{
		{"by default", mod, listing, "", "x.org/a a 1.21, y.org/b bee ", "x.org/unlisted no, x.org/gone uncertain, example.com/m/plain plain 1.26"},
		{"asked for", mod, listing, "-mod=vendor", "x.org/a a 1.21", ""},
		{"unwanted", mod, listing, "-mod=readonly", "uncertain", ""}, // module y does not exist
		{"unwanted, and not needed", strings.ReplaceAll(mod, "replace", "//"), listing, "-mod=mod", "x.org/a no", ""},
		{"an old module", strings.ReplaceAll(strings.ReplaceAll(mod, "1.26", "1.13"), "replace", "//"), listing, "", "x.org/a no", ""},
		{"an old module asks", strings.ReplaceAll(mod, "1.26", "1.13"), listing, "-mod=vendor", "uncertain", ""},
		{"for a workspace", strings.ReplaceAll(mod, "replace", "//"), "## workspace\n" + listing, "", "x.org/a no", ""},
		{"for a workspace asked for", mod, "## workspace\n" + listing, "-mod=vendor", "uncertain", ""},
		{"another version", strings.ReplaceAll(mod, "v1.0.0", "v1.0.1"), listing, "", "uncertain", ""},
		{"one more", mod, listing + "# z.org v1.0.0\n## explicit\n", "", "uncertain", ""},
		{"one less", mod + "require z.org v1.0.0\n", listing, "", "uncertain", ""},
		{"replaced otherwise", strings.ReplaceAll(mod, "../y", "../z"), listing, "", "uncertain", ""},
		{"not replaced", strings.ReplaceAll(mod, "replace", "//"), listing, "", "uncertain", ""},
		{"a newer toolchain", mod, strings.ReplaceAll(listing, "go 1.21", "go 1.99"), "", "uncertain", ""},
		{"also in the module", "module x.org\n\ngo 1.26\n\nrequire x.org/broken v1.0.0\n", "# x.org/broken v1.0.0\n## explicit\nx.org/broken\n", "", "x.org/broken uncertain", ""},
		{"perhaps of the library", "module x.org\n\ngo 1.26\n\nrequire net v1.0.0\n", "# net v1.0.0\n## explicit\nnet/http\n", "", "net/http uncertain", ""},
	} {
		write("go.mod", tt.mod)
		write("vendor/modules.txt", tt.listing)
		changed := maps.Clone(env)
		changed["GOFLAGS"] = tt.flags
		set, err := openModules(changed, "", nil)
		if tt.open == "uncertain" {
			if !errors.Is(err, errNeedGoCommand) {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		for want := range strings.SplitSeq(strings.Trim(tt.open+", "+tt.find, ", "), ", ") {
			path, _, _ := strings.Cut(want, " ")
			p, err := set.findPackage(path)
			got := path + " no"
			if errors.Is(err, errNeedGoCommand) {
				got = path + " uncertain"
			} else if p != nil {
				got = strings.Join([]string{p.Path, p.Name, p.Module.GoVersion}, " ")
			}
			if strings.TrimSpace(got) != strings.TrimSpace(want) {
				t.Errorf("%s: %q, want %q: %v", tt.name, got, want, err)
			}
		}
	}
}

// TestTwoModules checks that a package that two modules contain is left to the go command, which
// refuses it. A module inside another one is not a second module.
func TestTwoModules(t *testing.T) {
	env, dir := workspace(t)
	for name, text := range map[string]string{
		"go.mod":      "module example.com/m\n\ngo 1.26\n\nrequire (\n\tx.org v1.0.0\n\tx.org/in v1.0.0\n\tx.org/out v1.0.0\n)\n\nreplace x.org => ./x\n\nreplace x.org/in => ./x/in\n\nreplace x.org/out => ./out\n",
		"x/go.mod":    "module x.org\n\ngo 1.26\n",
		"x/in/go.mod": "module x.org/in\n\ngo 1.26\n", "x/in/a/a.go": "package a\n",
		"out/go.mod": "module x.org/out\n\ngo 1.26\n", "out/a/a.go": "package a\n", "out/b/b.go": "package b\n",
		"x/out/a/a.go": "package a\n",
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	set, err := openModules(env, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	for path, uncertain := range map[string]bool{"x.org/in/a": false, "x.org/out/b": false, "x.org/out/a": true} {
		if p, err := set.findPackage(path); (p == nil) != uncertain || errors.Is(err, errNeedGoCommand) != uncertain {
			t.Errorf("%s: %v, %v", path, p, err)
		}
	}
}

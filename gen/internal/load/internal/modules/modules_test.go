package modules_test

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

	"github.com/aiongen/aiongen/gen/internal/goenv"
	"github.com/aiongen/aiongen/gen/internal/load/internal/modules"
)

func Example() {
	env, err := goenv.Read(context.Background(), ".")
	if err != nil {
		log.Fatal(err)
	}
	set, err := modules.Open(env, "", nil)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := filepath.Abs("..")
	if err != nil {
		log.Fatal(err)
	}
	found, err := set.Match(dir, []string{"./bodies/..."})
	fmt.Println(found[0].Path, filepath.Base(found[0].Files[0]), len(found[0].Files), err)
	// Output: github.com/aiongen/aiongen/gen/internal/load/internal/bodies bodies.go 1 <nil>
}

const module = `
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

// TestUncertain leaves to the go command what only that can tell.
func TestUncertain(t *testing.T) {
	env, dir := workspace(t)
	for pattern, want := range map[string]string{
		"./plain": "plain", "./plain/...": "plain", "./testdata/t": "testdata/t", "./a": "a",
		filepath.Join(dir, "plain"): "plain",

		"./...": "", "./a/...": "", "./a/ignored": "", "./a/two": "", "./broken": "", "./nested": "", "./nested/...": "", "./feature": "", "./experiment": "",
		"./with space": "", "./none": "", "./none/...": "", "./pl...": "", "plain": "", "example.com/m/plain": "", "all": "", "std": "", "..": "", "./plain/p.go": "",
	} {
		set, err := modules.Open(env, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		found, err := set.Match(dir, []string{pattern})
		switch {
		case want == "" && (!errors.Is(err, modules.ErrUncertain) || found != nil):
			t.Errorf("%s: %v", pattern, err)
		case want != "" && (err != nil || len(found) != 1 || found[0].Path != "example.com/m/"+want || len(found[0].Files) != 1):
			t.Errorf("%s: %v, %v", pattern, found, err)
		}
	}
	if set, err := modules.Open(env, "", nil); err != nil {
		t.Error(err)
	} else if found, err := set.Match(dir, []string{"./plain", "./link/..."}); !errors.Is(err, modules.ErrUncertain) {
		t.Errorf("a link beside another: %v, %v", found, err)
	}
	for path, want := range map[string]string{
		"example.com/m/plain": "package", "example.com/m/none": "uncertain", "example.com/m/nested": "uncertain", "example.com/m": "uncertain",
		"example.com/mm": "no", "fmt": "no", "./plain": "no", "": "no",
	} {
		set, err := modules.Open(env, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := set.Find(path)
		if got := map[bool]string{true: "package", false: "no"}[p != nil]; want != "uncertain" && (got != want || err != nil) || want == "uncertain" && !errors.Is(err, modules.ErrUncertain) {
			t.Errorf("%s: %v, %v", path, p, err)
		}
	}
}

// TestOpen: some settings make the go command find other files, or none.
func TestOpen(t *testing.T) {
	env, dir := workspace(t)
	for name, change := range map[string]func(goenv.Env) string{
		"-overlay":    func(env goenv.Env) string { env["GOFLAGS"] = "-overlay=x.json"; return "" },
		"-mod=vendor": func(env goenv.Env) string { env["GOFLAGS"] = "-mod=vendor"; return "" },
		"-race":       func(env goenv.Env) string { env["GOFLAGS"] = "-race"; return "" },
		"GO111MODULE": func(env goenv.Env) string { env["GO111MODULE"] = "off"; return "" },
		"no module":   func(env goenv.Env) string { env["GOMOD"] = os.DevNull; return "" },
		"devel":       func(env goenv.Env) string { env["GOVERSION"] = "devel go1.27-abcdef"; return "" },
		"an old go":   func(env goenv.Env) string { env["GOVERSION"] = "go1.25.1"; return "" },
		"vendor":      func(goenv.Env) string { return "vendor/modules.txt" },
		"ignore":      func(goenv.Env) string { return "go.mod:module example.com/m\n\ngo 1.26\n\nignore ./x\n" },
		"no go line":  func(goenv.Env) string { return "go.mod:module example.com/m\n" },
		"nonsense":    func(goenv.Env) string { return "go.mod:modul\n" },
		"one version": func(goenv.Env) string {
			return "go.mod:module m.org\n\ngo 1.26\n\nrequire x.org v1.0.0\n\nreplace x.org v1.0.0 => ./x\n"
		},
		"gone replace": func(goenv.Env) string {
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
		if set, err := modules.Open(changed, "", nil); set != nil || !errors.Is(err, modules.ErrUncertain) {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Setenv("GOPACKAGESDRIVER", "driver")
	if _, err := modules.Open(env, "", nil); !errors.Is(err, modules.ErrUncertain) {
		t.Errorf("a driver: %v", err)
	}
}

func workspace(t *testing.T) (goenv.Env, string) {
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(module)).Files {
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
	env, err := goenv.Read(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return env, dir
}

package load_test

import (
	"context"
	"fmt"
	"go/types"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/aiongen/aiongen/gen/internal/load"
)

// noGenerated is used for packages without generated files.
func noGenerated(string) bool { return false }

// Find lists packages; Check type-checks their declarations.
func ExampleCheck() {
	ctx := context.Background()
	dir, err := filepath.Abs("../model")
	if err != nil {
		log.Fatal(err)
	}
	cfg := load.Config{Dir: dir, Generated: noGenerated}
	pkgs, err := load.Find(ctx, cfg, ".")
	if err != nil {
		log.Fatal(err)
	}
	if err := load.Check(ctx, cfg, pkgs...); err != nil {
		log.Fatal(err)
	}
	fmt.Println(pkgs[0].Name, pkgs[0].Types.Scope().Lookup("Basic"))
	// Output:
	// model func github.com/aiongen/aiongen/gen/internal/model.Basic(name string) github.com/aiongen/aiongen/gen/internal/model.GoType
}

// packages writes a module and loads all of it.
func packages(t *testing.T, module string) map[string]*load.Package {
	t.Helper()
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
	cfg := load.Config{Dir: dir, Generated: func(path string) bool { return strings.HasSuffix(path, ".gen.go") }}
	pkgs, err := load.Find(t.Context(), cfg, "./...")
	if err != nil {
		t.Fatal(err)
	}
	if err := load.Check(t.Context(), cfg, pkgs...); err != nil {
		t.Fatal(err)
	}
	found := map[string]*load.Package{}
	for _, p := range pkgs {
		found[p.Path] = p
	}
	return found
}

// TestBroken loads packages that do not compile for various reasons. Their valid parts must be
// present, even if their types come from broken packages.
func TestBroken(t *testing.T) {
	pkgs := packages(t, `
-- go.mod --
module example.com/m

go 1.26
-- a/a.go --
package a

import (
	"time"

	"example.com/m/b"
	"example.com/m/missing"
)

func Sound(t time.Time, x b.Thing) b.Deep { return undefined }

func Unsound(x missing.Thing) {}

func UsesGenerated() { Register(AddArgs{}) }
-- a/bad.gen.go --
package a
<<<<<<< not Go at all
-- b/b.go --
package b

import "example.com/m/c"

type Thing struct{ At c.Time }

type Deep = []map[string]*c.Time

func broken( {
-- c/c.go --
package c

import "time"

type Time time.Time

var x int = "not an int"
`)
	a := pkgs["example.com/m/a"]
	for name, want := range map[string]string{
		"Sound":         "func(t time.Time, x example.com/m/b.Thing) example.com/m/b.Deep",
		"Unsound":       "func(x invalid type)",
		"UsesGenerated": "func()",
	} {
		obj := a.Types.Scope().Lookup(name)
		if obj == nil || obj.Type().String() != want {
			t.Errorf("%s is %v, want %s", name, obj, want)
		}
	}
	thing := a.Types.Scope().Lookup("Sound").Type().(*types.Signature).Params().At(1).Type()
	if got := thing.Underlying().String(); got != "struct{At example.com/m/c.Time}" {
		t.Errorf("b.Thing is %s", got)
	}
	if len(a.Faults) == 0 {
		t.Error("the missing import is no fault")
	}
	if span := a.Span(a.Files[0].Pos(), a.Files[0].Pos()); span.String() != "a/a.go:1:1" {
		t.Errorf("the first file starts at %s", span)
	}
}

// TestSyntax reads comments of packages that are imported directly, indirectly, or not at all.
func TestSyntax(t *testing.T) {
	p := packages(t, `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

import "net/url"

func F(u url.URL) {}
`)["example.com/m"]
	for path, want := range map[string]bool{"example.com/m": true, "net/url": true, "time": true, "example.com/none": false} {
		if got := len(p.Syntax(path)) > 0; got != want {
			t.Errorf("Syntax(%s) found source: %v, want %v", path, got, want)
		}
	}
}

// TestOverlay checks that the texts of an editor replace those on disk, including new files and new
// packages.
func TestOverlay(t *testing.T) {
	pkgs := packages(t, `
-- go.mod --
module example.com/m

go 1.26
-- a.go --
package m

func A() int { return 0 }
-- gone.go --
package m

func Gone() {}
`)
	dir := pkgs["example.com/m"].Dir
	cfg := load.Config{Dir: dir, Generated: noGenerated, Overlay: map[string][]byte{
		filepath.Join(dir, "a.go"):        []byte("package m\n\nimport \"example.com/m/sub\"\n\nfunc A(sub.T) {}\n"),
		filepath.Join(dir, "b.go"):        []byte("package m\n\nfunc B() {}\n"),
		filepath.Join(dir, "gone.go"):     nil,
		filepath.Join(dir, "sub", "s.go"): []byte("package sub\n\ntype T []byte\n"),
	}}
	found, err := load.Find(t.Context(), cfg, ".")
	if err != nil {
		t.Fatal(err)
	}
	if err := load.Check(t.Context(), cfg, found...); err != nil {
		t.Fatal(err)
	}
	p := found[0]
	if names := p.Types.Scope().Names(); !slices.Equal(names, []string{"A", "B"}) || len(p.Faults) > 0 {
		t.Errorf("%q is declared, with %v", names, p.Faults)
	}
	if got := p.Types.Scope().Lookup("A").Type().String(); got != "func(example.com/m/sub.T)" {
		t.Errorf("A is %s", got)
	}
	if names := p.Scope(cfg).Declared; !slices.Equal(names, []string{"A", "B"}) {
		t.Errorf("the scope has %q", names)
	}
}

// TestNoGoCommand checks that nothing is asked for again after an edit, whatever function bodies
// import.
func TestNoGoCommand(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	asked := countGo(t)
	const before = `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

import "context"

func F(context.Context) {}
`
	packages(t, before)
	lists := len(asked("list"))
	if lists != 1 {
		t.Errorf("the go command was asked %d times: %q", lists, asked("list"))
	}
	p := packages(t, before+"\nfunc G(c context.Context) (int, context.Context) { return 0, c }\n")["example.com/m"]
	if p.Types.Scope().Lookup("G") == nil || len(p.Syntax("context")) == 0 {
		t.Error("the edit is not seen")
	}
	if now := asked("list"); len(now) != lists {
		t.Errorf("the go command was asked again: %q", now)
	}
}

// TestNoPath checks the message if there is no go command.
func TestNoPath(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	_, err := load.Find(t.Context(), load.Config{Dir: dir}, ".")
	if err == nil || !strings.Contains(err.Error(), `"go": executable file not found`) || strings.Contains(err.Error(), "stderr") {
		t.Error(err)
	}
}

// TestAsksOnce checks that reading the comments of many packages does not start many go commands.
func TestAsksOnce(t *testing.T) {
	asked := countGo(t)
	p := packages(t, `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

import "net/http"

func F(r *http.Request) {}
`)["example.com/m"]
	before := len(asked("list -e -json"))
	for _, path := range []string{"net/http", "net/url", "io", "time", "mime/multipart", "net/textproto", "crypto/tls", "crypto/x509", "context"} {
		if len(p.Syntax(path)) == 0 {
			t.Errorf("there is no source of %s", path)
		}
	}
	if lists := asked("list -e -json")[before:]; len(lists) > 1 {
		t.Errorf("the go command was asked %d times:\n%s", len(lists), strings.Join(lists, ""))
	}
}

// TestNamed checks that all packages that only texts name are looked up together, except those that
// have another meaning.
func TestNamed(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	asked := countGo(t)
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "m.go": "package m\n\nvar path, none = 1, 2\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cfg := load.Config{Dir: dir, Generated: noGenerated}
	pkgs, err := load.Find(t.Context(), cfg, ".")
	if err != nil {
		t.Fatal(err)
	}
	p := pkgs[0]
	p.NamedPaths = []string{"example.org/gone", "m", "net/url", "no", "path", "strings", "text/template"}
	if err := load.Check(t.Context(), cfg, p); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"net/url", "strings", "text/template"} {
		if _, err := p.Import(path); err != nil {
			t.Error(err)
		}
	}
	if _, err := p.Import("example.org/gone"); err == nil {
		t.Error("nothing is imported")
	}
	if lists := asked("list"); len(lists) != 1 || !strings.HasSuffix(lists[0], " -- example.org/gone net/url strings text/template\n") {
		t.Errorf("the go command was asked %q", lists)
	}
}

// TestChainFrom finds import chains of packages that are not imported, without a go command for each.
func TestChainFrom(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	asked := countGo(t)
	p := packages(t, `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m
-- back/b.go --
package back

import ( "fmt"; "example.com/m" )

func F() { fmt.Println(m.X) }
-- over/o.go --
package over

import ( "encoding/json"; "example.com/m/back"; "example.com/m/side" )

func F(json.Number) { back.F(); side.F() }
-- side/s.go --
package side

import "strings"

func F() { strings.ToUpper("") }
`)["example.com/m"]
	before := len(asked("list"))
	for from, want := range map[string][]string{
		"example.com/m/back": {"example.com/m"}, "example.com/m/over": {"example.com/m/back", "example.com/m"}, "example.com/m/side": nil, "encoding/json": nil,
	} {
		if _, err := p.Import(from); err != nil {
			t.Error(err)
		}
		if got := p.ImportChain(from, "example.com/m"); !slices.Equal(got, want) {
			t.Errorf("from %s: %q, want %q", from, got, want)
		}
	}
	if now := asked("list")[before:]; len(now) > 0 {
		t.Errorf("the go command was asked %q", now)
	}
}

// countGo returns a function that counts the go commands with a name that have run since.
func countGo(t *testing.T) func(command string) (lines []string) {
	t.Helper()
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	script := fmt.Sprintf("#!/bin/sh\necho \"$*\" >>'%s'\nexec '%s' \"$@\"\n", log, real)
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return func(command string) (lines []string) {
		text, _ := os.ReadFile(log) // no go command has run yet
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, command) {
				lines = append(lines, line)
			}
		}
		return lines
	}
}

package load_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
	"golang.org/x/tools/txtar"
)

// TestSame compares a workspace with all kinds of packages, twice: the second time, types come from
// the cache.
func TestSame(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the standard library from source")
	}
	dir := write(t, workspace)
	for _, tags := range []string{"", "", "special"} {
		var out strings.Builder
		differ, err := judge(t.Context(), &out, filepath.Join(dir, "main"), tags, []string{"./..."})
		if err != nil || differ > 0 || !strings.Contains(out.String(), ": 7 packages ") {
			t.Errorf("with tags %q, %d packages differ: %v\n%s", tags, differ, err, out.String())
		}
	}
}

// TestVendored compares vendored packages, in a module and in a workspace. They are read from source,
// without go/packages, and are not cached.
func TestVendored(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the standard library from source")
	}
	for name, text := range map[string]string{"module": vendoring, "workspace": strings.NewReplacer(
		"-- go.mod --", "-- go.work --\ngo 1.26\n\nuse .\n-- go.mod --", "-- vendor/modules.txt --", "-- vendor/modules.txt --\n## workspace",
		"replace example.org/near => ../near", "", " => ../near", "", "# example.org/near\n", "",
	).Replace(vendoring)} {
		dir := write(t, text)
		for range 2 {
			var out strings.Builder
			differ, err := judge(t.Context(), &out, dir, "", []string{"./..."})
			if err != nil || differ > 0 || !strings.Contains(out.String(), ": 2 packages ") {
				t.Errorf("%s: %d packages differ: %v\n%s", name, differ, err, out.String())
			}
		}
		about, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "aiongen", "exports", "*", "about"))
		if err != nil || len(about) != 1 {
			t.Fatalf("%s: it was not read here, but by go/packages: %q, %v", name, about, err)
		}
		if kept, err := os.ReadFile(about[0]); err != nil || strings.Contains(string(kept), "example.org") || !strings.Contains(string(kept), `"io"`) {
			t.Errorf("%s: kept is %s, %v", name, kept, err)
		}
	}
}

// TestC compares packages that import C declarations from the module cache. If that is visible,
// go/packages reads them. Otherwise package load reads them, without the fields that no other package
// can name.
func TestC(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil || testing.Short() {
		t.Skip("compiles C")
	}
	for imported, here := range map[string]bool{"hidden": true, "open": false, "open/over": false} {
		dir := write(t, strings.ReplaceAll(importsC, "IMPORTED", imported))
		publish(t, filepath.Join(dir, "c"), module.Version{Path: "example.org/c", Version: "v1.0.0"})
		for range 2 { // the first one writes go.sum
			var out strings.Builder
			_, err := judge(t.Context(), &out, filepath.Join(dir, "main"), "", []string{"./..."})
			seen := strings.ReplaceAll(out.String(), "example.com/main: type example.org/c/hidden.", "")
			if err != nil || strings.Contains(seen, "example.com/main: ") || !strings.Contains(seen, ": 1 packages ") {
				t.Errorf("%s: %v\n%s", imported, err, out.String())
			}
		}
		kept, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "aiongen", "exports", "*", "*"))
		if got := len(kept) > 1; err != nil || got != here { // next to the cached data about packages
			t.Errorf("%s: it was read here: %t, want %t: %q, %v", imported, got, here, kept, err)
		}
	}
}

// publish makes the go command download a directory as a version of a module, for the duration of the
// test.
func publish(t *testing.T, dir string, v module.Version) {
	t.Helper()
	proxy := t.TempDir()
	at := filepath.Join(proxy, v.Path, "@v")
	if err := os.MkdirAll(at, 0o777); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err := errors.Join(err, zip.CreateFromDir(&packed, v, dir)); err != nil {
		t.Fatal(err)
	}
	for ext, content := range map[string][]byte{".mod": mod, ".zip": packed.Bytes(), ".info": []byte(`{"Version": "` + v.Version + `"}`)} {
		if err := os.WriteFile(filepath.Join(at, v.Version+ext), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range map[string]string{
		"GOPROXY": "file://" + filepath.ToSlash(proxy), "GONOSUMDB": "*", "GOMODCACHE": t.TempDir(), "GOFLAGS": "-mod=mod -modcacherw", "CGO_ENABLED": "1",
	} {
		t.Setenv(name, value)
	}
}

const importsC = `
-- main/go.mod --
module example.com/main

go 1.26

require example.org/c v1.0.0
-- main/m.go --
package m

import (
	"example.org/c/IMPORTED"
	"io"
)

type T struct { Of c.Level }

func F(c.Level, io.Reader) (c.All, error) { return c.All{}, nil }
-- c/go.mod --
module example.org/c

go 1.26
-- c/hidden/c.go --
package c

// #include <stdint.h>
// typedef struct { int n; } num;
import "C"

type Level int

type All struct { Level; n *C.num }

func size(n C.num) int { return int(n.n) }

func Size(a All) int { return size(*a.n) }
-- c/open/c.go --
package c

// typedef short num;
// #define MOST 3
import "C"

type Level C.num

type All struct { Levels [C.MOST]Level; N C.num }

const Most = C.MOST

func Next(n C.num) Level { return Level(n) }
-- c/open/over/over.go --
package c

import "example.org/c/open"

type Level = c.Level

type All struct { c.All }
`

// write writes files for a test that shares nothing with other tests except the build cache.
func write(t *testing.T, text string) (dir string) {
	t.Helper()
	built, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(built)))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir = t.TempDir()
	for _, f := range txtar.Parse([]byte(text)).Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const vendoring = `
-- go.mod --
module example.com/main

go 1.26

require (
	example.org/far v1.2.3
	example.org/near v0.0.0
)

replace example.org/near => ../near
-- a/a.go --
package a

import (
	"example.com/main/b"
	"example.org/far"
	"example.org/near/deep"
)

type T struct {
	far.Pair[string, deep.Kind]
	b.B
}

func F(far.Doer) (deep.Kind, error) { return deep.New() }
-- b/b.go --
package b

type B int
-- vendor/modules.txt --
# example.org/far v1.2.3
## explicit; go 1.20
example.org/far
example.org/far/internal/words
# example.org/near v0.0.0 => ../near
## explicit
example.org/near/deep
# example.org/near => ../near
-- vendor/example.org/far/far.go --
package far

import (
	"context"
	"example.org/far/internal/words"
	"io"
)

type Pair[K comparable, V any] struct { Key K; Value V; In words.In }

type Doer interface { Do(context.Context) (io.ReadCloser, error) }
-- vendor/example.org/far/far_windows.go --
package far

type Pair int
-- vendor/example.org/far/internal/words/w.go --
package words

type In [1 << 3]byte
-- vendor/example.org/near/deep/d.go --
package deep

import "errors"

type Kind string

func (Kind) String() string { return "" }

var Err = errors.ErrUnsupported

func New() (Kind, error) { return "", Err }
`

const workspace = `
-- go.work --
go 1.26

use (
	./main
	./lib
)
-- lib/go.mod --
module example.com/lib

go 1.21
-- lib/lib.go --
package lib

import "iter"

type Pair[K comparable, V any] struct { Key K; Value V }

func (p *Pair[K, V]) All() iter.Seq2[K, V] { return nil }

type Set[K comparable] = map[K]struct{}
-- lib/twice.go --
package lib

import "example.com/lib/named"
import more "example.com/lib/named"

type Twice named.Named

func twice() { more.New() }
-- lib/named/named.go --
package named

type Named struct { N int }

func New() {}
-- lib/c/c.go --
package c

// typedef int num;
import "C"

type ID C.num

type Has struct { C C.int; N int }
-- other/go.mod --
module example.com/elsewhere

go 1.26
-- other/deep/deep.go --
package deep

import ( "context"; "io" )

type Doer interface { Do(context.Context, *io.PipeReader) (io.ReadCloser, error) }

func Default() Doer { return nil }
-- main/go.mod --
module example.com/main

go 1.26

require example.com/other v0.0.0

replace example.com/other => ../other
-- main/main.go --
package main

import "example.com/main/a"

func main() { println(a.A) }
-- main/a/a.go --
package a

import (
	"bytes"
	"example.com/lib"
	"example.com/lib/c"
	"example.com/other/deep"
	b2 "example.com/main/b"
	"example.com/main/unneeded"
	. "time"
)

const A = 1 << iota

var Raw bytes.Buffer

type T struct {
	lib.Pair[string, Duration]
	Do deep.Doer
	b2.Kind
	Sizes [b2.Max]byte
}

func F(t *T, at Time) (lib.Set[int], error) { unneeded.X(); return nil, nil }

func Inferred() {}

type Numbered struct { c.Has; lib.Twice; ID c.ID }

var Value, Err = deep.Default().Do(nil, nil)
-- main/a/a_linux.go --
package a

var System = "linux"
-- main/a/a_windows.go --
package a

var System = 1
-- main/a/tagged.go --
//go:build special && !ignore

package a

type Special chan<- int
-- main/a/old.go --
//go:build !go1.20

package a

var System = 'a'
-- main/a/a_test.go --
package a

func Test() {}
-- main/a/doc_ignored.go --
//go:build ignore

package nothing
-- main/a/testdata/x.go --
package x
-- main/b/b.go --
package b

import "unsafe"

type Kind string

const Max = unsafe.Sizeof(uintptr(0)) * 2

func (Kind) String() string { return "}" }
-- main/unneeded/u.go --
package unneeded

import "example.com/main/unneeded/further"

func X() { further.X() }

func Y(further.Y) {}
-- main/unneeded/further/f.go --
package further

type Y struct{ y *Y }

func X() {}
-- main/cgo/cgo.go --
package cgo

// int n;
import "C"

import "errors"

func Get() int { return int(C.n) }

var Err = errors.ErrUnsupported
-- main/experiment/e.go --
package experiment

import "sync/atomic"

var N atomic.Int64
-- main/experiment/on.go --
//go:build goexperiment.none

package experiment

var On bool
-- main/nested/go.mod --
module example.com/nested

go 1.26
-- main/nested/n.go --
package nested
-- main/.hidden/h.go --
package hidden
`

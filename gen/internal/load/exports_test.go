package load

import (
	"context"
	"fmt"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func Example_exports() {
	ctx := context.Background()
	env, err := ReadEnv(ctx, ".")
	if err != nil {
		log.Fatal(err)
	}
	set, err := openModules(env, "", nil)
	if err != nil {
		log.Fatal(err)
	}
	store := newExportStore(set, ".", token.NewFileSet())
	if _, err := store.prepare(ctx, []string{"io", "strings"}); err != nil {
		log.Fatal(err)
	}
	p, err := store.importPackage(ctx, "io")
	fmt.Println(p.Scope().Lookup("EOF"), err, store.infoOf("strings").Name)
	// Output: var io.EOF error <nil> strings
}

// user has a module, a cache, and a go command that can be disabled.
type user struct {
	*testing.T
	dir, cache string
	env        Env
}

func newUser(t *testing.T) *user {
	u := &user{T: t, dir: t.TempDir(), cache: t.TempDir()}
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	u.write("go.mod", "module example.com/m\n\ngo 1.26\n")
	env, err := ReadEnv(t.Context(), u.dir)
	if err != nil {
		t.Fatal(err)
	}
	u.env = env
	t.Setenv("GOCACHE", t.TempDir()) // the go command is not needed
	t.Setenv("XDG_CACHE_HOME", u.cache)
	return u
}

func (u *user) write(name, text string) {
	if err := os.WriteFile(filepath.Join(u.dir, name), []byte(text), 0o666); err != nil {
		u.Fatal(err)
	}
}

// reader imports io and returns a description of its Reader.
func (u *user) reader(tags string) string {
	u.Helper()
	set, err := openModules(u.env, tags, nil)
	if err != nil {
		u.Fatal(err)
	}
	p, err := newExportStore(set, u.dir, token.NewFileSet()).importPackage(u.Context(), "io")
	if err != nil {
		return err.Error()
	}
	return p.Scope().Lookup("Reader").String()
}

const readerModule = "type io.Reader interface{Read(p []byte) (n int, err error)}"

// kept reports whether io comes from the cache, because the go command is disabled.
func (u *user) kept(tags string) bool {
	u.Helper()
	path := os.Getenv("PATH")
	u.Setenv("PATH", "")
	defer u.Setenv("PATH", path)
	switch got := u.reader(tags); {
	case got == readerModule:
		return true
	case !strings.Contains(got, "executable file not found"):
		u.Errorf("the type is %s", got)
	}
	return false
}

func (u *user) files() []string {
	files, err := filepath.Glob(filepath.Join(u.cache, "aiongen", "exports", "*", "*"))
	if err != nil || len(files) != 2 {
		u.Fatalf("there are %q: %v", files, err)
	}
	return files
}

// TestKept checks that cached data is used only for the same module, settings and toolchain.
func TestKept(t *testing.T) {
	u := newUser(t)
	if u.kept("") || u.reader("") != readerModule || !u.kept("") {
		t.Error("it is not kept")
	}
	if u.kept("tag") {
		t.Error("it is kept for another tag")
	}
	for _, name := range []string{"GOVERSION", "GOEXPERIMENT", "CGO_ENABLED", "GOOS", "GOAMD64", "GODEBUG", "GOROOT"} {
		before := u.env[name]
		u.env[name] = before + "9"
		if u.kept("") {
			t.Errorf("it is kept for another %s", name)
		}
		u.env[name] = before
	}
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.25\n", "go.sum": "example.com/n v1.0.0 h1:x=\n"} {
		before, err := os.ReadFile(filepath.Join(u.dir, name))
		u.write(name, text)
		if u.kept("") {
			t.Errorf("it is kept for another %s", name)
		}
		if u.write(name, string(before)); err != nil {
			os.Remove(filepath.Join(u.dir, name))
		}
	}
	if !u.kept("") {
		t.Error("it is lost")
	}
}

// TestBrokenCache checks that a damaged cache file is ignored and written again.
func TestBrokenCache(t *testing.T) {
	u := newUser(t)
	u.reader("")
	for name, broken := range map[string]func(content, other []byte) []byte{
		"a bit":       func(content, _ []byte) []byte { content[len(content)/2] ^= 1; return content },
		"the sum":     func(content, _ []byte) []byte { content[0] ^= 1; return content },
		"the end":     func(content, _ []byte) []byte { return content[:len(content)-1] },
		"all":         func(content, _ []byte) []byte { return nil },
		"more":        func(content, _ []byte) []byte { return append(content, 0) },
		"the place":   func(_, other []byte) []byte { return other },
		"its content": func(content, _ []byte) []byte { return content[:32] },
	} {
		files := u.files()
		var contents [][]byte
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			contents = append(contents, content)
		}
		for i, file := range files {
			if err := os.WriteFile(file, broken(append([]byte(nil), contents[i]...), contents[1-i]), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if u.kept("") {
			t.Errorf("it is kept without %s", name)
		}
		if u.reader("") != readerModule || !u.kept("") {
			t.Errorf("without %s it is not written again", name)
		}
	}
}

// TestNoCache checks that a cache that cannot be written is not an error.
func TestNoCache(t *testing.T) {
	u := newUser(t)
	file := filepath.Join(u.cache, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, "relative", filepath.Join(file, "below")} {
		t.Setenv("XDG_CACHE_HOME", dir)
		if got := u.reader(""); got != readerModule {
			t.Errorf("with the cache %s: %s", dir, got)
		}
	}
}

// TestMissing checks that the go command's message about a missing import is reported, and that
// nothing is cached.
func TestMissing(t *testing.T) {
	u := newUser(t)
	set, err := openModules(u.env, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	store := newExportStore(set, u.dir, token.NewFileSet())
	for path, want := range map[string]string{
		"nosuchpackage": "is not in std", "example.org/x/y": "no required module provides package example.org/x/y", "./x": "was not found", "a...": "was not found",
	} {
		if _, err := store.importPackage(t.Context(), path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := os.Stat(filepath.Join(u.cache, "aiongen")); err == nil {
		t.Error("something is kept")
	}
}

package output

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/aion/diag"
)

func write(t *testing.T, dir string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWhileRunning checks that a file that may have changed after it was read, and a generated file
// that the run did not write, are not recorded as those of the run.
func TestWhileRunning(t *testing.T) {
	out := filepath.Join("m", "a.aion.go")
	for name, meanwhile := range map[string]func(dir string){
		"an edit":        func(dir string) { write(t, dir, "m/a.aion", "[ ]") },
		"to and fro":     func(dir string) { write(t, dir, "m/a.aion", "[ ]"); write(t, dir, "m/a.aion", "[]") },
		"a new file":     func(dir string) { write(t, dir, "m/b.go", "package m\n") },
		"a new go.mod":   func(dir string) { write(t, dir, "m/go.mod", "module n\n") },
		"another output": func(dir string) { write(t, dir, out, "package n\n") },
		"what was left":  func(dir string) { write(t, dir, "m/.aiongen-0123456789abcdef", "") },
	} {
		dir := t.TempDir()
		cfg := RunConfig{Folder: t.TempDir(), Dir: filepath.Join(dir, "m"), Patterns: []string{"."}}
		write(t, dir, "m/go.mod", "module m\n", "m/a.go", "package m\n", "m/a.aion", "[]")
		if err := os.Chtimes(filepath.Join(dir, "m", "a.aion"), time.Time{}, time.Now().Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
		text := []byte("package m\n")
		generated := map[string][]byte{filepath.Join(dir, out): text}
		r := BeginRun(cfg)
		write(t, dir, out, string(text))
		meanwhile(dir)
		r.Save(generated, nil, nil, RunOutcome{})
		if _, ok := BeginRun(cfg).Outcome(); ok {
			t.Errorf("%s: not noticed", name)
		}
		write(t, dir, out, string(text))
		os.Remove(filepath.Join(dir, "m/.aiongen-0123456789abcdef"))
		BeginRun(cfg).Save(generated, nil, nil, RunOutcome{})
		if _, ok := BeginRun(cfg).Outcome(); !ok {
			t.Errorf("%s: the next run is not kept", name)
		}
	}
}

// TestFolder checks that the number of stored runs is limited, and that useful ones are kept.
func TestFolder(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "first", "") // and the oldest
	for i := range maxRecords + 3 {
		storeEntry{filepath.Join(folder, strconv.Itoa(i))}.writeRecord(runRecord{Proven: true, Items: map[inputItem]string{{fileContent, "x"}: ""}})
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) > maxRecords || len(entries) < maxRecords/2 {
		t.Errorf("%d records, %v", len(entries), err)
	}
	if _, err := os.Stat(filepath.Join(folder, "first")); err == nil {
		t.Error("the oldest is still there")
	}
	if last := (storeEntry{filepath.Join(folder, strconv.Itoa(maxRecords+2))}).readRecord(); !last.Proven {
		t.Error("the last is gone")
	}
	large := storeEntry{filepath.Join(folder, "large")}
	large.writeRecord(runRecord{Generated: map[string]string{strings.Repeat("x", maxRecord): ""}})
	if _, err := os.Stat(large.path); err == nil {
		t.Error("a large record was kept")
	}
}

// TestOutcome checks that every field of a diagnostic is stored, including fields that are added
// later.
func TestOutcome(t *testing.T) {
	var want RunOutcome
	n := 0
	fill(reflect.ValueOf(&want).Elem(), &n)
	for _, d := range want.Faults {
		d.Cause, d.Severity = nil, diag.Note
	}
	e := storeEntry{filepath.Join(t.TempDir(), "record")}
	e.writeRecord(runRecord{Outcome: want})
	if diff := cmp.Diff(want, e.readRecord().Outcome); diff != "" || n < 20 {
		t.Errorf("%d values filled in\n%s", n, diff)
	}
}

// fill sets every field to a unique value.
func fill(v reflect.Value, n *int) {
	switch *n++; v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.String:
		v.SetString(strconv.Itoa(*n))
	case reflect.Int:
		v.SetInt(int64(*n))
	case reflect.Bool:
		v.SetBool(true)
	}
}

// TestProgram compares the build ID with the one that the go command reports.
func TestProgram(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	want, err := exec.CommandContext(t.Context(), "go", "tool", "buildid", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := readProgramID(); got != string(bytes.TrimSpace(want)) || got == "" {
		t.Errorf("%q, want %q", got, want)
	}
	env, ok := readEnvironment()
	if !ok {
		t.Fatal("no environment")
	}
	one := newStoreEntry(RunConfig{}, env)
	env.Program += "x"
	if one == newStoreEntry(RunConfig{}, env) {
		t.Error("another build of aiongen is taken for this one")
	}
}

// TestBuildID finds build IDs in the headers of files in several formats.
func TestBuildID(t *testing.T) {
	for head, want := range map[string]string{
		"": "", "\x7fELF": "",
		"\x7fELF....\x04\x00\x00\x00\x05\x00\x00\x00\x04\x00\x00\x00Go\x00\x00a/b-c\x00": "a/b-c",
		"\x7fELF....\x04\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00Go\x00\x00\x00":      "", // -buildid=
		"\x7fELF....\x04\x00\x00\x00\xff\xff\xff\xff\x04\x00\x00\x00Go\x00\x00a":         "",
		"\xcf\xfa\xed\xfe....\xff Go build ID: \"a/b\"\n \xff....":                       "a/b",
		"\xcf\xfa\xed\xfe....\xff Go build ID: \"a/b":                                    "",
	} {
		if got := findBuildID([]byte(head)); got != want {
			t.Errorf("%q: %q, want %q", head, got, want)
		}
	}
}

// TestSettings checks that settings have the same precedence as for the go command, and that
// unsupported ones are recognized.
func TestSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "env")
	write(t, filepath.Dir(file), "env", "GOFLAGS=-tags=x\nGOWORK=off\n# comment\n")
	t.Setenv("GOENV", file)
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "/w/go.work")
	env, ok := readEnvironment()
	if !ok || env.readSetting("GOFLAGS") != "-tags=x" || env.readSetting("GOWORK") != "/w/go.work" || env.readSetting("GONONE") != "" {
		t.Errorf("%v %+v", ok, env)
	}
	for flags, plain := range map[string]bool{
		"-mod=mod -tags=a,b": true, "--mod=vendor": true, "-modfile=other.mod": false, "-overlay=o.json": false, "'-tags=a b'": false, "-mod=other": false, "-toolexec=x": false,
	} {
		t.Setenv("GOFLAGS", flags)
		if _, ok := readEnvironment(); ok != plain {
			t.Errorf("GOFLAGS=%s: %v", flags, ok)
		}
	}
}

// TestCompilers checks that a C compiler that disappears is noticed even if another one is left,
// because the go command looks for a specific one.
func TestCompilers(t *testing.T) {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	write(t, bin, "gcc", "#!/bin/sh\n", "clang", "#!/bin/sh\n")
	for _, name := range []string{"gcc", "clang"} {
		if err := os.Chmod(filepath.Join(bin, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(goCommand, filepath.Join(bin, "go")); err != nil {
		t.Skip(err)
	}
	t.Setenv("PATH", bin)
	t.Setenv("CC", "")
	before, ok := readEnvironment()
	again, _ := readEnvironment()
	if err := os.Remove(filepath.Join(bin, "gcc")); err != nil {
		t.Fatal(err)
	}
	after, _ := readEnvironment()
	if !ok || !reflect.DeepEqual(before, again) || reflect.DeepEqual(before, after) {
		t.Errorf("%v, %v: %v", ok, before.Compilers, after.Compilers)
	}
}

package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

func TestCycle(t *testing.T) {
	for _, tt := range []struct {
		name  string
		calls map[string]map[string]bool
		want  int
	}{
		{"a line", map[string]map[string]bool{"a": {"b": true}, "b": {"c": true}, "c": {}}, 1},
		{"two circles", map[string]map[string]bool{"a": {"b": true}, "b": {"a": true, "c": true}, "c": {"d": true}, "d": {"e": true}, "e": {"c": true}}, 3},
		{"through one", map[string]map[string]bool{"a": {"hub": true}, "b": {"hub": true}, "hub": {"a": true, "b": true}}, 3},
	} {
		if got := len(findCycle(tt.calls)); got != tt.want {
			t.Errorf("%s: %d files in a cycle, want %d", tt.name, got, tt.want)
		}
	}
}

func TestCount(t *testing.T) {
	const text = "// Package p is one.\npackage p\n\nvar x = `a\n\nb` // a raw string\n\n/* of\ntwo */\nfunc f() {} // code\n"
	file := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()

	f, err := parser.ParseFile(fset, file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if code, comment := countLines(fset, f); code != 5 || comment != 3 {
		t.Errorf("%d lines of code and %d of comments, want 5 and 3", code, comment)
	}
}

func TestRecorded(t *testing.T) {
	commit, then := parseRecord(recordedFigures)
	if commit == "" {
		t.Error("there is no commit")
	}
	for _, f := range append(figures, measuredFigures...) {
		if then[f.name] == "" {
			t.Errorf("nothing is recorded of %s", f.name)
		}
		delete(then, f.name)
	}
	for name := range then {
		t.Errorf("there is no figure %q", name)
	}
}

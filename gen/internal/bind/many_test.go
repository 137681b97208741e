package bind_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/bind"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// BenchmarkBind binds 1000 tools in a package that is loaded, and has said nothing of
// its source yet.
func BenchmarkBind(b *testing.B) {
	pkg, doc, target := many(b, 1000, 0)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, faults := bind.Bind(pkg, []*aion.Document{doc}, target); faults.Err() != nil {
			b.Fatal(faults)
		}
	}
}

// TestMany binds so many tools that schemas are written side by side, half of them with
// one type, which holds itself. Nothing hangs on which is first.
func TestMany(t *testing.T) {
	pkg, doc, target := many(t, 100, 100)
	want, wantBound, wantFaults := bind.Bind(pkg, []*aion.Document{doc}, target)
	if err := wantFaults.Err(); err != nil {
		t.Fatal(err)
	}
	if last := want.Tools()[199]; strings.Count(last.Input, "$ref") != 3 || strings.Count(last.Output, "$ref") != 2 {
		t.Fatalf("%s\n%s", last.Input, last.Output)
	}
	for range 3 {
		got, bound, faults := bind.Bind(pkg, []*aion.Document{doc}, target)
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(bound, wantBound) || !reflect.DeepEqual(faults, wantFaults) {
			t.Fatal("the same document is bound differently")
		}
	}
}

// many is a package that is loaded, and a document on it: some tools with a struct, an
// enum and a list of their own, and others that take the same.
func many(tb testing.TB, own, shared int) (*load.Package, *aion.Document, gotype.Target) {
	tb.Helper()
	code, notation := strings.Builder{}, strings.Builder{}
	code.WriteString("package many\n\nimport \"context\"\n\ntype Node struct{ Next []Node }\n\n// Last finds the last node.\nfunc Last(from, to Node) (Node, error) { return to, nil }\n")
	notation.WriteString("[\n")
	for i := range own {
		fmt.Fprintf(&code, `
// Kind%[1]d is a kind.
type Kind%[1]d string

// The kinds.
const (
	First%[1]d  Kind%[1]d = "first"  // comes first
	Second%[1]d Kind%[1]d = "second" // comes second
)

// Item%[1]d is an item.
type Item%[1]d struct {
	ID   int      `+"`json:\"id\"`"+`             // number of the item
	Kind Kind%[1]d    `+"`json:\"kind\"`"+`           // what it is
	Tags []string `+"`json:\"tags,omitempty\"`"+` // labels
}

// Find%[1]d finds items.
func Find%[1]d(ctx context.Context, words string, limit int, like Item%[1]d) ([]Item%[1]d, error) { return nil, nil }
`, i)
		fmt.Fprintf(&notation, `  { name --> "find_%[1]d", function --> "Find%[1]d" --> {
      arg-1 --> "string (what to look for)", arg-2 --> "int | min=1 | max=100 | default=10", arg-3 --> "dict (an example)",
      return-1 --> "list (what was found)"
    }
  },
`, i)
	}
	for i := range shared {
		fmt.Fprintf(&notation, "  { name --> \"last_%d\", function --> \"Last\" --> {} },\n", i)
	}
	notation.WriteString("]\n")
	dir := tb.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/many\n\ngo 1.26\n", "many.go": code.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			tb.Fatal(err)
		}
	}
	cfg := load.Config{Dir: dir, Generated: func(string) bool { return false }}
	pkgs, err := load.Find(tb.Context(), cfg, ".")
	if err == nil {
		err = load.Check(tb.Context(), cfg, pkgs...)
	}
	if err != nil {
		tb.Fatal(err)
	}
	doc, faults := aion.Parse("many.aion", []byte(notation.String()))
	if err := faults.Err(); err != nil {
		tb.Fatal(err)
	}
	return pkgs[0], doc, gotype.Target{Path: pkgs[0].Path, Name: pkgs[0].Name, Declared: pkgs[0].Scope(cfg).Declared}
}

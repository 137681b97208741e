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
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// BenchmarkBind binds 1000 tools in a loaded package whose documentation was not read yet.
func BenchmarkBind(b *testing.B) {
	pkg, doc, target := newScalePackage(b, 1000, 0)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, faults := bind.Bind(nil, pkg, source.NewDocReader(pkg), []*aion.Document{doc}, target); faults.Err() != nil {
			b.Fatal(faults)
		}
	}
}

// TestConcurrentSchemas binds so many tools that their schemas are written concurrently, half
// of them with the same recursive type. The result does not depend on the order.
func TestConcurrentSchemas(t *testing.T) {
	pkg, doc, target := newScalePackage(t, 100, 100)
	want, wantBound, wantFaults := bind.Bind(nil, pkg, source.NewDocReader(pkg), []*aion.Document{doc}, target)
	if err := wantFaults.Err(); err != nil {
		t.Fatal(err)
	}
	if last := want.Tools()[199]; strings.Count(last.Input, "$ref") != 3 || strings.Count(last.Output, "$ref") != 2 {
		t.Fatalf("%s\n%s", last.Input, last.Output)
	}
	for range 3 {
		got, bound, faults := bind.Bind(nil, pkg, source.NewDocReader(pkg), []*aion.Document{doc}, target)
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(bound, wantBound) || !reflect.DeepEqual(faults, wantFaults) {
			t.Fatal("the same document is bound differently")
		}
	}
}

// newScalePackage returns a loaded package and a document with tools that have their own
// types and tools that share a type.
func newScalePackage(tb testing.TB, own, shared int) (*load.Package, *aion.Document, shape.Target) {
	tb.Helper()
	code, notation := strings.Builder{}, strings.Builder{}
	code.WriteString("package many\n\ntype Node struct{ Next []Node }\n\n// Last finds the last node.\nfunc Last(from, to Node) (Node, error) { return to, nil }\n")
	notation.WriteString("[\n")
	for i := range own {
		fmt.Fprintf(&code, `
// Colour%[1]d is one of two.
type Colour%[1]d string

const Red%[1]d, Blue%[1]d Colour%[1]d = "red", "blue"

// Part%[1]d is a part.
type Part%[1]d struct {
	Name   string
	Colour Colour%[1]d
	Words  map[string][]string
}

// Paint%[1]d paints parts.
func Paint%[1]d(part Part%[1]d, times int) ([]Part%[1]d, error) { return nil, nil }
`, i)
		fmt.Fprintf(&notation, "  { name --> \"paint_%[1]d\", function --> \"Paint%[1]d\" --> { arg-1 --> \"dict (the part)\", arg-2 --> \"int | min=1\" } },\n", i)
	}
	for i := range shared {
		fmt.Fprintf(&notation, "  { name --> \"last_%d\", function --> \"Last\" --> {} },\n", i)
	}
	notation.WriteString("]\n")
	pkg, cfg := loadPackage(tb, code.String())
	doc, faults := aion.Parse("many.aion", []byte(notation.String()))
	if err := faults.Err(); err != nil {
		tb.Fatal(err)
	}
	return pkg, doc, shape.Target{Path: pkg.Path, Name: pkg.Name, Declared: pkg.Scope(cfg).Declared}
}

// loadPackage loads a package with one file in its own module.
func loadPackage(tb testing.TB, code string) (*load.Package, load.Config) {
	tb.Helper()
	dir := tb.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "m.go": code} {
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
	return pkgs[0], cfg
}

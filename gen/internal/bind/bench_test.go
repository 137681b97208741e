package bind_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/bind"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// BenchmarkBind binds 1000 tools, each with a struct, an enum and a list of its own,
// in a package that is loaded, and has said nothing of its source yet.
func BenchmarkBind(b *testing.B) {
	code, notation := strings.Builder{}, strings.Builder{}
	code.WriteString("package many\n\nimport \"context\"\n")
	notation.WriteString("[\n")
	for i := range 1000 {
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
	notation.WriteString("]\n")
	dir := b.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/many\n\ngo 1.26\n", "many.go": code.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	cfg := load.Config{Dir: dir, Generated: func(string) bool { return false }}
	pkgs, err := load.Find(b.Context(), cfg, ".")
	if err == nil {
		err = load.Check(b.Context(), cfg, pkgs...)
	}
	if err != nil {
		b.Fatal(err)
	}
	doc, faults := aion.Parse("many.aion", []byte(notation.String()))
	if err := faults.Err(); err != nil {
		b.Fatal(err)
	}
	target := gotype.Target{Path: pkgs[0].Path, Name: pkgs[0].Name, Declared: pkgs[0].Scope(cfg).Declared}
	b.ReportAllocs()
	for b.Loop() {
		if _, _, faults := bind.Bind(pkgs[0], []*aion.Document{doc}, target); faults.Err() != nil {
			b.Fatal(faults)
		}
	}
}

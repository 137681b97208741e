package gen_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen"
)

// BenchmarkGenerate compiles packages of as many tools, each with a struct, an
// enum and a list, from parsing to printing; nothing is written. Its floor is
// what the go command takes to list such a package.
func BenchmarkGenerate(b *testing.B) {
	for _, n := range []int{10, 1000} {
		dir := manyTools(b, n)
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			for b.Loop() {
				if result, faults := gen.Generate(b.Context(), gen.Config{Dir: dir}); faults.Err() != nil || len(result.Changes) != 2 {
					b.Fatal(len(result.Changes), faults.Err())
				}
			}
		})
		b.Run(fmt.Sprintf("tools=%d/go_list", n), func(b *testing.B) {
			for b.Loop() {
				list := exec.CommandContext(b.Context(), "go", "list", "-json", ".")
				list.Dir = dir
				if err := list.Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// manyTools writes a package with n tools.
func manyTools(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	var code, notation strings.Builder
	code.WriteString("package many\n\nimport (\n\t\"context\"\n\t\"encoding/json\"\n\t\"net/http\"\n)\n\nvar _ http.Handler\nvar _ json.Marshaler\n")
	notation.WriteString("[\n")
	for i := range n {
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
	for name, text := range map[string]string{"go.mod": "module example.com/many\n\ngo 1.26\n", "many.go": code.String(), "many.aion": notation.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

// BenchmarkSession compiles a package of 200 tools again after an edit of a file.
func BenchmarkSession(b *testing.B) {
	for _, edited := range []string{"many.aion", "many.go"} {
		b.Run("edited="+edited, func(b *testing.B) {
			dir := manyTools(b, 200)
			path := filepath.Join(dir, edited)
			session := gen.NewSession(gen.Config{Dir: dir})
			for i := 0; b.Loop(); i++ {
				text, err := os.ReadFile(path)
				if err != nil {
					b.Fatal(err)
				}
				for _, way := range [][2]string{{"number of the item", "its number"}, {"an example", "such as"}} {
					from, to := way[i%2], way[1-i%2]
					text = []byte(strings.ReplaceAll(string(text), from, to))
				}
				if err := os.WriteFile(path, text, 0o666); err != nil {
					b.Fatal(err)
				}
				result, faults := session.Generate(b.Context())
				if faults.Err() != nil || len(result.Changes) == 0 {
					b.Fatal(len(result.Changes), faults.Err())
				}
				if err := result.Write(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

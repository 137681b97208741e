package lsp_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/aiongen/aiongen/gen"
)

// BenchmarkKeystroke edits a document of a module with 200 tools until the server publishes its
// diagnostics. It compares the median time with that of a gen.Session, without a server. The module
// may have other Go files.
func BenchmarkKeystroke(b *testing.B) {
	for _, bb := range []struct {
		name   string
		edit   [2]string
		others int
	}{
		{"a.aion", [2]string{"(what to look for, 7)", "(what to look for, seven)"}, 0},
		{"a.go", [2]string{"func Find7(", "func Find7x("}, 0},
		{"a.aion", [2]string{"(what to look for, 7)", "(what to look for, seven)"}, 10_000},
	} {
		b.Run(fmt.Sprintf("edited=%s/others=%d", bb.name, bb.others), func(b *testing.B) {
			name, edit := bb.name, bb.edit
			c := newClient(b, append(manyTools(200), otherFiles(bb.others)...))
			c.initialize([]string{"utf-8"}, ".")
			c.open("a.go")
			c.open("a.aion")
			c.currentDiagnostics("a.aion")
			session := gen.NewSession(gen.Config{Dir: c.dir, Patterns: []string{"./..."}})
			var server, alone []time.Duration
			for b.Loop() {
				edit[0], edit[1] = edit[1], edit[0]
				start := time.Now()
				c.edit(name, edit[1], edit[0])
				c.awaitDiagnostics("a.aion", strings.HasSuffix(edit[0], "x("))
				server = append(server, time.Since(start))

				start = time.Now()
				if err := session.Show(filepath.Join(c.dir, name), []byte(c.texts[name])); err != nil {
					b.Fatal(err)
				}
				session.Generate(b.Context())
				alone = append(alone, time.Since(start))
			}
			b.ReportMetric(float64(median(server).Microseconds())/1000, "server-ms")
			b.ReportMetric(float64(median(alone).Microseconds())/1000, "session-ms")
			b.ReportMetric(float64(median(server))/float64(median(alone)), "ratio")
		})
	}
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// awaitDiagnostics reads messages until the server has published errors in a document, or none, after
// its last change.
func (c *client) awaitDiagnostics(name string, errors bool) {
	c.Helper()
	for {
		var p struct {
			Version     int
			Diagnostics []struct{ Severity int }
		}
		if err := json.Unmarshal(c.diagnostics[c.uri(name)], &p); err != nil {
			c.Fatal(err)
		}
		hasErrors := slices.ContainsFunc(p.Diagnostics, func(d struct{ Severity int }) bool { return d.Severity == 1 })
		if p.Version == c.versions[name] && hasErrors == errors {
			return
		}
		c.read()
	}
}

// otherFiles returns n Go files without tools, 20 in each package.
func otherFiles(n int) (files []txtar.File) {
	for i := range n {
		text := fmt.Sprintf("package p%d\n\nimport \"fmt\"\n\nfunc F%d() { fmt.Println() }\n", i/20, i)
		files = append(files, txtar.File{Name: fmt.Sprintf("other/p%d/f%d.go", i/20, i), Data: []byte(text)})
	}
	return files
}

// manyTools returns a module with n tools.
func manyTools(n int) []txtar.File {
	var code, notation strings.Builder
	code.WriteString("package many\n\nimport \"context\"\n")
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
	ID   int      `+"`json:\"id\"`"+` // number of the item
	Kind Kind%[1]d    `+"`json:\"kind\"`"+`
	Tags []string `+"`json:\"tags,omitempty\"`"+` // labels
}

// Find%[1]d finds items.
func Find%[1]d(ctx context.Context, words string, limit int, like Item%[1]d) ([]Item%[1]d, error) { return nil, nil }
`, i)
		fmt.Fprintf(&notation, `  { name --> "find_%[1]d", function --> "Find%[1]d" --> {
      arg-1 --> "string (what to look for, %[1]d)", arg-2 --> "int | min=1 | default=10", arg-3 --> "dict", return-1 --> "list (what was found)"
    }
  },
`, i)
	}
	notation.WriteString("]\n")
	return []txtar.File{
		{Name: "go.mod", Data: []byte("module example.com/many\n\ngo 1.26\n")},
		{Name: "a.go", Data: []byte(code.String())},
		{Name: "a.aion", Data: []byte(notation.String())},
	}
}

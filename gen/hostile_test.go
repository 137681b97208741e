package gen

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/budget"
	"github.com/aiongen/aiongen/runtime/schema"
)

// writeFiles writes the files of a module called example.com/m to a new directory.
func writeFiles(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// oneTool is notation with one tool for the function F.
const oneTool = `[ { name --> "f", description --> "d", function --> "F" --> {} } ]`

// compileOne compiles a package with one tool and the given Go source.
func compileOne(t testing.TB, source string) (*Session, diag.List) {
	t.Helper()
	dir := writeFiles(t, map[string]string{"m.go": "package m\n\n" + source + "\n", "m.aion": oneTool})
	s := NewSession(Config{Dir: dir, Lint: schema.Targets()})
	_, faults := s.Generate(t.Context())
	return s, faults
}

// recursiveTypes declare a type R that contains itself.
var recursiveTypes = map[string]string{
	"map":             "type R map[string]R",
	"slice":           "type R []R",
	"pointers":        "type R []*R",
	"array":           "type R [1]*R",
	"map of slices":   "type R map[string][]R",
	"two types":       "type R map[string]S\ntype S []*R",
	"generic":         "type G[T any] []G[T]\ntype R = G[int]",
	"generic struct":  "type G[K comparable, V any] struct { Key K; Kids []G[K, V]; Other *G[V, K] }\ntype R = G[int, string]",
	"permuted":        "type G[A, B, C any] struct { A A; Next *G[B, C, A] }\ntype R = G[int, string, bool]",
	"alias":           "type R struct { Kids L }\ntype L = []R",
	"struct":          "type R struct { Next *R; Kids map[string][]R }",
	"embedded":        "type R struct { *R; N int }",
	"embedded by two": "type R struct { *S; N int }\ntype S struct { *R; M int }",
	"with reference":  "type R struct { N int; W interface{ Write([]byte) (int, error) }; Kids []R }",
	"constraint":      "type G[T interface{ ~[]T }] struct { A T }\ntype S []S\ntype R = G[S]",
	"function":        "type R func(R) R",
	"channel":         "type R chan R",
	"interface":       "type R interface { M(R) R }",
	"struct of func":  "type R struct { F func(R) R; C chan R; N int }",
	"list of refs":    "type I interface { M() }\ntype R struct { I I `json:\"i\"`; Kids []*R `json:\"kids\"` }",
	"map keys":        "type K string\ntype R map[K]map[int]R",
	"optional":        "type R struct { Next **R; Kids *[]*R; M *map[string]*R }",
	"text":            "type R []byte\nfunc (R) MarshalText() ([]byte, error) { return nil, nil }\nfunc (*R) UnmarshalText([]byte) error { return nil }",
	"untold":          "type U struct{}\nfunc (*U) UnmarshalJSON([]byte) error { return nil }\ntype R struct { U U; Kids []R }",
	"unnamed":         "type R struct { N int; D struct { *R } }",
	"unnamed list":    "type R struct { N int; D []struct { *R; M int } }",
	"unnamed alias":   "type R = struct { X *N; Y *U }\ntype N struct { U *U; N int }\ntype U struct { R *R; N int }",
	"web":             "type R struct { S []S; T map[string]T }\ntype S struct { R *R; T []*T }\ntype T struct { R []R; S *S }",
}

// TestRecursiveTypes uses recursive types wherever a tool can have a type. In earlier versions, each
// place caused an endless loop.
func TestRecursiveTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	places := map[string]string{
		"parameter": "func F(r R) {}",
		"result":    "func F() R { panic(0) }",
		"both":      "func F(n int, r R) (R, error) { panic(0) }",
		"elements":  "func F(a []R, b map[string]R, c *R, d [2]R, e ...R) ([]R, map[string]R) { panic(0) }",
		"field":     "type Q struct { A R; B []R; C map[string]R; D *R }\nfunc F(q Q) Q { panic(0) }",
		"literal":   "func F(q struct { A R; B struct { C []R } }) {}",
		"argument":  "type Q[T any] struct { A T }\nfunc F(q Q[R]) Q[[]R] { panic(0) }",
		"receiver":  "type Q struct { R R }\nvar F = new(Q).M\nfunc (*Q) M(r R) R { return r }",
	}
	files := map[string]string{}
	for kind, declaration := range recursiveTypes {
		for place, function := range places {
			name := strings.ReplaceAll(kind, " ", "_") + "/" + place
			files[name+"/m.go"] = "package m\n\n" + declaration + "\n\n" + function + "\n"
			files[name+"/m.aion"] = oneTool
		}
	}
	t.Chdir(writeFiles(t, files))
	all := Config{Patterns: []string{"./..."}, Lint: schema.Targets()}
	_, generated := Generate(t.Context(), all)
	_, listed := Tools(t.Context(), all)
	_, fixed, _ := Fix(t.Context(), all)
	found := slices.Concat(generated, listed, fixed)
	for kind := range recursiveTypes {
		_, faults := New(t.Context(), NewConfig{Package: "./" + strings.ReplaceAll(kind, " ", "_") + "/field", All: true})
		found = append(found, faults...)
	}
	for _, d := range found {
		if d.Severity == diag.Error {
			t.Error(d)
		}
	}
}

// TestNotesOnRecursiveTypes applies the options of notes to recursive types.
func TestNotesOnRecursiveTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	files := map[string]string{}
	for kind, declaration := range recursiveTypes {
		package_ := strings.ReplaceAll(kind, " ", "")
		files[package_+"/m.go"] = "package m\n\n" + declaration + "\n\nfunc F(a, b R) (R, R) { panic(0) }\n"
		var elements []string
		for _, note := range []string{"any | text", "any | ref", "any | only=x", "any | omit=kids.x", "any | only=**.x", "list | min=1", "dict | optional", "list[list[list[int]]]", "dict[string, list[R]]", "[]R", "int", "any | default=[]", "any | required=kids.kids"} {
			elements = append(elements, `{ name --> "f`+strings.Repeat("x", len(elements))+`", description --> "d", function --> "F" --> { arg-1 --> "`+note+`", arg-2 --> "any", return-1 --> "`+note+`", return-2 --> "any" } }`)
		}
		files[package_+"/m.aion"] = "[\n" + strings.Join(elements, ",\n") + "\n]\n"
	}
	_, faults := Generate(t.Context(), Config{Dir: writeFiles(t, files), Patterns: []string{"./..."}})
	for _, d := range faults {
		if d.Code == "internal" || d.Code == "over-budget" {
			t.Error(d)
		}
	}
	if faults.Err() == nil {
		t.Error("all notes fit")
	}
}

// TestInstantiationCycles checks that generic types which contain ever larger instances of
// themselves are reported with the error of the type checker.
func TestInstantiationCycles(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	for name, declaration := range map[string]string{
		"pointer":   "type R[T any] struct { V T; A *R[[]T] }",
		"only":      "type R[T any] struct { A *R[[]T] }",
		"two types": "type R[T any] struct { V T; A *S[T] }\ntype S[T any] struct { A *R[P[T, T]] }\ntype P[A, B any] struct { X A }",
		"slice":     "type R[T any] []R[[]T]",
		"map":       "type R[T any] map[string]R[*T]",
		"embedded":  "type R[T any] struct { *R[[]T] }",
		"interface": "type R[T any] interface { M() R[[]T] }",
		"function":  "type R[T any] func(R[func(T)])",
		"doubled":   "type R[T any] struct { A *R[P[T, T]] }\ntype P[A, B any] struct { X A; Y B }",
		"method":    "type R[T any] struct { V T }\nfunc (R[T]) M() R[[]T] { panic(0) }",
	} {
		for _, function := range []string{"func F(n int, r R[int]) {}", "func F() R[int] { panic(0) }", "type Q struct { R *R[string]; N int }\nfunc F(q Q) Q { panic(0) }"} {
			_, faults := compileOne(t, declaration+"\n\n"+function)
			told := false
			for _, d := range faults {
				for _, related := range d.Related {
					told = told || strings.Contains(related.Message, "instantiation cycle")
				}
				if d.Code == "internal" {
					t.Errorf("%s: %v", name, d)
				}
			}
			if faults.Err() == nil || !told {
				t.Errorf("%s: the cycle is not told: %v in %s", name, faults, function)
			}
		}
	}
}

// nest nests text in the given number of pairs.
func nest(before, inner, after string, depth int) string {
	return strings.Repeat(before, depth) + inner + strings.Repeat(after, depth)
}

// deepTypes are the ways in which types can be nested.
var deepTypes = map[string][2]string{
	"struct": {"struct{ A ", "}"}, "slice": {"[]", ""}, "pointer": {"*", ""}, "array": {"[1]", ""}, "map": {"map[string]", ""},
	"function": {"func(", ")"}, "channel": {"chan ", ""}, "instance": {"G[", "]"}, "interface": {"interface{ M() ", "}"},
}

// TestDeepTypes checks that types which are nested too deeply, in function literals and in functions,
// are refused in few steps, and that types within the limit are accepted.
func TestDeepTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	for name, around := range deepTypes {
		for _, depth := range []int{budget.MaxDepth/2 - 4, 500, 20_000} {
			deep := nest(around[0], "int", around[1], depth)
			for place, files := range map[string]map[string]string{
				"literal":   {"m.go": "package m\n\ntype G[T any] struct { A T }\n", "m.aion": strings.Replace(oneTool, `"F"`, `"func(a `+deep+`) int { return 1 }"`, 1)},
				"parameter": {"m.go": "package m\n\ntype G[T any] struct { A T }\n\nfunc F(a " + deep + ") int { return 1 }\n", "m.aion": oneTool},
				"result":    {"m.go": "package m\n\ntype G[T any] struct { A T }\n\nfunc F() (r " + deep + ") { return r }\n", "m.aion": oneTool},
				"type":      {"m.go": "package m\n\ntype G[T any] struct { A T }\n\ntype D " + deep + "\n\nfunc F(d D, e []D) D { return d }\n", "m.aion": oneTool},
				"note":      {"m.go": "package m\n\ntype G[T any] struct { A T }\n\nfunc F(d any) {}\n", "m.aion": strings.Replace(oneTool, "{}", `{ arg-1 --> "`+deep+`" }`, 1)},
			} {
				s := NewSession(Config{Dir: writeFiles(t, files)})
				_, faults := s.Generate(t.Context())
				if depth > budget.MaxDepth == (faults.Err() == nil) && place != "note" {
					t.Errorf("%s as %s, depth %d: %v", name, place, depth, faults)
				}
				if used := s.last.sources[0].Budget.Usage(); used[budget.Steps] > budget.MaxSteps/50 {
					t.Errorf("%s as %s, depth %d: %d steps", name, place, depth, used[budget.Steps])
				}
				for _, d := range faults {
					if d.Code == "internal" {
						t.Error(d)
					}
				}
			}
		}
	}
}

// joinNumbers returns the texts for all numbers below n, joined.
func joinNumbers(n int, text func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(text(i))
	}
	return b.String()
}

// largeSources are Go sources whose size depends on a number.
var largeSources = map[string]func(n int) string{
	"fields": func(n int) string {
		return "type R struct {\n" + joinNumbers(n, func(i int) string { return fmt.Sprintf("\tF%d int\n", i) }) + "}\n\nfunc F(r R) R { return r }"
	},
	"parameters": func(n int) string {
		return "func F(" + joinNumbers(n, func(i int) string { return fmt.Sprintf("a%d int, ", i) }) + ") {}"
	},
	"constants": func(n int) string {
		return "type R int\n\nconst (\n" + joinNumbers(n, func(i int) string { return fmt.Sprintf("\tR%d R = %d\n", i, i) }) + ")\n\nfunc F(r R) R { return r }"
	},
	"chain": func(n int) string {
		return joinNumbers(n, func(i int) string { return fmt.Sprintf("type T%d struct { A *T%d; N int }\n", i, i+1) }) + fmt.Sprintf("type T%d int\n\nfunc F(t T0) T0 { return t }", n)
	},
	"web": func(n int) string {
		return joinNumbers(n, func(i int) string {
			return fmt.Sprintf("type T%d struct { A *T%d; B []T%d; N int }\n", i, (i+1)%n, (i*7+3)%n)
		}) + "\nfunc F(t T0) T0 { return t }"
	},
	"array": func(n int) string { return fmt.Sprintf("func F(r [%d]int) [%d]string { panic(0) }", n, n) },
}

// TestLargeSources checks that doubling the source takes at most two and a half times the steps, as
// long as both are within the budget.
func TestLargeSources(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	for name, source := range largeSources {
		var steps []int64
		for _, n := range []int{100, 200} {
			s, faults := compileOne(t, source(n))
			if err := faults.Err(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			steps = append(steps, s.last.sources[0].Budget.Usage()[budget.Steps])
		}
		if steps[1] > steps[0]*5/2 {
			t.Errorf("%s: %d steps for the half, %d for all", name, steps[0], steps[1])
		}
	}
}

// TestOverBudget checks that a few lines of Go with very large types exceed the budget, and that this
// is reported at the tool.
func TestOverBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	doubling := func(format string) string {
		return joinNumbers(40, func(i int) string { return fmt.Sprintf(format, i, i+1, i+1) })
	}
	for name, source := range map[string]string{
		"instances": doubled() + "\nfunc F(r R) {}",
		"result":    doubled() + "\nfunc F() (R, error) { panic(0) }",
		"aliases":   doubling("type T%d = struct { A T%d; B T%d }\n") + "type T40 = int\n\nfunc F(t T0) {}",
		"injected":  "import \"context\"\n\n" + doubling("type T%d struct { A *T%d; B *T%d }\n") + "type T40 struct { C context.Context; N int }\n\nfunc F(t T0) {}",
		"embedding": joinNumbers(200, func(i int) string { return fmt.Sprintf("type T%d struct { *T%d; N%d int }\n", i, i+1, i) }) + "type T200 struct{}\n\nfunc F(t T0) {}",
		"fields":    largeSources["fields"](100_000),
	} {
		_, faults := compileOne(t, source)
		if len(faults) != 1 || faults[0].Code != "over-budget" || faults[0].Span.Start.Line != 1 || !strings.HasPrefix(faults[0].Message, "package example.com/m: ") {
			t.Errorf("%s: %v", name, faults)
		}
	}
	// If there are many paths to a reference, only some of them are listed.
	references := "type W interface { Write([]byte) (int, error) }\n\n" + doubling("type T%d struct { A *T%d; B *T%d }\n") + "type T40 struct { W W `json:\"w\"`; N int }\n\nfunc F(t T0) T0 { panic(0) }"
	s, faults := compileOne(t, references)
	if err := faults.Err(); err != nil {
		t.Error(err)
	}
	if tools := s.last.tools; len(tools) != 1 || len(tools[0].Variables.Arguments) == 0 {
		t.Errorf("%d tools", len(tools))
	}
}

// TestLongImportPaths checks that the go command is not asked for a path that is too long for any
// package, because that takes minutes.
func TestLongImportPaths(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	dir := writeFiles(t, map[string]string{
		"m.go":   "package m\n\nfunc F() {}\n",
		"m.aion": strings.Replace(oneTool, "F", strings.Repeat("a/", 50_000)+"b.F", 1),
	})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_, faults := Generate(ctx, Config{Dir: dir})
	if ctx.Err() != nil || len(faults) != 1 || faults[0].Code == "canceled" {
		t.Errorf("%v: %v", ctx.Err(), faults)
	}
}

// TestManyMethods checks that a type with more methods than the type checker can compare is an error,
// and that a type with many methods is not.
func TestManyMethods(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	for _, receiver := range []string{"S", "*S", "s *S"} {
		for _, count := range []int{1000, 6000} {
			s, generated := compileOne(t, "type S struct{}\n\nfunc F() {}\n\n"+joinNumbers(count, func(i int) string { return fmt.Sprintf("func (%s) M%d() {}\n", receiver, i) }))
			t.Chdir(s.cfg.Dir)
			_, written := New(t.Context(), NewConfig{Package: "."})
			for _, faults := range []diag.List{generated, written} {
				told := slices.ContainsFunc(faults, func(d *diag.Diagnostic) bool {
					return d.Code == "over-budget" && strings.Contains(d.Message, "5000 methods of a type")
				})
				if want := count > 5000; told != want || want != (generated.Err() != nil) {
					t.Errorf("%s: %d methods: %v", receiver, count, faults)
				}
			}
		}
	}
}

// TestDeepSchemas checks that a schema which is too deep for JSON parsers is an error, reported at the
// tool.
func TestDeepSchemas(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	for _, depth := range []int{100, 600} {
		_, faults := compileOne(t, largeSources["chain"](depth))
		var codes []diag.Code
		for _, d := range faults {
			if d.Severity == diag.Error {
				codes = append(codes, d.Code)
			}
		}
		if want := depth > 500; want != (len(codes) > 0) || want && slices.ContainsFunc(codes, func(c diag.Code) bool { return c != "too-deep" }) {
			t.Errorf("%d types: %v", depth, faults)
		}
	}
}

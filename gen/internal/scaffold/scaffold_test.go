package scaffold_test

import (
	"context"
	"flag"
	"fmt"
	"go/types"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/scaffold"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Write describes a function in the notation.
func ExampleWrite() {
	text, faults := scaffold.Write(context.Background(), scaffold.Config{
		Package:   "strings",
		Functions: []string{"TrimSuffix", "Replacer.Replace"},
	})
	if err := faults.Err(); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", text)
	// Output:
	// [
	//   {
	//     name --> "trim_suffix",
	//     function --> "strings.TrimSuffix" --> {
	//       arg-1 --> "string", // s
	//       arg-2 --> "string", // suffix
	//       return-1 --> "string"
	//     },
	//     description --> """
	//       Returns s without the provided trailing suffix string. If s doesn't end with suffix, s is returned unchanged.
	//     """
	//   },
	//   {
	//     name --> "replacer_replace",
	//     function --> "strings.Replacer.Replace" --> {
	//       arg-1 --> "string", // s
	//       return-1 --> "string"
	//     },
	//     description --> "Returns a copy of s with all replacements performed."
	//   }
	// ]
}

// TestStandardLibrary writes tools for all exported functions of packages that were not written with
// tools in mind. The output must compile. The functions that are left out are in testdata, with the
// reasons.
func TestStandardLibrary(t *testing.T) {
	dir := module(t)
	var refused strings.Builder
	some := map[string][]string{"math/cmplx": {"Abs", "Inf"}, "slices": {"Max", "SortFunc"}} // functions that cannot be tools
	for _, path := range []string{"strings", "net/url", "path/filepath", "math/cmplx", "slices"} {
		functions := some[path]
		if functions == nil {
			functions = exported(t, path)
		}
		_, faults := scaffold.Write(t.Context(), scaffold.Config{Dir: dir, Package: path, Functions: functions})
		var left []string
		for _, d := range faults {
			if d.Severity == diag.Note {
				continue
			}
			fmt.Fprintf(&refused, "%s.%s\n", path, d.Message)
			name, _, _ := strings.Cut(d.Message, ":")
			left = append(left, name)
		}
		functions = slices.DeleteFunc(functions, func(name string) bool { return slices.Contains(left, name) })
		if len(functions) < 10 {
			if some[path] == nil {
				t.Errorf("of %s only %v can be tools", path, functions)
			}
			continue
		}
		text, faults := scaffold.Write(t.Context(), scaffold.Config{Dir: dir, Package: path, Functions: functions})
		if err := faults.Err(); err != nil {
			t.Fatal(err)
		}
		doc, parsed := aion.Parse(path, text)
		again, err := aion.Format(doc)
		if parsed.Err() != nil || err != nil || string(again) != string(text) || len(doc.Elements) != len(functions) {
			t.Errorf("%s: the text is not formatted, or not whole: %v %v\n%s", path, parsed, err, text)
		}
		write(t, filepath.Join(dir, filepath.Base(path)+".aion"), string(text))
	}
	golden(t, "testdata/refused.txt", refused.String())

	result, faults := gen.Generate(t.Context(), gen.Config{Dir: dir})
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	if err := result.Write(); err != nil {
		t.Fatal(err)
	}
	vet := exec.CommandContext(t.Context(), "go", "vet", ".")
	vet.Dir = dir
	if out, err := vet.CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}

// exported returns the exported functions of a package and the methods of its types.
func exported(t *testing.T, path string) []string {
	t.Helper()
	cfg := load.Config{Dir: t.TempDir(), Generated: func(string) bool { return false }}
	pkgs, err := load.Find(t.Context(), cfg, path)
	if err != nil {
		t.Fatal(err)
	}
	if err := load.Check(t.Context(), cfg, pkgs...); err != nil {
		t.Fatal(err)
	}
	var names []string
	scope := pkgs[0].Types.Scope()
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		switch obj := obj.(type) {
		case *types.Func:
			if obj.Exported() {
				names = append(names, name)
			}
		case *types.TypeName:
			for m := range types.NewMethodSet(types.NewPointer(obj.Type())).Methods() {
				if obj.Exported() && m.Obj().Exported() {
					names = append(names, name+"."+m.Obj().Name())
				}
			}
		}
	}
	return names
}

// module creates a module that uses the runtime in this one.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	write(t, filepath.Join(dir, "go.sum"), string(sum))
	write(t, filepath.Join(dir, "go.mod"), "module example.com/all\n\ngo 1.26\n\nrequire github.com/aiongen/aiongen v0.0.0\n\n"+
		"replace github.com/aiongen/aiongen => "+root+"\n")
	write(t, filepath.Join(dir, "all.go"), "package all\n")
	return dir
}

// write writes a file and creates its folder.
func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		write(t, name, got)
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; rewrite it with -update\n%s", name, diff)
	}
}

// TestDescriptions checks that descriptions come from comments and names, except for text that the
// notation cannot contain.
func TestDescriptions(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "all.go"), `package all

// Say says """ three quotes " in a row.
//   - who: the one who | speaks, (they say)
//   - text: what is "said"
//   - loud: how loud (very)
//   - said: what was said
func Say(who, text string, loud *int) (said string, n int, err error) { return text, 0, nil }

func undocumented(userID string) {}

// User is a user.
type User struct {
	Name string `+"`json:\"name\"`"+` // given name
	Secret string `+"`json:\"secret\" jsonschema:\"-\"`"+`
}

// Greet greets.
func (u *User) Greet() {}

// Add adds a user.
func Add(u User) error { return nil }
`)
	write(t, filepath.Join(dir, "old.aion"), `[ { name --> "say", link --> "https://example.com", description --> "Taken." } ]`)
	t.Chdir(dir)
	text, faults := scaffold.Write(t.Context(), scaffold.Config{Package: ".", Functions: []string{"Say", "undocumented", "(*User).Greet", "Add"}})
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.Join(testdata, "descriptions.aion"), string(text))
	write(t, "new.aion", string(text))
	if _, faults := gen.Generate(t.Context(), gen.Config{}); faults.Err() != nil {
		t.Error(faults.Err())
	}
	_, faults = scaffold.Write(t.Context(), scaffold.Config{Package: ".", Functions: []string{"Sya", "User", "Add"}})
	want := []string{"Sya: ghost tool: there is no function Sya in package all", "User: User is a type, not a function"}
	var got []string
	for _, d := range faults {
		got = append(got, d.Message)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestBlankResults checks that results that say nothing are not in the file, or omitted next to others.
func TestBlankResults(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "all.go"), `package all

type Output struct{ metadata map[string]any }

func (*Output) Serialize(w any) {}

func (*Output) SerializeMembers(w any) {}

// Delete deletes.
func Delete(id string) (*Output, error) { return nil, nil }

// Count counts.
func Count() (*Output, int, error) { return nil, 0, nil }
`)
	t.Chdir(dir)
	text, faults := scaffold.Write(t.Context(), scaffold.Config{Package: ".", Functions: []string{"Delete", "Count"}})
	if len(faults) > 0 {
		t.Error(faults)
	}
	write(t, "new.aion", string(text))
	if _, faults := gen.Generate(t.Context(), gen.Config{}); len(faults) > 0 {
		t.Error(faults)
	}
	doc, _ := aion.Parse("new.aion", text)
	var notes []string
	for _, el := range doc.Elements {
		for _, e := range el.Function.Returns {
			notes = append(notes, fmt.Sprintf("%s.%s %s %t", el.Name.Value, e.Name.Value, e.Note.Type, e.Note.Omit))
		}
	}
	if diff := cmp.Diff([]string{"count.return-1 any true", "count.return-2 int false"}, notes); diff != "" {
		t.Errorf("%s\n%s", text, diff)
	}
}

// TestEnums checks that an enum has its Go name only in a file for its own package, where a note can
// contain it.
func TestEnums(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "all.go"), "package all\n\nimport _ \"example.com/all/jobs\"\n")
	write(t, filepath.Join(dir, "jobs/jobs.go"), `package jobs

type State string

const Done State = "done"

// List lists the jobs in a state.
func List(s State) []string { return nil }
`)
	t.Chdir(dir)
	for _, c := range []struct{ dir, pkg, want string }{{".", "./jobs", "string"}, {"jobs", ".", "State"}} {
		t.Chdir(filepath.Join(dir, c.dir))
		text, faults := scaffold.Write(t.Context(), scaffold.Config{Package: c.pkg, Functions: []string{"List"}})
		if err := faults.Err(); err != nil {
			t.Fatal(err)
		}
		write(t, "new.aion", string(text))
		if _, faults := gen.Generate(t.Context(), gen.Config{}); faults.Err() != nil {
			t.Error(faults)
		}
		if doc, _ := aion.Parse("new.aion", text); doc.Elements[0].Function.Args[0].Note.Type != c.want {
			t.Errorf("in %s: no %s:\n%s", c.dir, c.want, text)
		}
	}
}

// TestBytes checks that exactly the arguments and results in base64 are described as such.
func TestBytes(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "all.go"), `package all

// Parse parses.
func Parse(name string, data []byte) (n int, rest []byte, err error) { return 0, nil, nil }

// Count counts.
func Count(numbers []int) {}
`)
	t.Chdir(dir)
	_, faults := scaffold.Write(t.Context(), scaffold.Config{Package: ".", Functions: []string{"Count"}})
	if len(faults) > 0 {
		t.Error(faults)
	}
	_, faults = scaffold.Write(t.Context(), scaffold.Config{Package: ".", Functions: []string{"Count", "Parse"}})
	if want := "models see bytes as base64: arg-2 of parse, return-2 of parse"; len(faults) != 1 || faults[0].Message != want {
		t.Errorf("%v, not %s", faults, want)
	}
}

// TestLongComments checks that only the first paragraph of a long comment is used, without a last
// sentence that introduces the next one.
func TestLongComments(t *testing.T) {
	const rest = "\n//\n//\tlist\n//\n// "
	long := rest + strings.Repeat("More of it. ", 50)
	dir := module(t)
	write(t, filepath.Join(dir, "all.go"), "package all\n"+
		"\n// One starts. It takes these:"+long+"\nfunc One() {}\n"+
		"\n// Two takes these:"+long+"\nfunc Two() {}\n"+
		"\n// Three takes these:"+rest+"\nfunc Three() {}\n")
	t.Chdir(dir)
	text, faults := scaffold.Write(t.Context(), scaffold.Config{Package: ".", Functions: []string{"One", "Two", "Three"}})
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"description --> \"One starts.\"", "description --> \"Takes these.\"", "Takes these:\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s has no %s", text, want)
		}
	}
}

// TestNames checks that tool names can be derived from the names of functions, but not from literals.
func TestNames(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "a.go"), "package all\n\nfunc Ünïcode() int { return 1 }\n\nfunc Größe() {}\n\nfunc 検索() {}\n\ntype Ö struct{}\n\nfunc (Ö) 検索() {}\n")
	t.Chdir(dir)
	text, faults := scaffold.Write(t.Context(), scaffold.Config{Package: ".", Functions: []string{"Ünïcode", "Größe", "検索", "Ö.検索"}})
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	doc, _ := aion.Parse("new.aion", text)
	var names []string
	for _, el := range doc.Elements {
		names = append(names, el.Name.Value)
	}
	if diff := cmp.Diff([]string{"n_code", "gr__e", "tool_2", "tool"}, names); diff != "" {
		t.Error(diff)
	}
	write(t, "new.aion", string(text))
	if _, faults := gen.Generate(t.Context(), gen.Config{}); faults.Err() != nil {
		t.Error(faults.Err())
	}
	for _, literal := range []string{"func(a int) int { return a }", "lambda a: a"} {
		_, faults := scaffold.Write(t.Context(), scaffold.Config{Package: ".", Functions: []string{literal}})
		if len(faults) != 1 || faults[0].Code != "bad-function" || len(faults[0].Help) == 0 {
			t.Errorf("%s: %v", literal, faults)
		}
	}
}

// testdata is an absolute path, for tests that change the directory.
var testdata = func() string {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		panic(err)
	}
	return dir
}()

// TestOrder checks that the name of a tool does not depend on the other requested functions or on
// their order.
func TestOrder(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "a.go"), `package all

type Client struct{ c chan int }

func (*Client) Get() {}

func (*Client) GetAll() {}

func ClientGet() {}

func Get() {}

type Set[T any] struct{ c chan T }

func (*Set[T]) Add(T) {}
`)
	t.Chdir(dir)
	want := map[string]string{"(*Client).Get": "client_get", "(*Client).GetAll": "client_get_all", "ClientGet": "client_get_2", "Get": "get", "(*Set[int]).Add": "set_add"}
	functions := slices.Sorted(maps.Keys(want))
	for range len(functions) {
		functions = append(functions[1:], functions[0])
		text, faults := scaffold.Write(t.Context(), scaffold.Config{Package: ".", Functions: functions})
		if err := faults.Err(); err != nil {
			t.Fatal(err)
		}
		doc, _ := aion.Parse("new.aion", text)
		for i, el := range doc.Elements {
			if el.Name.Value != want[functions[i]] {
				t.Errorf("%s is called %s", functions[i], el.Name.Value)
			}
		}
	}
}

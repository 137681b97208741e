package lambda_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/lambda"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// source is the package whose functions the lambdas of these tests call.
const source = `package users

type User struct {
	Name string
	Age  int64
	Boss *User
	Tags []string
	Size uint64
	Kind Kind
	Grid [2]int
	Any  any
	Tree Tree
	Self Self
	Dict Dict
}

// Types that contain themselves.
type (
	Tree []Tree
	Dict map[string]Dict
	Self *Self
)

func (u User) Title() string { return u.Name }

func (u *User) Rename(name string) error { return nil }

func (u User) String() string { return u.Name }

type Kind string

type Finder interface{ Find(name string) (*User, error) }

var Current User

var Boss = &User{}

var finder Finder

const Limit = 10

const Small int8 = 3

func FindUser(name string, limit int) (*User, error) { return nil, nil }

func WithKey(key int) int { return key }

func All() []User { return nil }

func ByName() map[string]User { return nil }

func ByID() map[int]string { return nil }

func Rows() []struct{ A int } { return nil }

func Pair(n int) (first int, second string, err error) { return 0, "", nil }

func Log(text string, parts ...any) {}

func Must(ok bool) error { return nil }

func Half(f float32, n uint8, k Kind) (int32, error) { return 0, nil }

func Maybe(s string) *string { return nil }

func Take(u *User, list []float64, names map[string]string) []any { return nil }
`

// world is that package, with an importer for the imports of generated code. It is created once,
// because imports are read from source.
var world = sync.OnceValue(func() (w struct {
	fset     *token.FileSet
	pkg      *types.Package
	importer types.Importer
}) {
	w.fset = token.NewFileSet()
	file, err := parser.ParseFile(w.fset, "users.go", source, 0)
	if err != nil {
		panic(err)
	}
	w.importer = importer.ForCompiler(w.fset, "gc", exports())
	conf := types.Config{}
	if w.pkg, err = conf.Check("example.com/users", w.fset, []*ast.File{file}, nil); err != nil {
		panic(err)
	}
	return w
})

// exports returns a function that opens the export data of packages that generated code imports.
func exports() func(path string) (io.ReadCloser, error) {
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "fmt", "maps", "slices", "../../../runtime/py/dyn")
	out, err := list.Output()
	if err != nil {
		panic(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
}

// names resolves the objects of the test package, roughly as the resolver of the generator does.
type names struct{}

func (names) Package() *types.Package { return world().pkg }

func (names) Find(p *types.Package, name string) []types.Object {
	for _, spelling := range []string{name, camel(name)} {
		if obj := p.Scope().Lookup(spelling); obj != nil {
			return []types.Object{obj}
		}
	}
	return nil
}

func (names) Injected() []*lambda.Injected { return nil }

func (names) Member(t types.Type, name string) ([]string, types.Object) {
	for _, spelling := range []string{name, camel(name)} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, world().pkg, spelling); obj != nil {
			return []string{spelling}, obj
		}
	}
	return nil, nil
}

func (names) Import(string) *types.Package                          { return nil }
func (names) Members(types.Type) []string                           { return nil }
func (names) Fields(types.Type) []string                            { return nil }
func (names) LeftOut(*diag.Diagnostic, *types.Package, string) bool { return false }
func (names) Supplied(types.Type) bool                              { return false }
func (names) ContextOption(types.Type) (types.Object, types.Type)   { return nil, nil }
func (names) Usable(types.Object) error                             { return nil }
func (names) HasGeneratedForm(types.Type) bool                      { return false }
func (names) IsText(types.Type) bool                                { return false }
func (names) Declared(types.Object) []diag.Related                  { return nil }

func (names) TypeName(t types.Type) string {
	return types.TypeString(t, func(*types.Package) string { return "" })
}

func (names) At(p pysyntax.Place) diag.Span {
	pos := func(offset int) diag.Pos { return diag.Pos{Offset: offset, Line: 1, Column: offset + 1} }
	return diag.Span{File: "users.aion", Start: pos(p.From), End: pos(p.To)}
}

// camel converts find_user to FindUser.
func camel(name string) string {
	text := ""
	for part := range strings.SplitSeq(name, "_") {
		if part != "" {
			text += strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return text
}

// params returns the parameters of the lambdas in these tests.
func params() (names []string, list []lambda.Param) {
	basic := func(k types.BasicKind) types.Type { return types.Typ[k] }
	anyType := types.Universe.Lookup("any").Type()
	for _, p := range []struct {
		name     string
		typ      types.Type
		optional bool
	}{
		{"a", basic(types.Int), false}, {"b", basic(types.Int), false}, {"x", basic(types.Float64), false},
		{"s", basic(types.String), false}, {"t", basic(types.String), false}, {"p", basic(types.Bool), false},
		{"xs", types.NewSlice(basic(types.Int)), false}, {"ws", types.NewSlice(basic(types.String)), false},
		{"v", anyType, false}, {"d", types.NewMap(basic(types.String), anyType), false}, {"l", types.NewSlice(anyType), false},
		{"o", basic(types.Int), true}, {"os", basic(types.String), true}, {"ol", types.NewSlice(basic(types.String)), true},
		{"u", world().pkg.Scope().Lookup("User").Type(), false}, {"k", world().pkg.Scope().Lookup("Kind").Type(), false},
		{"err", basic(types.String), false}, {"len2", nil, false},
	} {
		names = append(names, p.name)
		list = append(list, lambda.Param{Type: p.typ, Optional: p.optional, Origin: "by a note"})
	}
	return names, list
}

// translate returns the Go code of an expression, or its fault.
func translate(t *testing.T, text string) (code string, faults diag.List) {
	t.Helper()
	given, list := params()
	text = "lambda " + strings.Join(given, ", ") + ": " + text
	s := names{}
	l, faults := pysyntax.Parse(text, s.At)
	if faults.Err() != nil {
		return "", faults
	}
	f, faults := lambda.Compile(l, list, nil, s)
	if faults.Err() != nil {
		return "", faults
	}
	return printFunc(t, f), nil
}

// printFunc prints a function with the imports that it needs.
func printFunc(t *testing.T, f *lambda.Func) string {
	t.Helper()
	paths := map[string]bool{}
	for id, obj := range f.Uses {
		if obj.Pkg() != world().pkg {
			paths[obj.Pkg().Path()] = true
			id.Name = obj.Pkg().Name() + "." + obj.Name()
		}
	}
	var b bytes.Buffer
	fmt.Fprintln(&b, "package users")
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		fmt.Fprintf(&b, "import %q\n", path)
	}
	decl := &ast.FuncDecl{Name: ast.NewIdent("generated"), Type: f.Lit.Type, Body: f.Lit.Body}
	if err := printer.Fprint(&b, token.NewFileSet(), decl); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// typeCheck type-checks generated code together with its package.
func typeCheck(code string) error {
	w := world()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, text := range []string{source, code} {
		file, err := parser.ParseFile(fset, "", text, 0)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	conf := types.Config{Importer: w.importer}
	_, err := conf.Check("example.com/users", fset, files, nil)
	return err
}

// TestCompiles checks that every lambda that is accepted compiles, even with arbitrary mixes of types.
func TestCompiles(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(1, 1))}
	sound := 0
	const all = 5000
	for range all {
		text := m.wild(3)
		code, faults := translate(t, text)
		if faults.Err() != nil {
			continue
		}
		sound++
		if err := typeCheck(code); err != nil {
			t.Errorf("%s\n%v\n%s", text, err, code)
		}
	}
	t.Logf("%d of %d expressions were sound", sound, all)
	if sound < all/10 {
		t.Errorf("only %d of %d expressions were sound", sound, all)
	}
}

// TestCalls checks that calls with effects remain even if their results are unused, and that narrowing
// applies only to the name that was tested.
func TestCalls(t *testing.T) {
	for text, want := range map[string]string{
		"[log(s) if p else log(t), 1]":          "if p {\n\t\tLog(s)\n\t}\n\tif !p {\n\t\tLog(t)\n\t}",
		"[p and log(s) or a]":                   "if p {\n\t\tLog(s)\n\t}",
		"by_name() is None":                     "_ = ByName()",
		"[1 if log(s) is None else 2]":          "Log(s)",
		"{'a': by_name(), 'a': a}":              "_ = ByName()",
		"len([]) if by_name() is None else a":   "_ = ByName()",
		"[r.A + n for r, n in zip(rows(), xs)]": "py.Zip(Rows(), xs)",
		"[u.boss.rename(s), u.rename(t)][0]":    "u.Rename(t)",

		"[u.boss.name for u in [current]] if u.boss else ws": "u2.Boss == nil", // another u
	} {
		code, faults := translate(t, text)
		if err := faults.Err(); err != nil {
			t.Errorf("%s: %v", text, err)
		} else if err := typeCheck(code); err != nil || !strings.Contains(code, want) {
			t.Errorf("%s: %v, lacks %s:\n%s", text, err, want, code)
		}
	}
}

func FuzzCompile(f *testing.F) {
	m := maker{rand.New(rand.NewPCG(2, 2))}
	for range 50 {
		f.Add(m.wild(3))
		f.Add(m.expr("any", 3))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if code, faults := translate(t, text); faults.Err() == nil {
			if err := typeCheck(code); err != nil {
				t.Errorf("%s\n%v\n%s", text, err, code)
			}
		}
	})
}

// wild returns an expression built from parts of any type.
func (m maker) wild(depth int) string {
	if depth == 0 {
		leaves := []string{
			"a", "b", "x", "s", "t", "p", "xs", "ws", "v", "d", "l", "o", "os", "ol", "u", "k", "err", "len2", "0", "1", "-1", "2.5", "'a'", "''", "True", "None", "[]", "{}",
			"limit", "small", "current", "boss", "all()", "by_name()", "by_id()", "u.age", "u.size", "u.kind", "u.boss", "u.tags", "u.grid", "u.any", "u.tree", "u.self", "u.dict", "maybe(s)", "find_user(s, a)", "[1, 2]", "{'a': 1}",
		}
		return leaves[m.IntN(len(leaves))]
	}
	templates := []string{
		"(# + #)", "(# - #)", "(# * #)", "(# / #)", "(# // #)", "(# % #)", "(# ** #)", "(-#)", "(not #)", "(# and #)", "(# or #)", "(# if # else #)",
		"(# == #)", "(# != #)", "(# < #)", "(# < # <= #)", "(# in #)", "(# not in #)", "(# is None)", "(# is not None)", "#[#]", "#[#:]", "#[:#]", "#[::#]", "#[#:#:#]",
		"[#, #]", "{'a': #, s: #}", "[y for y in #]", "[# for y in # if #]", "[(y, #)[0] for y in #]", "len(#)", "str(#)", "int(#)", "float(#)", "bool(#)", "abs(#)", "round(#)", "round(#, #)",
		"sum(#)", "min(#)", "max(#, #)", "sorted(#)", "sorted(#, key=lambda y: #)", "sorted(#, key=str, reverse=#)", "any(#)", "all(#)", "min(#, key=len)",
		"f'{#} and {#:d}'", "f'{#!r:>{#}} {#:,} {#:x}'", "'%s %d' % (#, #)", "format(#, #)", "[*#, #]", "{**#, 'a': #}", "{#: # for y in #}", "(# | #)", "f'{#:.2f}{#:s}'", "'{} {x}'.format(#, x=#)", "s.format(#, x=#)", "#.upper()", "#.split(#)", "#.join(#)", "#.find(#, #)", "#.replace(#, #)", "#.strip()", "#.count(#)", "#.startswith(#)",
		"find_user(#, #)", "find_user(*#)", "find_user(name=#, limit=#)", "log(#, #, #)", "log(#, *#)", "must(#)", "half(#, #, #)", "pair(#)", "take(#, #, #)", "maybe(#)", "finder.find(#)",
		"any(# for y in #)", "all(y for y in # if #)", "next((# for y in # if #), #)", "#.get(#, #)", "#.get(#)", "[[y, z, #] for y, z in zip(#, #)]", "list(map(str.upper, #))", "max(#, default=#)",
		"(# in {#, #})", "(# in (#, #))", "int(#, #)", "s.partition(#)[0]", "sorted(set(#))", "[# for i, y in enumerate(#)]", "list(range(#))", "sum(#.values())", "[# for y, z in sorted(#.items())]",
		"#.ljust(#, #)", "#.index(#)", "#.startswith((#, s))", "list(reversed(#))", "list(filter(None, #))", "str.strip(#)", "#.rsplit(#, #)", "#.splitlines(#)", "len({# for y in #})", "sum(# for y in #)", "''.join(# for y in range(#))",
		"#.name", "#.age", "#.title()", "#.rename(#)", "#.boss.name", "#.tags[#]", "u.title() + #", "boss.name", "boss.rename(#)", "current.rename(#)", "#",
	}
	text := templates[m.IntN(len(templates))]
	for strings.Contains(text, "#") {
		text = strings.Replace(text, "#", m.wild(depth-1-m.IntN(depth)), 1)
	}
	return text
}

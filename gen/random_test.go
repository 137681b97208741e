package gen

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/budget"
	"github.com/aiongen/aiongen/runtime/schema"
)

var randomPackages = flag.Int("random", 60, "how many packages TestRandomPackages generates")

// TestRandomPackages generates code for random packages with recursive, generic, embedded and nested
// types, and type-checks it. No package may fail or come near the limits of its budget. Tools with an
// error in the input are left out.
func TestRandomPackages(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	files := map[string]string{}
	tools := map[string][]string{} // elements, by .aion file
	for i := range *randomPackages {
		name := fmt.Sprintf("p%d", i)
		p := newRandomPackage(uint64(i))
		files[name+"/m.go"] = p.source()
		tools[name+"/m.aion"] = p.elements
		files[name+"/m.aion"] = "[\n" + strings.Join(p.elements, ",\n") + "\n]\n"
	}
	t.Chdir(writeFiles(t, files))
	result, total, left := generateSound(t, tools)
	t.Logf("%d of %d tools", left, total)
	if left < total/2 {
		t.Errorf("only %d of %d tools are left", left, total)
	}
	if err := result.Write(); err != nil {
		t.Fatal(err)
	}
	again, faults := Generate(t.Context(), Config{Patterns: []string{"./..."}})
	if err := faults.Err(); err != nil || len(again.Changes) > 0 {
		t.Errorf("a second run: %v, %d changes", err, len(again.Changes))
	}
	check := newOutputChecker(t)
	for i := range *randomPackages {
		check.dir(fmt.Sprintf("p%d", i))
	}
	if check.panics > *randomPackages/20 {
		t.Errorf("the type checker panics for %d packages", check.panics)
	}
}

// generateSound generates packages without the tools that have an error. Each tool is on its own line.
func generateSound(t *testing.T, tools map[string][]string) (result *Result, total, left int) {
	for range 3 {
		s := NewSession(Config{Patterns: []string{"./..."}, Lint: schema.Targets()})
		var faults diag.List
		result, faults = s.Generate(t.Context())
		for _, source := range s.last.sources {
			for resource, used := range source.Budget.Usage() {
				if used > resource.Limit()/10 {
					t.Errorf("%s takes %d %s", source.Package.Path, used, resource)
				}
			}
		}
		out := map[string]map[int]bool{}
		for _, d := range faults {
			if d.Code == "internal" || d.Code == "over-budget" {
				t.Error(d, d.Help)
			}
			if d.Severity == diag.Error {
				if out[d.Span.File] == nil {
					out[d.Span.File] = map[int]bool{}
				}
				out[d.Span.File][d.Span.Start.Line-2] = true
			}
		}
		total = max(total, count(tools))
		if len(out) == 0 {
			return result, total, count(tools)
		}
		for file, lines := range out {
			var sound []string
			for i, element := range tools[file] {
				if !lines[i] {
					sound = append(sound, element)
				}
			}
			tools[file] = sound
			if err := os.WriteFile(file, []byte("[\n"+strings.Join(sound, ",\n")+"\n]\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Fatal("errors are left")
	return nil, 0, 0
}

func count(tools map[string][]string) (n int) {
	for _, elements := range tools {
		n += len(elements)
	}
	return n
}

// A randomPackage has types that may refer to each other, and tools that use them.
type randomPackage struct {
	*rand.Rand
	types     []randomType
	functions []string
	elements  []string
}

// A randomType is a declaration with its number of type parameters.
type randomType struct {
	name, text string
	params     int
	comparable bool // can be a map key in JSON
	structured bool // can be embedded
}

// newRandomPackage returns the first package of a seed that compiles.
func newRandomPackage(seed uint64) *randomPackage {
	for try := range uint64(200) {
		p := &randomPackage{Rand: rand.New(rand.NewPCG(seed, try))}
		names := 4 + p.IntN(8)
		for i := range names {
			p.types = append(p.types, randomType{name: fmt.Sprintf("T%d", i), params: max(0, p.IntN(6)-3)})
		}
		for i := range p.types {
			p.declare(i)
		}
		for i := range 4 + p.IntN(4) {
			p.tool(i)
		}
		if compiles(p.source()) {
			return p
		}
	}
	panic("no random package compiles")
}

// compiles reports whether the type checker accepts a package. Some combinations of aliases and
// generic types make it fail or panic.
func compiles(source string) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "m.go", source, 0)
	if err != nil {
		return false
	}
	conf := types.Config{Importer: importer.Default(), Error: func(error) {}}
	_, err = conf.Check("m", fset, []*ast.File{file}, nil)
	return err == nil
}

func (p *randomPackage) source() string {
	var b strings.Builder
	b.WriteString("package m\n\ntype Number interface{ ~int | ~float64 }\n\n")
	for _, t := range p.types {
		b.WriteString(t.text + "\n\n")
	}
	b.WriteString(strings.Join(p.functions, "\n\n") + "\n")
	return b.String()
}

// pick returns one of the texts.
func (p *randomPackage) pick(texts ...string) string { return texts[p.IntN(len(texts))] }

// declare writes the declaration of a type. Outside of pointers, lists and maps, it uses only earlier
// types, because a type cannot contain itself.
func (p *randomPackage) declare(i int) {
	t := &p.types[i]
	head := "type " + t.name
	if t.params > 0 {
		var params []string
		for n := range t.params {
			params = append(params, string(rune('A'+n))+" "+p.pick("any", "any", "comparable", "Number"))
		}
		head += "[" + strings.Join(params, ", ") + "]"
	}
	part := func() string { return p.typ(i, t.params, 3) }
	switch p.IntN(12) {
	case 0:
		t.text = head + " []" + part()
	case 1:
		t.text = head + " map[" + p.pick("string", "int", "K") + "]" + part()
	case 2:
		t.text = head + fmt.Sprintf(" [%d]*", p.IntN(3)) + part()
	case 3:
		t.text = head + " " + p.pick("func("+part()+") "+part(), "chan "+part(), "interface{ M("+part()+") "+part()+" }", "*"+part())
	case 4:
		t.text = head + " = " + part()
	case 5:
		t.text = head + " " + p.pick("string", "int", "uint8", "bool", "[]byte", "float32")
	default:
		t.structured = true
		t.text = head + " " + p.structure(i, t.params, 2)
	}
	if i == 0 {
		t.text += "\n\ntype K string\n\nconst (\n\tKOne K = \"one\"\n\tKTwo K = \"two\"\n)"
	}
}

// structure writes a struct type inside the i-th declaration.
func (p *randomPackage) structure(i, params, depth int) string {
	var b strings.Builder
	b.WriteString("struct {\n")
	for n := range p.IntN(5) + 1 {
		if j := p.IntN(len(p.types)); p.IntN(6) == 0 && p.types[j].params == 0 && (j < i && p.types[j].structured || j > i) {
			b.WriteString("\t" + map[bool]string{true: "", false: "*"}[j < i] + p.types[j].name + p.pick("", " `json:\"embedded\"`") + "\n")
			continue
		}
		name := fmt.Sprintf("F%d", n)
		tag := p.pick("", "", "", " `json:\"f"+fmt.Sprint(p.IntN(4))+"\"`", " `json:\",omitempty\"`", " `json:\"x,omitzero\"`", " `json:\"-\"`", " `json:\",string\"`")
		b.WriteString("\t" + name + " " + p.typ(i, params, depth) + tag + "\n")
	}
	b.WriteString("}")
	return b.String()
}

// typ writes a type that the i-th declaration, which has the given number of type parameters, can use.
func (p *randomPackage) typ(i, params, depth int) string {
	below := func() string { return p.typ(len(p.types), params, depth-1) } // any type, behind a pointer, list or map
	if depth == 0 {
		return p.pick("int", "string", "bool", "any", "K")
	}
	switch p.IntN(11) {
	case 0:
		return "[]" + below()
	case 1:
		return "map[" + p.pick("string", "K", "int64") + "]" + below()
	case 2, 3:
		return "*" + below()
	case 4:
		return p.pick("[]*", "*[]", "map[string]*", "**", "[][]", "[2]*") + below()
	case 5:
		if params > 0 {
			return string(rune('A' + p.IntN(params)))
		}
		return "error"
	case 6:
		return p.pick("int", "string", "[]byte", "float64", "uint16", "any", "K", "func()", "chan int", "interface{ M() }", "struct{}")
	case 7:
		return p.structure(i, params, depth-1)
	}
	if i == 0 {
		return "int"
	}
	t := p.types[p.IntN(min(i, len(p.types)))]
	return p.instance(t, params, depth-1)
}

// instance writes a declared type with type arguments.
func (p *randomPackage) instance(t randomType, params, depth int) string {
	if t.params == 0 {
		return t.name
	}
	var args []string
	for range t.params {
		arg := p.pick("int", "string", "float64")
		switch {
		case params > 0 && p.IntN(2) == 0:
			arg = string(rune('A' + p.IntN(params)))
		case params == 0 && p.IntN(2) == 0: // otherwise an instance might grow endlessly
			arg = p.typ(len(p.types), 0, min(depth, 1))
		}
		args = append(args, arg)
	}
	return t.name + "[" + strings.Join(args, ", ") + "]"
}

// tool writes a function, a method or a literal, and its element.
func (p *randomPackage) tool(i int) {
	typ := func() string { return p.typ(len(p.types), 0, 3) }
	params := "ctx " + typ()
	for n := range p.IntN(3) {
		params += fmt.Sprintf(", p%d %s", n, typ())
	}
	results := p.pick("", "error", typ(), "("+typ()+", error)", "(a "+typ()+", b "+typ()+")")
	name, function := fmt.Sprintf("F%d", i), fmt.Sprintf("F%d", i)
	body := params + ") " + results + " { panic(0) }"
	switch p.IntN(6) {
	case 0:
		p.functions = append(p.functions, fmt.Sprintf("type M%d struct{}\n\nfunc (*M%d) %s(%s", i, i, name, body))
		function = fmt.Sprintf("M%d.%s", i, name)
	case 1:
		p.functions = append(p.functions, fmt.Sprintf("func %s[A any](g A, %s", name, body))
		function += "[" + strings.Join(strings.Fields(typ()), " ") + "]"
	case 2:
		p.functions = append(p.functions, fmt.Sprintf("func %s(%s", name, strings.Replace(body, ") ", ", rest ..."+typ()+") ", 1)))
	default:
		p.functions = append(p.functions, fmt.Sprintf("func %s(%s", name, body))
	}
	p.elements = append(p.elements, fmt.Sprintf(`{ name --> "f%d", description --> "d", function --> %q --> {} }`, i, function))
}

// An outputChecker type-checks packages together with their generated code.
type outputChecker struct {
	*testing.T
	fset     *token.FileSet
	importer types.Importer
	panics   int // the type checker panics for some orders of aliases and generic types
}

// newOutputChecker reads the runtime from export data.
func newOutputChecker(t *testing.T) *outputChecker {
	list := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-json=ImportPath,Export",
		"./runtime/tool", "./runtime/wire", "./runtime/memory", "./runtime/middleware", "./runtime/py")
	list.Dir = repositoryRoot
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p struct{ ImportPath, Export string }
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
	}
	fset := token.NewFileSet()
	return &outputChecker{T: t, fset: fset, importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, errors.New("no export data for " + path)
		}
		return os.Open(exports[path])
	})}
}

// repositoryRoot is the directory of this repository. It is determined before a test changes the
// working directory.
var repositoryRoot = func() string {
	root, err := filepath.Abs("..")
	if err != nil {
		panic(err)
	}
	return root
}()

func (c *outputChecker) dir(dir string) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		c.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			c.Fatal(err)
		}
		file, err := parser.ParseFile(c.fset, name, source, parser.SkipObjectResolution)
		if err != nil {
			c.Fatal(err)
		}
		files = append(files, file)
		if formatted, err := format.Source(source); strings.Contains(name, "aion") && (err != nil || !bytes.Equal(formatted, source)) {
			c.Errorf("%s is not formatted: %v", name, err)
		}
	}
	var found []string
	conf := types.Config{Importer: c.importer, Error: func(err error) { found = append(found, err.Error()) }}
	panicked := budget.Catch(func() { _, err = conf.Check("example.com/m/"+dir, c.fset, files, nil) })
	switch {
	case panicked != nil:
		c.panics++
	case err != nil:
		source, _ := os.ReadFile(filepath.Join(dir, "m.go"))
		c.Errorf("%s:\n%s\n%s", dir, strings.Join(slices.Compact(found), "\n"), source)
	}
}

package load

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func Example_cutBodies() {
	src := `package p

func Greet(name string) string {
	hello := "hello {"
	return hello + name
}

func Two() int { return 2 }
`
	fmt.Println(strings.ReplaceAll(string(cutBodies([]byte(src))), " ", "·"))
	// Output:
	// package·p
	//
	// func·Greet(name·string)·string·{
	// ···················
	// ····················
	// }
	//
	// func·Two()·int·{·return·2·}
}

// sources are texts that a cutter may confuse with other syntax.
var sources = []string{
	"package p\nfunc f() struct{ x int } { _ = `}`; g() }\nfunc g() interface{ m() } { x := '}'; _ = x; panic(0) }",
	"package p\nfunc f()\nfunc g() { /* } */ f() }",
	"package p; func f() { g() }; func g() { f() }; var x = func() int { f(); return 1 }()",
	"package p\nvar x =\nfunc() { g() }\nvar y = [...]int{\n1, 2}\nfunc g() {}",
	"package p\ntype F func()\ntype G = func() struct{}\nvar (\nf F\n)\nfunc (g[T]) m() (x struct{ y int }) { x.y++; return }",
	"package p\nfunc f[T interface{ ~int }](x [len(\"{\")]T) map[string]struct{} { // }\n\tfor {\n\t}\n}",
	"package p\nfunc f() []interface { m() } /* {\n */ {\n\t_ = '\\''; _ = \"\\\"}\"\n\tif x := (T{}); x {}\n}\n// doc\nfunc g() { \"\"+\"\" }",
	"package p\nfunc f() (func() struct{}) { returned() }\nfunc g() {\n\treturn\n\tx()\n}",
	"package p\nfunc é() { ü() }\nfunc x() { 1.0 / 2 }\r\nfunc y() {\r\n\tx()\r\n}\r\n",
	"package p\nfunc f() { } }\nfunc g() { x( }",
	"package p\nfunc f() { `unfinished }",
	"package p\nfunc f() { /* unfinished }", "package p\nfunc f() { g() ", "", "func", "package p\nfunc f(",
}

func FuzzCut(f *testing.F) {
	for _, src := range sources {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		checkSameDecls(t, "p.go", src)
	})
}

// TestStandardLibrary cuts sources that people wrote.
func TestStandardLibrary(t *testing.T) {
	for _, dir := range []string{"go/types", "net/http", "encoding/json", "syscall"} {
		files, _ := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", dir, "*.go"))
		if len(files) == 0 {
			t.Fatalf("there are no files in %s", dir)
		}
		for _, name := range files {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if cut := checkSameDecls(t, name, src); dir == "net/http" && len(src) > 50_000 && len(bytes.Join(bytes.Fields(cut), nil)) > len(src)*3/4 {
				t.Errorf("%s: nearly nothing is cut", name)
			}
		}
	}
}

// checkSameDecls checks that a source that parses declares the same without bodies, at the same
// places.
func checkSameDecls(t *testing.T, name string, src []byte) []byte {
	t.Helper()
	before := bytes.Clone(src)
	cut := cutBodies(src)
	if !bytes.Equal(before, src) || len(cut) != len(src) || bytes.Count(cut, []byte("\n")) != bytes.Count(src, []byte("\n")) {
		t.Fatalf("%s: the source was changed, or its lines were:\n%s\n%s", name, src, cut)
	}
	whole, err := declarations(src)
	if err != nil {
		return cut
	}
	parts, err := declarations(cut)
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, cut)
	}
	if !reflect.DeepEqual(whole, parts) {
		t.Fatalf("%s declares without bodies what it does not declare with them:\n%s", name, cut)
	}
	return cut
}

// declarations is what a file declares, with places, without the bodies of functions that
// do not begin with return.
func declarations(src []byte) ([]ast.Decl, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		if len(f.Body.List) > 0 {
			if _, returns := f.Body.List[0].(*ast.ReturnStmt); returns {
				continue
			}
		}
		f.Body.List = nil
	}
	return file.Decls, nil
}

// TestParse keeps what does not parse as it is, and leaves no trace of the first try.
func TestParse(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parseWithoutBodies(fset, "p.go", []byte("package p\nfunc f() { g() }\nfunc h( {"), parser.SkipObjectResolution)
	if err == nil || !strings.HasPrefix(err.Error(), "p.go:3:9:") {
		t.Errorf("the error is %v", err)
	}
	if f, ok := file.Decls[0].(*ast.FuncDecl); !ok || len(f.Body.List) != 1 {
		t.Errorf("the body of f is gone: %v", file.Decls)
	}
	n := 0
	fset.Iterate(func(*token.File) bool { n++; return true })
	if n != 1 {
		t.Errorf("%d files", n)
	}
}

package emit

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// FuzzLiteral prints function literals and checks that each line has the line number of its
// source and that the file is formatted.
func FuzzLiteral(f *testing.F) {
	for _, seed := range []string{
		"func() {}",
		"func(a int) int { return a }",
		"func(name string) (string, error) { if name == text { return name, nil }; for i := range name { println(i) }; return name, nil }",
		"func(a,\n b int,\n) (c int) {\n\n\n // A comment.\n return a + /* and */\n b }",
		"func() string {\n return `\n//line aiongen:1\n` + a\n}",
		"func() []int { return []int{1,\n 2, a,\n b} }",
		"func() { switch a { case b: c(); d()\n case e:\n f() }; select {}\n go func() { g() }()\n}",
		"func(x struct { a int; bb string\n c, d T `tag` }) { x.a, x.bb = 1, f(func() { g() }, h)\n label: for { continue label } }",
		"func() map[string]int { a := 1; b := 2; c := 3; d := 4; e := 5; f := 6; return map[string]int{`a`: a, `b`: b, `c`: c + d + e + f} }",
		"func() { if a { b() } else if c { d() } else { e() }\n var ( x = 1; yyy = 2\n z = 3 ) ; _ = x }",
	} {
		f.Add(seed, uint8(1))
		f.Add(seed, uint8(30))
	}
	f.Fuzz(func(t *testing.T, source string, line uint8) {
		fset := token.NewFileSet()
		text := "package p;" + strings.Repeat("\n", int(line)) + "var _ = " + source
		file, err := parser.ParseFile(fset, "p.aion", text, parser.SkipObjectResolution)
		if err != nil || len(file.Decls) != 1 {
			return
		}
		lit, ok := file.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0].(*ast.FuncLit)
		if !ok {
			return
		}
		decl := &ast.FuncDecl{Name: ast.NewIdent("doFunc"), Type: lit.Type, Body: lit.Body}
		p := hostile("plain")
		p.Files[0].Tools[0].Func.Literal = &model.Literal{Fset: fset, Decl: decl, Imports: []string{model.ToolPath}}
		files, err := Files(nil, p)
		if err != nil {
			t.Fatal(err)
		}
		content := files[0].Content
		if formatted, err := format.Source(content); err != nil || !bytes.Equal(content, formatted) {
			t.Errorf("not formatted: %v\n%s", err, content)
		}
		printed := token.NewFileSet()
		generated, err := parser.ParseFile(printed, "p.aion.go", content, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		last := generated.Decls[len(generated.Decls)-1].(*ast.FuncDecl)
		want, got := identifiers(decl), identifiers(last)
		if len(got) != len(want) {
			t.Fatalf("%d names of %d in\n%s", len(got), len(want), content)
		}
		for i, id := range got {
			before := content[:printed.PositionFor(id.Pos(), false).Offset]
			first := len(bytes.TrimSpace(before[bytes.LastIndexByte(before, '\n')+1:])) == 0
			if line := fset.PositionFor(want[i].Pos(), false).Line; first && printed.Position(id.Pos()).Line != line {
				t.Errorf("%s of line %d counts as one of %v in\n%s", id.Name, line, printed.Position(id.Pos()), content)
			}
		}
	})
}

// identifiers returns the names in a function except its own.
func identifiers(decl *ast.FuncDecl) (found []*ast.Ident) {
	for _, n := range []ast.Node{decl.Type, decl.Body} {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				found = append(found, id)
			}
			return true
		})
	}
	return found
}

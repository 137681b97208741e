package custom_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/custom"
	"github.com/aiongen/aiongen/gen/internal/godoc"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/schema"
)

// TestMethods reads what the schema methods of a type say.
func TestMethods(t *testing.T) {
	const reads = "package p; type T struct{}; func (*T) UnmarshalJSON([]byte) error { return nil }; "
	const library = "type S struct { Type any; Format, Pattern, Minimum string; Enum []any; AnyOf []*S }; "
	for _, test := range []struct{ source, want string }{
		{`func (T) JSONSchema() string { return "{\"type\":\"number\"}" }`, `{"type":"number"}`},
		{`const s = "{\"type\":" + "\"boolean\"}"; func (T) JSONSchema() string { return s }`, `{"type":"boolean"}`},
		{`func (T) JSONSchema() string { return "{" }`, `untold`},
		{`func (T) JSONSchema() string { return "[1]" }`, `untold`},
		{`func (T) JSONSchema() string { return "{\"type\":7}" }`, `untold`},
		{`func (T) JSONSchema(n int) string { return "{\"type\":\"number\"}" }`, `untold`},
		{`func (T) JSONSchema() string { x := 1; _ = x; return "{\"type\":\"number\"}" }`, `untold`},
		{`func (T) JSONSchema() []byte { return []byte("{\"type\":\"integer\",\"minimum\":-3}") }`, `{"type":"integer","minimum":-3}`},
		{`func (T) JSONSchema() []byte { return []byte("{\"type\":\"integer\",\"minimum\":0.5}") }`, `{"type":"integer"}`},
		{`func (T) JSONSchema() string { return "{\"type\":[\"string\",\"null\"]}" }`, `{"type":"string"}`},
		{`func (T) JSONSchema() string { return "{\"type\":[\"array\",\"object\"]}" }`, `untold`},
		{`func (T) JSONSchema() string { return "{\"type\":\"string\",\"pattern\":\"(?=a)\"}" }`, `{"type":"string"}`},
		{`func (T) JSONSchema() map[string]any { return map[string]any{"type": "integer", "minimum": 3} }`, `{"type":"integer","minimum":3}`},
		{library + `func (T) JSONSchema() *S { return &S{Type: "string", Format: "uuid"} }`, `{"type":"string","format":"uuid"}`},
		{library + `func (T) JSONSchema() *S { return &S{Type: "string", Format: "email"} }`, `{"type":"string"}`},
		{library + `func (T) JSONSchema() S { return S{Type: "string", Enum: []any{"a", "b"}} }`, `{"type":"string","enum":["a","b"]}`},
		{library + `func (T) JSONSchema() S { return S{Type: "string", Enum: []any{"<", "&"}} }`, `{"type":"string","enum":["<","&"]}`},
		{library + `func (T) JSONSchema() S { return S{Type: "string", Enum: []any{"a", f()}} }; func f() any { return 1 }`, `{"type":"string"}`},
		{library + `func (T) JSONSchema() S { return S{AnyOf: []*S{{Type: "string"}}} }`, `untold`},
		{library + `func (T) JSONSchema() S { return S{Type: f()} }; func f() string { return "string" }`, `untold`},
		{library + `func (T) JSONSchema() S { return f() }; func f() S { return S{Type: "string"} }`, `untold`},
		{`func (T) OpenAPISchemaType() []string { return []string{"array"} }`, `{"items":{},"type":"array"}`},
		{`func (T) OpenAPISchemaType() []string { return []string{"string"} }; func (T) OpenAPISchemaFormat() string { return "date-time" }`, `{"type":"string","format":"date-time"}`},
		{`func (T) OpenAPISchemaType() []string { return []string{"string"} }; func (T) OpenAPIV3OneOfTypes() []string { return []string{"string", "number"} }`, `{"anyOf":[{"type":"string"},{"type":"number"}]}`},
		{`func (T) OpenAPISchemaType() []string { return nil }`, `untold`},
		{`func (T) OpenAPIV3OneOfTypes() []string { return []string{"integer", "boolean", "string"} }`, `untold`},
		{``, `untold`},
	} {
		if got := described(t, reads+test.source); got != test.want {
			t.Errorf("%s: %s, not %s", test.source, got, test.want)
		}
	}
}

// described is the schema of the type T of a package.
func described(t *testing.T, source string) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	form := custom.Argument(pkg.Scope().Lookup("T").Type(), func(*types.Package) map[string]ast.Expr {
		return godoc.Read([]*ast.File{file}).Returns
	})
	if form == nil {
		return "untold"
	}
	return schema.Input(form, "users")
}

// TestUntold finds the parts that nothing is known of, in types that hold themselves, too.
func TestUntold(t *testing.T) {
	untold := &model.Type{Kind: model.Custom, Go: model.Basic("Age")}
	known := &model.Type{Kind: model.Custom, Elem: &model.Type{Kind: model.String}}
	itself := &model.Type{Kind: model.Slice}
	itself.Elem = itself
	user := &model.Type{Kind: model.StructKind}
	user.Fields = []*model.Field{
		{Name: "age", Type: untold}, {Name: "hidden", Type: untold, Hidden: true}, {Name: "known", Type: known},
		{Name: "ages", Type: &model.Type{Kind: model.Map, Elem: &model.Type{Kind: model.Slice, Elem: untold}}},
		{Name: "friend", Type: &model.Type{Kind: model.Pointer, Elem: user}}, {Name: "trees", Type: itself},
	}
	var got []string
	for _, p := range custom.Untold(user, "user") {
		got = append(got, p.Path)
	}
	if got, want := strings.Join(got, " "), "user.age user.ages{}[]"; got != want {
		t.Errorf("found %s, not %s", got, want)
	}
	if part, path := custom.Whole(&model.Type{Kind: model.Slice, Elem: &model.Type{Kind: model.Pointer, Elem: untold}}); part != untold || path != "[]" {
		t.Errorf("as a whole found %v at %q", part, path)
	}
	for _, other := range []*model.Type{user, known, itself} {
		if part, _ := custom.Whole(other); part != nil {
			t.Errorf("as a whole found %v", part)
		}
	}
}

// TestTableIsListed holds the page on the notation to the table.
func TestTableIsListed(t *testing.T) {
	page, err := os.ReadFile("../../../docs/notation.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range custom.Names() {
		if !strings.Contains(string(page), name) {
			t.Errorf("docs/notation.md does not list %s", name)
		}
	}
}

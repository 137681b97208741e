package shape_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/schemagen"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// TestSchemaMethods checks which forms are read from the schema methods of a type.
func TestSchemaMethods(t *testing.T) {
	const reads = "package p; type T struct{}; func (*T) UnmarshalJSON([]byte) error { return nil }; "
	const library = "type S struct { Type any; Format, Pattern, Minimum string; Enum []any; AnyOf, OneOf []*S; Const any; Required []string; Properties map[string]*S; AdditionalProperties any }; "
	for _, test := range []struct{ goSource, want string }{
		{`func (T) JSONSchema() string { return "{\"type\":\"number\"}" }`, `{"type":"number"}`},
		{`const s = "{\"type\":" + "\"boolean\"}"; func (T) JSONSchema() string { return s }`, `{"type":"boolean"}`},
		{`func (T) JSONSchema() string { return "{" }`, `untold`},
		{`func (T) JSONSchema() string { return "[1]" }`, `untold`},
		{`func (T) JSONSchema() string { return "{\"type\":7}" }`, `untold`},
		{`func (T) JSONSchema(n int) string { return "{\"type\":\"number\"}" }`, `untold`},
		{`func (T) JSONSchema() string { x := 1; _ = x; return "{\"type\":\"number\"}" }`, `untold`},
		{`func (T) JSONSchema() []byte { return []byte("{\"type\":\"integer\",\"minimum\":-3}") }`, `{"type":"integer","minimum":-3}`},
		{`func (T) JSONSchema() []byte { return []byte("{\"type\":\"integer\",\"minimum\":0.5}") }`, `{"type":"integer"}`},
		{`func (T) JSONSchema() string { return "{\"type\":[\"string\",\"null\"]}" }`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`},
		{`func (T) JSONSchema() string { return "{\"type\":[\"null\",\"integer\"],\"minimum\":0}" }`, `{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}]}`},
		{`func (T) OpenAPIV3OneOfTypes() []string { return []string{"string", "number", "null"} }`, `{"anyOf":[{"anyOf":[{"type":"string"},{"type":"number"}]},{"type":"null"}]}`},
		{`func (T) JSONSchema() string { return "{\"type\":[\"array\",\"object\"]}" }`, `untold`},
		{`func (T) JSONSchema() string { return "{\"type\":\"string\",\"pattern\":\"(?=a)\"}" }`, `{"type":"string"}`},
		{`func (T) JSONSchema() map[string]any { return map[string]any{"type": "integer", "minimum": 3} }`, `{"type":"integer","minimum":3}`},
		{library + `func (T) JSONSchema() *S { return &S{Type: "string", Format: "uuid"} }`, `{"type":"string","format":"uuid"}`},
		{library + `func (T) JSONSchema() *S { return &S{Type: "string", Format: "email"} }`, `{"type":"string"}`},
		{library + `func (T) JSONSchema() S { return S{Type: "string", Enum: []any{"a", "b"}} }`, `{"type":"string","enum":["a","b"]}`},
		{library + `func (T) JSONSchema() S { return S{Type: "string", Enum: []any{"<", "&"}} }`, `{"type":"string","enum":["<","&"]}`},
		{library + `func (T) JSONSchema() S { return S{Type: "string", Enum: []any{"a", f()}} }; func f() any { return 1 }`, `{"type":"string"}`},
		{library + `func (T) JSONSchema() S { return S{AnyOf: []*S{{Type: "string"}}} }`, `{"anyOf":[{"type":"string"}]}`},
		{library + `func (T) JSONSchema() S { return S{OneOf: []*S{{Type: "string"}, {Type: "object", Required: []string{"b"}, Properties: map[string]*S{"b": {Const: true}}, AdditionalProperties: false}}} }`,
			`{"oneOf":[{"type":"string"},{"additionalProperties":false,"properties":{"b":{"const":true}},"required":["b"],"type":"object"}]}`},
		{library + `func (T) JSONSchema() S { return S{Const: "<a>"} }`, `{"const":"<a>"}`},
		{library + `func (T) JSONSchema() S { return S{Const: 0.5} }`, `{"const":0.5}`},
		{library + `func (T) JSONSchema() S { return S{OneOf: []*S{{Type: f()}}} }; func f() string { return "string" }`, `untold`},
		{library + `func (T) JSONSchema() S { return S{OneOf: []*S{}} }`, `untold`},
		{`func (T) JSONSchema() string { return "{\"oneOf\": [ {\"type\":\"string\"}, {\"minimum\": 1e2, \"type\":\"number\"} ], \"description\": \"a or b\"}" }`, `{"oneOf":[{"type":"string"},{"minimum":1e2,"type":"number"}],"description":"a or b"}`},
		{`func (T) JSONSchema() string { return "{\"title\":\"T\",\"type\":\"object\",\"properties\":{\"k\":{\"const\":\"x\"}}}" }`, `{"type":"object","properties":{"k":{"const":"x"}}}`},
		{`func (T) JSONSchema() string { return "{\"anyOf\":[{\"$ref\":\"#/$defs/A\"}],\"$defs\":{\"A\":{}}}" }`, `untold`},
		{`func (T) JSONSchema() string { return "{\"anyOf\":7}" }`, `untold`},
		{library + `func (T) JSONSchema() S { return S{Type: f()} }; func f() string { return "string" }`, `untold`},
		{library + `func (T) JSONSchema() S { return f() }; func f() S { return S{Type: "string"} }`, `untold`},
		{`func (T) OpenAPISchemaType() []string { return []string{"array"} }`, `{"items":{},"type":"array"}`},
		{`func (T) OpenAPISchemaType() []string { return []string{"string"} }; func (T) OpenAPISchemaFormat() string { return "date-time" }`, `{"type":"string","format":"date-time"}`},
		{`func (T) OpenAPISchemaType() []string { return []string{"string"} }; func (T) OpenAPIV3OneOfTypes() []string { return []string{"string", "number"} }`, `{"anyOf":[{"type":"string"},{"type":"number"}]}`},
		{`func (T) OpenAPISchemaType() []string { return nil }`, `untold`},
		{`func (T) OpenAPIV3OneOfTypes() []string { return []string{"integer", "boolean", "string"} }`, `untold`},
		{``, `untold`},
	} {
		if got := schemaOf(t, reads+test.goSource); got != test.want {
			t.Errorf("%s: %s, not %s", test.goSource, got, test.want)
		}
	}
}

// schemaOf returns the schema of the type T of a package.
func schemaOf(t *testing.T, goSource string) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", goSource, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	form := shape.CustomArgument(pkg.Scope().Lookup("T").Type(), func(*types.Package) *source.PackageDoc {
		return source.ReadDocs([]*ast.File{file})
	})
	if form == nil {
		return "untold"
	}
	return schemagen.Input(form, "users")
}

// TestListUndescribed checks the parts of unknown form, also in recursive types.
func TestListUndescribed(t *testing.T) {
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
	for _, p := range shape.ListUndescribed(user, "user") {
		got = append(got, p.Path)
	}
	if got, want := strings.Join(got, " "), "user.age user.ages{}[]"; got != want {
		t.Errorf("found %s, not %s", got, want)
	}
	if part, path := shape.FindUndescribed(&model.Type{Kind: model.Slice, Elem: &model.Type{Kind: model.Pointer, Elem: untold}}); part != untold || path != "[]" {
		t.Errorf("as a whole found %v at %q", part, path)
	}
	for _, other := range []*model.Type{user, known, itself} {
		if part, _ := shape.FindUndescribed(other); part != nil {
			t.Errorf("as a whole found %v", part)
		}
	}
}

// TestTableIsListed checks that docs/reference/types.md lists the well-known types.
func TestTableIsListed(t *testing.T) {
	page, err := os.ReadFile("../../../docs/reference/types.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range shape.Names() {
		if !strings.Contains(string(page), name) {
			t.Errorf("docs/reference/types.md does not list %s", name)
		}
	}
}

// TestKeywordsAreListed checks that docs/reference/types.md has an example of each keyword of the
// jsonschema tag.
func TestKeywordsAreListed(t *testing.T) {
	page, err := os.ReadFile("../../../docs/reference/types.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, keyword := range shape.Keywords() {
		if !regexp.MustCompile("`jsonschema:\"([^`]*,)?" + keyword + "[=,\"]").Match(page) {
			t.Errorf("docs/reference/types.md has no example of %s", keyword)
		}
	}
}

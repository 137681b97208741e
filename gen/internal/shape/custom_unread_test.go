package shape

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/source"
)

// TestUnreadSchema checks what is said about schema methods that do not describe their type.
func TestUnreadSchema(t *testing.T) {
	const reads = "package p; type T struct{}; func (*T) UnmarshalJSON([]byte) error { return nil }; "
	const library = "type S struct { Ref, Type string; Items *S }; "
	for goSource, want := range map[string]string{
		``: "",
		`func (T) JSONSchema() string { return "{\"$ref\":\"#/$defs/A\"}" }`:                                             "schema with $ref",
		`func (T) JSONSchema() map[string]any { return map[string]any{"anyOf": []any{map[string]any{"$ref": "x"}}} }`:    "schema with $ref",
		library + `func (T) JSONSchema() *S { return &S{Ref: "#/$defs/A"} }`:                                             "schema with $ref",
		`func (T) JSONSchema() string { return "{\"properties\":{\"ref\":{\"type\":\"string\"}}}" }`:                     "without a usable type",
		`func (T) JSONSchema(n int) string { return "{}" }`:                                                              "has parameters",
		`func (T) JSONSchema() string { return "{" }`:                                                                    "invalid JSON",
		`func (T) JSONSchema() string { x := "{}"; return x }`:                                                           "one return of constants",
		`func (T) JSONSchema() map[string]any { return map[string]any{"oneOf": []any{f()}} }; func f() any { return 1 }`: "is not a constant",
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", reads+goSource, 0)
		if err != nil {
			t.Fatal(err)
		}
		pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := explainUnread(pkg.Scope().Lookup("T").Type(), func(*types.Package) *source.PackageDoc {
			return source.ReadDocs([]*ast.File{file})
		})
		if !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, want %q", goSource, got, want)
		}
	}
}

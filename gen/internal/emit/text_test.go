package emit_test

import (
	"fmt"
	"go/format"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/emit"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// External text stays within a comment of one line or a string.
func ExampleCall() {
	users := model.GoType{Kind: model.GoMap, Elems: []model.GoType{model.Basic("string"), {Path: "example.com/users", Name: "User"}}}
	names := emit.NewNames(&model.Package{
		Imports: []model.Import{{Path: "example.com/users", Name: "users2", Renamed: true}},
		Local:   map[string]string{"in": "in2"},
	}).WithOwnImports()
	fmt.Println(emit.Comment("%s", "All users\n//go:embed secret"))
	fmt.Println(names.Local("in") + " := " + names.GoType(users) + "{}")
	fmt.Println(names.Member("in", "Key", "ID") + " = " + emit.Call("f", emit.Literal(`{"type":"string"}`), "1"))
	fmt.Println(names.Imports())
	// Output:
	// // All users //go:embed secret
	// in2 := map[string]users2.User{}
	// in2.Key.ID = f(`{"type":"string"}`, 1)
	// [users2 "example.com/users"]
}

// TestComment compares comments with go/format.
func TestComment(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                         "plain",
		"``so'' it is, '' or ``":        "“so” it is, ” or “",
		"run ```ls``` or ````a````, ``": "run ```ls``` or ````a````, “",
		"three ''' in a row":            "three ”' in a row",
		"https://x.y/it''s ``":          "https://x.y/it''s “",
		"a line\nand\t''":               "a line and ”",
		"# ''":                          "# ”",
	} {
		got := emit.Comment("T: %s", text)
		if got != "// T: "+want {
			t.Errorf("%q is %q", text, got)
		}
		source := "package p\n\n" + got + "\nvar T int\n"
		if formatted, err := format.Source([]byte(source)); err != nil || string(formatted) != source {
			t.Errorf("gofmt makes %s of %s", formatted, source)
		}
	}
}

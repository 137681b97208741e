package code_test

import (
	"fmt"

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// What comes from outside stays a comment of one line, or a string.
func Example() {
	users := model.GoType{Kind: model.GoMap, Elems: []model.GoType{model.Basic("string"), {Path: "example.com/users", Name: "User"}}}
	names := code.NamesOf(&model.Package{
		Imports: []model.Import{{Path: "example.com/users", Name: "users2", Renamed: true}},
		Local:   map[string]string{"in": "in2"},
	}).Apart()
	fmt.Println(code.Comment("%s", "All users\n//go:embed secret"))
	fmt.Println(names.Local("in") + " := " + names.GoType(users) + "{}")
	fmt.Println(names.Member("in", "Key", "ID") + " = " + code.Call("f", code.Literal(`{"type":"string"}`), "1"))
	fmt.Println(names.Imports())
	// Output:
	// // All users //go:embed secret
	// in2 := map[string]users2.User{}
	// in2.Key.ID = f(`{"type":"string"}`, 1)
	// [users2 "example.com/users"]
}

package code_test

import (
	"fmt"

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// What comes from outside stays a comment of one line, or a string.
func Example() {
	users := model.GoType{Kind: model.GoMap, Elems: []model.GoType{model.Basic("string"), {Path: "example.com/users", Name: "User"}}}
	names := code.Locals{"in": "in2"}
	fmt.Printf("%#v\n", code.Comment("%s", "All users\n//go:embed secret"))
	fmt.Printf("%#v\n", names.Local("in").Op(":=").Add(code.GoType(users)).Values())
	fmt.Printf("%#v\n", names.Member("in", []string{"Key", "ID"}).Op("=").Add(code.Literal(`{"type":"string"}`)))
	// Output:
	// // All users //go:embed secret
	// in2 := map[string]users.User{}
	// in2.Key.ID = `{"type":"string"}`
}

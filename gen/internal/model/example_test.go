package model_test

import (
	"fmt"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// String writes a type as messages show it.
func ExampleGoType_String() {
	user := model.GoType{Path: "example.com/app/users", Name: "User"}
	fmt.Println(model.GoType{Kind: model.GoMap, Elems: []model.GoType{model.Basic("string"), user}})
	// Output:
	// map[string]User
}

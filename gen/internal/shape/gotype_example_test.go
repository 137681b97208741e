package shape_test

import (
	"fmt"
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/shape"
)

// Another package cannot name unexported types.
func ExampleTypeWriter_GoType() {
	users := types.NewPackage("example.com/users", "users")
	w := shape.TypeWriter{
		Package: &load.Package{Path: users.Path(), Name: users.Name(), Types: users},
		Target:  shape.Target{Path: "example.com/tools", Name: "tools"},
	}
	for _, name := range []string{"User", "record", "_Ctype_int"} {
		named := types.NewNamed(types.NewTypeName(token.NoPos, users, name, nil), types.NewStruct(nil, nil), nil)
		if t, err := w.GoType(types.NewSlice(named)); err != nil {
			fmt.Println(err)
		} else {
			fmt.Println(t)
		}
	}
	// Output:
	// []User
	// type record is not exported, so package tools cannot name it
	// C.int of package users is a type that only cgo knows
}

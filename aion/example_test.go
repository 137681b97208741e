package aion_test

import (
	"errors"
	"fmt"
	"os"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
)

func Example() {
	src := []byte(`[
  {
    name --> "find_user",
    function --> "FindUser" --> {
      arg-1 --> "string (the user's name)"
    },
    desc --> "Finds a user."
  }
]
`)
	doc, faults := aion.Parse("users.aion", src)
	fmt.Println(doc.Elements[0].Name.Value, doc.Elements[0].Function.Args[0].Note.Type)

	var unknown *aion.PropertyError
	fmt.Println(errors.As(faults.Err(), &unknown), unknown.Nearest)

	printer := diag.Printer{Read: func(string) ([]byte, error) { return src, nil }}
	if err := printer.Print(os.Stdout, faults); err != nil {
		fmt.Println(err)
	}
	// Output:
	// find_user string
	// true description
	// users.aion:7:5: error: an element has no property "desc" [unknown-property]
	//   7 |     desc --> "Finds a user."
	//     |     ^^^^
	// help: did you mean "description"?
}

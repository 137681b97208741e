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

// Add a tool to a file, and change the description of another one.
func ExampleFormat() {
	doc, faults := aion.Parse("users.aion", []byte(`// What the desk knows of its users.
[
  {
    name --> "find_user",
    function --> "FindUser" --> {
      arg-1 --> "int | min=1 | the number" // given to each user once
    }
  }
]
`))
	if err := faults.Err(); err != nil {
		fmt.Println(err)
		return
	}
	doc.Elements[0].Function.Args[0].Note.Description = "number of the user"
	doc.Elements = append(doc.Elements, &aion.Element{
		Name: aion.Text{Value: "rename_user"},
		Function: &aion.Function{
			Text: aion.Text{Value: "RenameUser"},
			Args: []aion.Entry{
				{Name: aion.Text{Value: "arg-1"}, Note: aion.Note{Type: "int"}},
				{Name: aion.Text{Value: "arg-2"}, Note: aion.Note{Type: "string", Description: "the new name"}},
			},
		},
	})
	text, err := aion.Format(doc)
	fmt.Printf("%s%v", text, err)
	// Output:
	// // What the desk knows of its users.
	// [
	//   {
	//     name --> "find_user",
	//     function --> "FindUser" --> {
	//       arg-1 --> "int (number of the user) | min=1" // given to each user once
	//     }
	//   },
	//   {
	//     name --> "rename_user",
	//     function --> "RenameUser" --> {
	//       arg-1 --> "int",
	//       arg-2 --> "string (the new name)"
	//     }
	//   }
	// ]
	// <nil>
}

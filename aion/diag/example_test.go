package diag_test

import (
	"fmt"
	"os"

	"github.com/aiongen/aiongen/aion/diag"
)

func Example() {
	const src = "name --> \"A\",\nlnk --> \"https://example.com\"\n"
	at := diag.Span{
		File:  "a.aion",
		Start: diag.Pos{Offset: 14, Line: 2, Column: 1},
		End:   diag.Pos{Offset: 17, Line: 2, Column: 4},
	}
	var list diag.List
	list.Errorf("unknown-property", at, "no property %q", "lnk").
		WithHelp("did you mean %q?", "link")

	fmt.Println(list.Err())
	printer := diag.Printer{Read: func(string) ([]byte, error) { return []byte(src), nil }}
	if err := printer.Print(os.Stdout, list); err != nil {
		fmt.Println(err)
	}
	// Output:
	// a.aion:2:1: error: no property "lnk" [unknown-property]
	// a.aion:2:1: error: no property "lnk" [unknown-property]
	//   2 | lnk --> "https://example.com"
	//     | ^^^
	// help: did you mean "link"?
}

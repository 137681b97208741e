package reader_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
)

func Example_inOrder() {
	text := "{a: 1,}"
	l := reader.Log{Editing: true}
	l.Edit(reader.Comma, 5, 6, "")
	l.Edit(reader.Quotes, 1, 2, `"a"`)
	for _, e := range reader.SortEdits(text, l.Edits) {
		fmt.Println(e.Offset, e.Kind, e.Before, e.After)
	}
	// Output:
	// 1 quotes a "a"
	// 5 comma ,
}

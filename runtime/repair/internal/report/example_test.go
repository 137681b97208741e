package report_test

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/report"
)

func ExampleInOrder() {
	text := "{a: 1,}"
	l := report.Log{Editing: true, Made: &strings.Builder{}}
	l.Edit(report.Comma, 5, 6, "")
	l.Edit(report.Quotes, 1, 2, `"a"`)
	for _, e := range report.InOrder(text, l.Made.String(), l.Edits) {
		fmt.Println(e.Offset, e.Kind, e.Before, e.After)
	}
	// Output:
	// 1 quotes a "a"
	// 5 comma ,
}

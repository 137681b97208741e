package slim_test

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/slim"
)

// Of a large result, a model gets what tells the most for the least.
func ExampleProposals() {
	text := &model.Type{Kind: model.String, Go: model.Basic("string")}
	page := &model.Type{Kind: model.StructKind, Go: model.GoType{Name: "Page"}, Fields: []*model.Field{
		{Name: "id", Path: []string{"ID"}, Type: text},
		{Name: "title", Path: []string{"Title"}, Type: text},
		{Name: "legal", Path: []string{"Legal"}, Type: text, Description: strings.Repeat("All that lawyers say. ", 2000)},
		{Name: "author", Path: []string{"Author"}, Type: text},
	}}
	find := &model.Tool{Name: "find", Func: &model.Func{Results: []bool{true}}, Result: page, Output: strings.Repeat(" ", 44_000)}
	for _, p := range slim.Proposals(find) {
		fmt.Println(p.Message)
		fmt.Println(p.Entry, "-->", p.Type, "| only =", p.Only)
	}
	// Output:
	// find: the schema of the result has 42 kB, which a model reads with every request
	// return-1 --> dict | only = [id title author]
}

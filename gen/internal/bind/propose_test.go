package bind_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/bind"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// For a large result, the proposal selects small members.
func ExampleProposeNotes() {
	text := &model.Type{Kind: model.String, Go: model.Basic("string")}
	page := &model.Type{Kind: model.StructKind, Go: model.GoType{Name: "Page"}, Fields: []*model.Field{
		{Name: "id", Path: []string{"ID"}, Type: text},
		{Name: "title", Path: []string{"Title"}, Type: text},
		{Name: "legal", Path: []string{"Legal"}, Type: text, Description: strings.Repeat("All that lawyers say. ", 2000)},
		{Name: "author", Path: []string{"Author"}, Type: text},
	}}
	find := &model.Tool{Name: "find", Func: &model.Func{Results: []bool{true}}, Result: page, Output: strings.Repeat(" ", 44_000)}
	for _, p := range bind.ProposeNotes(find) {
		fmt.Println(p.Message)
		fmt.Println(p.Entry, "-->", p.Type, "| only =", p.Only)
	}
	// Output:
	// find: the schema of the result has 42 kB, which the model reads with every request
	// return-1 --> dict | only = [id title author]
}

// TestProposeVariant proposes the variant of a union that has the fields of all others, if its name says so.
func TestProposeVariant(t *testing.T) {
	text := &model.Type{Kind: model.String, Go: model.Basic("string")}
	variant := func(name, goName string) *model.Field {
		id := &model.Field{Name: "id", Path: []string{"ID"}, Type: text, Description: strings.Repeat("An ID. ", 40)}
		return &model.Field{Name: name, Path: []string{goName}, Type: &model.Type{Kind: model.StructKind, Go: model.GoType{Name: goName}, Fields: []*model.Field{id}}}
	}
	union := func(name string) *model.Type {
		return &model.Type{Kind: model.Union, Member: "kind", Go: model.GoType{Name: name}, Fields: []*model.Field{variant("a", "RecordA"), variant("record", "Record"), variant("z", "RecordZ")}}
	}
	list := &model.Type{Kind: model.Slice, Elem: union("RecordUnion")}
	args := &model.Type{Kind: model.StructKind, Go: model.GoType{Name: "Params"}, Fields: []*model.Field{
		{Name: "body", Path: []string{"Body"}, Type: union("RecordUnion")},
		{Name: "list", Path: []string{"List"}, Type: list},
		{Name: "other", Path: []string{"Other"}, Type: union("Other")},
	}}
	create := &model.Tool{Name: "create", Func: &model.Func{Args: []model.Arg{{Source: model.FromArgs}}}, Args: args, Input: strings.Repeat(" ", 44_000)}
	proposals := bind.ProposeNotes(create)
	if got, want := fmt.Sprint(proposals[0].Only), "[body.record list.record other]"; got != want {
		t.Errorf("proposed %s, want %s", got, want)
	}
}

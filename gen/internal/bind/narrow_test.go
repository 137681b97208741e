package bind_test

import (
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/bind"
	"github.com/aiongen/aiongen/gen/internal/model"
)

var user = &model.Type{Kind: model.StructKind, Go: model.GoType{Path: "example.com/users", Name: "User"}, Fields: []*model.Field{
	{Name: "name", Path: []string{"Name"}, Type: &model.Type{Kind: model.String}},
	{Name: "home", Path: []string{"Home"}, Type: &model.Type{Kind: model.StructKind, Fields: []*model.Field{
		{Name: "city", Path: []string{"City"}, Type: &model.Type{Kind: model.String}},
		{Name: "street", Path: []string{"Street"}, Type: &model.Type{Kind: model.String}},
	}}},
}}

func noFields(*model.Type) *model.Type { return nil }

func ExampleNarrowType() {
	note, _ := aion.ParseNote("dict | only=home.city")
	t, faults := bind.NarrowType(user, &note, "find_user", noFields)
	home := t.Fields[0]
	fmt.Println(len(t.Fields), home.Name, len(home.Type.Fields), home.Type.Fields[0].Name, faults.Err())

	note, _ = aion.ParseNote("dict | omit=home.town")
	_, faults = bind.NarrowType(user, &note, "find_user", noFields)
	fmt.Println(faults[0].Message)
	// Output:
	// 1 home 1 city <nil>
	// home.town: home, an object in Go, has no field town
}

// TestNarrowTypeUnchanged checks that paths that change nothing return the type itself.
func TestNarrowTypeUnchanged(t *testing.T) {
	for _, text := range []string{"dict", "dict | omit=home.nothing", "dict | only=*.city.x"} {
		note, faults := aion.ParseNote(text)
		if faults.Err() != nil {
			t.Fatal(faults)
		}
		if got, _ := bind.NarrowType(user, &note, "find_user", noFields); got != user {
			t.Errorf("%s: another type", text)
		}
	}
	if len(user.Fields) != 2 || len(user.Fields[1].Type.Fields) != 2 {
		t.Error("the type itself was changed")
	}
}

func TestAsText(t *testing.T) {
	for _, tt := range []struct {
		t    *model.Type
		want model.Kind
		ok   bool
	}{
		{&model.Type{Kind: model.Bytes}, model.ByteText, true},
		{&model.Type{Kind: model.Ref, Stringer: true}, model.Stringer, true},
		{&model.Type{Kind: model.Int}, model.Int, false},
		{&model.Type{Kind: model.Bytes, Form: model.ProtoJSON}, model.Bytes, false},
	} {
		got, problem := bind.AsText(tt.t)
		if got.Kind != tt.want || (problem == "") != tt.ok {
			t.Errorf("%v: %v, %q", tt.t.Kind, got.Kind, problem)
		}
		list, problem := bind.AsText(&model.Type{Kind: model.Slice, Elem: tt.t})
		if list.Elem.Kind != tt.want || (problem == "") != tt.ok {
			t.Errorf("a list of %v: of %v, %q", tt.t.Kind, list.Elem.Kind, problem)
		}
	}
}

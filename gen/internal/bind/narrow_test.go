package bind

import (
	"testing"

	"github.com/aiongen/aiongen/aion"
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

func TestNarrowType(t *testing.T) {
	note, _ := aion.ParseNote("dict | only=home.city")
	narrowed, faults := narrowType(user, &note, "find_user", noFields)
	if faults.Err() != nil || len(narrowed.Fields) != 1 || narrowed.Fields[0].Name != "home" {
		t.Fatalf("%+v, %v", narrowed.Fields, faults)
	}
	if home := narrowed.Fields[0].Type; len(home.Fields) != 1 || home.Fields[0].Name != "city" {
		t.Errorf("%+v", home.Fields)
	}
	note, _ = aion.ParseNote("dict | omit=home.town")
	_, faults = narrowType(user, &note, "find_user", noFields)
	if len(faults) != 1 || faults[0].Message != "home.town: home, an object in Go, has no field town" {
		t.Errorf("%v", faults)
	}
}

// TestNarrowTypeUnchanged checks that paths that change nothing return the type itself.
func TestNarrowTypeUnchanged(t *testing.T) {
	for _, text := range []string{"dict", "dict | omit=home.nothing", "dict | only=*.city.x"} {
		note, faults := aion.ParseNote(text)
		if faults.Err() != nil {
			t.Fatal(faults)
		}
		if got, _ := narrowType(user, &note, "find_user", noFields); got != user {
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
		got, problem := asText(tt.t)
		if got.Kind != tt.want || (problem == "") != tt.ok {
			t.Errorf("%v: %v, %q", tt.t.Kind, got.Kind, problem)
		}
		list, problem := asText(&model.Type{Kind: model.Slice, Elem: tt.t})
		if list.Elem.Kind != tt.want || (problem == "") != tt.ok {
			t.Errorf("a list of %v: of %v, %q", tt.t.Kind, list.Elem.Kind, problem)
		}
	}
}

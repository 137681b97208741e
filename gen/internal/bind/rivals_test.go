package bind

import (
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// TestRivals checks notes on fields of which arguments may have at most one.
func TestRivals(t *testing.T) {
	text := &model.Type{Kind: model.String, Go: model.Basic("string")}
	for _, tt := range []struct {
		fields []*model.Field
		want   string
	}{
		{[]*model.Field{{Name: "a", Type: text, Oneof: "x", Optional: true}, {Name: "b", Type: text, Oneof: "x", Optional: true}}, ""},
		{[]*model.Field{{Name: "a", Type: text, Oneof: "x", Optional: true, Default: `"d"`}, {Name: "c", Type: text, Optional: true}}, ""},
		{[]*model.Field{{Name: "a", Type: text, Oneof: "x", Optional: true, Default: `"d"`}, {Name: "b", Type: text, Oneof: "x", Optional: true, Hidden: true}}, ""},
		{[]*model.Field{{Name: "a", Type: text, Oneof: "x", Optional: true}, {Name: "b", Type: text, Oneof: "x", Optional: true, Default: `"d"`}}, "default= does not apply to b"},
		{[]*model.Field{{Name: "a", Type: text, Oneof: "x"}, {Name: "b", Type: text, Oneof: "x", Optional: true}}, "required does not apply to a"},
	} {
		message := &model.Type{Kind: model.StructKind, Fields: tt.fields}
		message.Fields = append(message.Fields, &model.Field{Name: "self", Type: &model.Type{Kind: model.Pointer, Elem: message}, Optional: true})
		args := &model.Type{Kind: model.StructKind, Fields: []*model.Field{{Name: "list", Type: &model.Type{Kind: model.Slice, Elem: message}}}}
		el := &element{Element: &aion.Element{Function: &aion.Function{}}, tool: &model.Tool{Name: "t"}}
		el.checkRivals(args, &model.TypeSet{})
		got := ""
		for _, d := range el.faults {
			got += d.Message
		}
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// TestOpenEnum opens enums whose values protojson checks, which read no other values.
func TestOpenEnum(t *testing.T) {
	enum := &model.Type{Kind: model.String, Go: model.Basic("State"), Enum: []model.Const{{Value: `"A"`}, {Value: `"B"`}}}
	message := *enum
	message.Form = model.ProtoJSON
	for _, tt := range []struct {
		t    *model.Type
		want string
	}{
		{enum, ""},
		{&model.Type{Kind: model.Slice, Elem: enum}, ""},
		{&message, "Protocol Buffers"},
		{&model.Type{Kind: model.Map, Elem: &model.Type{Kind: model.Slice, Elem: &message}}, "Protocol Buffers"},
		{&model.Type{Kind: model.Int, Go: model.Basic("int")}, "has no enum"},
	} {
		opened, problem := openEnum(tt.t)
		if !strings.Contains(problem, tt.want) || (problem == "") != (tt.want == "") || (opened == tt.t) != (problem != "") {
			t.Errorf("problem %q, want %q", problem, tt.want)
		}
	}
}

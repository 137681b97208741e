package contract

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// TestReferences checks where a value contains variables, and their Go types.
func TestReferences(t *testing.T) {
	ref := func(name string) *model.Type {
		return &model.Type{Kind: model.Ref, Go: model.Basic(name)}
	}
	tree := &model.Type{Kind: model.StructKind}
	tree.Fields = []*model.Field{{Name: "leaf", Type: ref("Leaf")}, {Name: "kids", Type: &model.Type{Kind: model.Slice, Elem: tree}}}
	for _, test := range []struct {
		name string
		typ  *model.Type
		want map[string]string
	}{
		{"none", &model.Type{Kind: model.String}, nil},
		{"itself", ref("User"), map[string]string{"": "User"}},
		{"elements", &model.Type{Kind: model.Slice, Elem: &model.Type{Kind: model.Map, Elem: ref("User")}}, map[string]string{"/*/*": "User"}},
		{"behind a pointer", &model.Type{Kind: model.Pointer, Elem: ref("User")}, map[string]string{"": "User"}},
		{"members", &model.Type{Kind: model.StructKind, Fields: []*model.Field{{Name: "a/b", Type: ref("A")}, {Name: "c", Type: &model.Type{Kind: model.Int}}}}, map[string]string{"/a~1b": "A"}},
		{"a type that holds itself", tree, map[string]string{"/leaf": "Leaf"}},
	} {
		if diff := cmp.Diff(test.want, findReferences(test.typ)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// TestArgumentPlace checks that an argument has the position of its note, or else of the parts that
// the note describes.
func TestArgumentPlace(t *testing.T) {
	for _, test := range []struct {
		function string
		i, n     int
		want     string
	}{
		{`"f" --> { arg-1 --> "int", arg-2 --> "string" }`, 1, 2, "string"},
		{`"f" --> { arg-1 --> "the whole" }`, 1, 2, "the whole"},
		{`"f" --> {}`, 0, 1, "f"},
	} {
		source := `[ { name --> "x", function --> ` + test.function + `, description --> "Does x." } ]`
		doc, faults := aion.Parse("x.aion", []byte(source))
		if faults.Err() != nil {
			t.Fatal(faults)
		}
		at := findArgumentPlace(doc.Elements[0], test.i, test.n)
		if got := source[at.Start.Offset:at.End.Offset]; got != test.want && got != `"`+test.want+`"` {
			t.Errorf("%s, argument %d of %d: %s", test.function, test.i, test.n, got)
		}
	}
}

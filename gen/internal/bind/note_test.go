package bind

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
	"github.com/aiongen/aiongen/internal/values"
)

func newNoteReader() noteReader {
	users := types.NewPackage("example.com/users", "users")
	pkg := &load.Package{Path: users.Path(), Name: users.Name(), Fset: token.NewFileSet(), Types: users}
	w := shape.TypeWriter{Package: pkg, Target: shape.Target{Path: pkg.Path, Name: pkg.Name}}
	docs, given := source.NewDocReader(pkg), &resolve.Supply{}
	shapes := shape.New(w, docs, given.FillsType)
	return noteReader{Scope: resolve.New(w, docs, shapes, given), Shapes: shapes}
}

// TestAcceptsType checks that a word accepts several Go types: string also accepts bytes, which JSON
// represents as text.
func TestAcceptsType(t *testing.T) {
	r := newNoteReader()
	bytes := &model.Type{Kind: model.Bytes, Go: model.GoType{Kind: model.GoSlice, Elems: []model.GoType{model.Basic("byte")}}}
	for _, tt := range []struct {
		word          string
		wantOK, known bool
	}{{"string", true, true}, {"list[int]", false, true}, {"blob", false, false}} {
		if ok, known := r.acceptsType(tt.word, bytes); ok != tt.wantOK || known != tt.known {
			t.Errorf("%s: %t, known %t", tt.word, ok, known)
		}
	}
}

// TestApplyOptions checks that limits in a note must be within those of the Go type.
func TestApplyOptions(t *testing.T) {
	r := newNoteReader()
	for limit, want := range map[string]string{
		"10":  "",
		"300": "error: arg-1: the bound 300 is not an integer in the range of the type: it is uint8 in Go [bad-bound]",
	} {
		age := &model.Field{Name: "age", Type: &model.Type{Kind: model.Uint, Go: model.Basic("uint8"), Bits: 8}}
		entry := aion.Entry{Name: aion.Text{Value: "arg-1"}}
		entry.Note.Max = &values.Literal{Text: limit}
		err := r.applyOptions(entry, age).Err()
		if (err == nil) != (want == "") || err != nil && err.Error() != want || (age.Type.Max == limit) != (want == "") {
			t.Errorf("at most %q, %v; want %q", age.Type.Max, err, want)
		}
	}
}

// TestAcceptsCustom checks that a type with its own UnmarshalJSON, or a pointer to it, is
// accepted as any and as its known form.
func TestAcceptsCustom(t *testing.T) {
	stamp := &model.Type{Kind: model.Custom, Go: model.GoType{Path: "example.com/users", Name: "Stamp"}, Elem: &model.Type{Kind: model.StructKind}}
	pointer := &model.Type{Kind: model.Pointer, Go: model.GoType{Kind: model.GoPointer, Elems: []model.GoType{stamp.Go}}, Elem: stamp}
	for _, declared := range []*model.Type{stamp, pointer} {
		for word, want := range map[string]bool{"any": true, "dict": true, "string": false} {
			if ok, known := newNoteReader().acceptsType(word, declared); ok != want || !known {
				t.Errorf("%s as %q: %t, known %t", declared.Go, word, ok, known)
			}
		}
	}
}

package note_test

import (
	"fmt"
	"go/token"
	"go/types"
	"testing"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/godoc"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/note"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/supply"
	"github.com/aiongen/aiongen/internal/values"
)

func reader() note.Reader {
	users := types.NewPackage("example.com/users", "users")
	pkg := &load.Package{Path: users.Path(), Name: users.Name(), Fset: token.NewFileSet(), Types: users}
	w := gotype.Writer{Package: pkg, Target: gotype.Target{Path: pkg.Path, Name: pkg.Name}}
	docs, given := godoc.NewReader(pkg), &supply.Supply{}
	return note.Reader{Scope: resolve.New(w, docs, given), Shapes: shape.New(w, docs, given.Fills)}
}

// A word accepts more than one Go type: text is also what JSON has bytes as.
func ExampleReader_Accepts() {
	r := reader()
	bytes := &model.Type{Kind: model.Bytes, Go: model.GoType{Kind: model.GoSlice, Elems: []model.GoType{model.Basic("byte")}}}
	for _, word := range []string{"string", "list[int]", "blob"} {
		ok, known := r.Accepts(word, bytes)
		fmt.Println(word, ok, known)
	}
	// Output:
	// string true true
	// list[int] false true
	// blob false false
}

// What a note allows must be among what Go does.
func ExampleReader_Allow() {
	r := reader()
	for _, limit := range []string{"10", "300"} {
		age := &model.Field{Name: "age", Type: &model.Type{Kind: model.Uint, Go: model.Basic("uint8"), Bits: 8}}
		entry := aion.Entry{Name: aion.Text{Value: "arg-1"}}
		entry.Note.Max = &values.Literal{Text: limit}
		faults := r.Allow(entry, age)
		fmt.Printf("at most %q, %v\n", age.Type.Max, faults.Err())
	}
	// Output:
	// at most "10", <nil>
	// at most "", error: arg-1: the bound 300 is no integer in the range of the type: it is uint8 in Go [bad-bound]
}

// TestAcceptsCustom: a type that reads itself from JSON is any, also behind a pointer, or
// what it holds.
func TestAcceptsCustom(t *testing.T) {
	stamp := &model.Type{Kind: model.Custom, Go: model.GoType{Path: "example.com/users", Name: "Stamp"}, Elem: &model.Type{Kind: model.StructKind}}
	pointer := &model.Type{Kind: model.Pointer, Go: model.GoType{Kind: model.GoPointer, Elems: []model.GoType{stamp.Go}}, Elem: stamp}
	for _, declared := range []*model.Type{stamp, pointer} {
		for word, want := range map[string]bool{"any": true, "dict": true, "string": false} {
			if ok, known := reader().Accepts(word, declared); ok != want || !known {
				t.Errorf("%s as %q: %t, known %t", declared.Go, word, ok, known)
			}
		}
	}
}

package emit_test

import (
	"fmt"

	"github.com/aiongen/aiongen/gen/internal/emit"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// A struct is read and written member by member.
func ExampleCodec_AddFunctions() {
	point := &model.Type{
		Kind: model.StructKind, Go: model.GoType{Name: "Point"}, Def: &model.Def{Stem: "Point", Name: "Point"},
		Reader: "decodePoint", Writer: "encodePoint",
		Fields: []*model.Field{
			{Name: "x", Path: []string{"X"}, Type: &model.Type{Kind: model.Int, Go: model.Basic("int"), Min: "0"}},
			{Name: "label", Path: []string{"Label"}, Type: &model.Type{Kind: model.String, Go: model.Basic("string")}, Optional: true},
		},
	}
	codec := emit.Codec{Names: emit.NewNames(&model.Package{}).WithOwnImports()}
	var lines emit.Lines
	codec.AddFunctions(&lines, point)
	fmt.Printf("%s", lines.LayOut(nil))
	// Output:
	// func decodePoint(v wire.Value, x *Point) {
	// 	if wire.ReadReference(v, x) {
	// 		return
	// 	}
	// 	o := v.Object()
	// 	x.X = o.Get("x").Min(0).Int()
	// 	x.Label = o.Opt("label").Str()
	// 	o.Done()
	// }
	//
	// func encodePoint(e *wire.Encoder, lead string, v *Point) {
	// 	if !e.Open(lead) {
	// 		return
	// 	}
	// 	e.Int(`,"x":`, int64(v.X))
	// 	e.Str(`,"label":`, v.Label)
	// 	e.Close()
	// }
}

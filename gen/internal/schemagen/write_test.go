package schemagen

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/invopop/jsonschema"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// TestText writes random schemas with the members that the builder uses, and compares them
// with encoding/json.
func TestText(t *testing.T) {
	members := membersInUse(t)
	if len(members) < 20 {
		t.Fatalf("the builder uses no more than %v", members)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		s := randomSchema(random, members, 2)
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&schemaPool{}).writeSchema(s); got != jsontext.UnescapeHTML(string(want)) {
			t.Fatalf("%s, want %s", got, want)
		}
	}
}

// membersInUse returns the fields of schemas that the source of the builder mentions.
func membersInUse(t *testing.T) (used []reflect.StructField) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "schema.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok {
				named[key.Name] = true
			}
		case *ast.SelectorExpr:
			if of, ok := n.X.(*ast.Ident); ok && of.Name != "t" && of.Name != "f" && of.Name != "model" && of.Name != "slices" { // the types have fields with the same names
				named[n.Sel.Name] = true
			}
		}
		return true
	})
	for _, f := range reflect.VisibleFields(reflect.TypeFor[jsonschema.Schema]()) {
		if named[f.Name] && f.Name != "Extras" {
			used = append(used, f)
		}
	}
	return used
}

// randomSchema returns a schema with a few members and at most depth levels below it.
func randomSchema(random *rand.Rand, members []reflect.StructField, depth int) *jsonschema.Schema {
	switch random.IntN(12) {
	case 0:
		return jsonschema.FalseSchema
	case 1:
		return &jsonschema.Schema{Extras: map[string]any{}}
	}
	s := &jsonschema.Schema{}
	for range random.IntN(4) {
		member := members[random.IntN(len(members))]
		reflect.ValueOf(s).Elem().FieldByIndex(member.Index).Set(randomValue(random, members, member.Type, depth))
	}
	return s
}

func randomValue(random *rand.Rand, members []reflect.StructField, t reflect.Type, depth int) reflect.Value {
	below := func() *jsonschema.Schema {
		if depth == 0 {
			return &jsonschema.Schema{Type: "null"}
		}
		return randomSchema(random, members, depth-1)
	}
	texts := []string{"", "a", "-->", "\u2028 \x01 \"\\", "é\xff"}
	word := texts[random.IntN(len(texts))]
	n := uint64(random.IntN(3))
	properties := jsonschema.NewProperties()
	for range random.IntN(3) {
		properties.Set(texts[random.IntN(3)], below())
	}
	for _, v := range []any{
		below(), []*jsonschema.Schema{below(), below()}, jsonschema.Definitions{"b": below(), word: below()}, properties,
		word, json.Number("1e5"), &n, n > 0, []string{word, "b"}, []any{word, json.RawMessage(jsontext.Quote(word)), json.RawMessage("1.5")},
	} {
		if reflect.TypeOf(v) == t {
			return reflect.ValueOf(v)
		}
	}
	return reflect.ValueOf(json.RawMessage(jsontext.Quote(word))) // of any
}

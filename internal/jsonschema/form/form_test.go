package form_test

import (
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema/form"
)

func ExampleCheck() {
	fmt.Println(form.Check(`{"properties":{"city":{"type":"string"}}}`))
	fmt.Println(form.Check(`{"properties":{"city":{"type":"text"}}}`))
	// Output:
	// <nil>
	// /properties/city/type must be one of object, array, string, number, integer, boolean, null, or a list of them
}

// TestCheck: the parts of a schema are looked at, whatever the keyword. Before the
// keywords had one home, those of the first rows were not.
func TestCheck(t *testing.T) {
	for schema, want := range map[string]string{
		`{"unevaluatedProperties":1}`:              "/unevaluatedProperties must be an object, true or false",
		`{"unevaluatedItems":{"type":"text"}}`:     "/unevaluatedItems/type must be one of object, array, string, number, integer, boolean, null, or a list of them",
		`{"contentSchema":[1]}`:                    "/contentSchema/0 must be an object, true or false",
		`{"dependencies":{"a":1}}`:                 "/dependencies/a must be an object, true or false",
		`{"dependencies":{"a":["b"],"b":{}}}`:      "",
		`{"anyOf":[true,{"items":{"enum":"a"}}]}`:  "/anyOf/1/items/enum must be a list of values",
		`{"items":[{},{"required":[1]}]}`:          "/items/1/required must be a list of names",
		`{"allOf":{}}`:                             "/allOf must be a list of schemas",
		`{"$defs":[]}`:                             "/$defs must be an object of schemas",
		`{"properties":{"a/b":1,"$ref":{}}}`:       "/properties/a~1b must be an object, true or false",
		`{"const":{"properties":1},"default":[1]}`: "",
	} {
		got := ""
		if err := form.Check(schema); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", schema, got, want)
		}
	}
}

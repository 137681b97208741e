package jsonschema_test

import (
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema"
)

func ExampleCheckForm() {
	fmt.Println(jsonschema.CheckForm(`{"properties":{"city":{"type":"string"}}}`))
	fmt.Println(jsonschema.CheckForm(`{"properties":{"city":{"type":"text"}}}`))
	// Output:
	// <nil>
	// /properties/city/type must be one of object, array, string, number, integer, boolean, null, or a list of them
}

// TestCheck checks that the subschemas of every keyword are examined. An earlier version missed those
// of the first rows.
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
		if err := jsonschema.CheckForm(schema); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", schema, got, want)
		}
	}
}

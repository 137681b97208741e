package form_test

import (
	"fmt"

	"github.com/aiongen/aiongen/internal/jsonschema/form"
)

func ExampleCheck() {
	fmt.Println(form.Check(`{"properties":{"city":{"type":"string"}}}`))
	fmt.Println(form.Check(`{"properties":{"city":{"type":"text"}}}`))
	// Output:
	// <nil>
	// /properties/city/type must be one of object, array, string, number, integer, boolean, null, or a list of them
}

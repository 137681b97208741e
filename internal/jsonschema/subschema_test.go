package jsonschema_test

import (
	"fmt"
	"log"
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// The parts of a schema are schemas. Values that only look like schemas are not.
func ExampleMapSubschemas() {
	s, err := jsontext.Parse(`{"properties":{"a/b":{}},"items":{},"anyOf":[{},true],"dependencies":{"a":["b"]},"enum":[{}]}`, 10)
	if err != nil {
		log.Fatal(err)
	}
	closed := jsonschema.MapSubschemas(s, "", func(part *jsontext.Node, at string) *jsontext.Node {
		fmt.Println(at, part)
		return &jsontext.Node{Kind: jsontext.Bool, Text: "false"}
	})
	fmt.Println(closed)
	// Output:
	// /properties/a~1b {}
	// /items {}
	// /anyOf/0 {}
	// /anyOf/1 true
	// {"properties":{"a/b":false},"items":false,"anyOf":[false,false],"dependencies":{"a":["b"]},"enum":[{}]}
}

// TestPointer checks references that earlier implementations resolved differently.
func TestPointer(t *testing.T) {
	for ref, want := range map[string]string{
		"#": "", "": "", "#/$defs/User": "/$defs/User", "#/$defs/a%20b": "/$defs/a b", "#/$defs/a~1b": "/$defs/a~1b", "#/$defs/a%7E1b": "/$defs/a~1b",
		"/$defs/User": "no", "User": "no", "#User": "no", "other.json#/$defs/User": "no", "#/$defs/%zz": "no", "#/$defs/a~2": "no",
	} {
		got, ok := jsonschema.LocalPointer(ref)
		if !ok {
			got = "no"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", ref, got, want)
		}
	}
}

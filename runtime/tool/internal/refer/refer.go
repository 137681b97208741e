// Package refer says in JSON Schemas that arguments may be references to variables.
package refer

import (
	"encoding/json"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/reference"
)

// referenceSchema is the JSON Schema of a reference.
const referenceSchema = `{"type":"string","pattern":"` + reference.Pattern + `","description":"a reference to a variable"}`

// Admit lets each property of an input schema be a reference, too.
func Admit(input json.RawMessage) json.RawMessage {
	schema, err := jsontext.Parse(string(input), jsontext.Depth)
	if err != nil {
		return input
	}
	properties := schema.Member("properties")
	if !properties.Is(jsontext.Object) {
		return input
	}
	var b []byte
	done := int32(0) // how much of the text was copied
	for _, p := range properties.Items {
		b = append(b, input[done:p.Start]...)
		b = appendOrReference(b, p)
		done = p.End
	}
	return append(b, input[done:]...)
}

// appendOrReference appends the schema of what is valid for one and of references.
// What says what the value is for stays at the top.
func appendOrReference(b []byte, schema *jsontext.Node) []byte {
	if schema.Member("pattern").Str() == reference.Pattern {
		return schema.Append(b)
	}
	var said []string
	rest := *schema
	rest.Items = nil
	for _, m := range schema.Items {
		switch m.Name() {
		case "title", "description", "default":
			said = append(said, m.Key+":"+m.String())
		default:
			rest.Items = append(rest.Items, m)
		}
	}
	said = append(said, `"anyOf":[`+rest.String()+","+referenceSchema+"]")
	return append(b, "{"+strings.Join(said, ",")+"}"...)
}

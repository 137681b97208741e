package tool

import (
	"encoding/json"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/reference"
)

// referenceSchema is the JSON Schema of a reference.
const referenceSchema = `{"type":"string","pattern":"` + reference.Pattern + `","description":"a reference to a variable"}`

// admitReferences returns an input schema in which each property may also be a reference.
func admitReferences(input json.RawMessage) json.RawMessage {
	schema, err := jsontext.Parse(string(input), jsontext.Depth)
	if err != nil {
		return input
	}
	properties := schema.Member("properties")
	if !properties.Is(jsontext.Object) {
		return input
	}
	var b []byte
	done := int32(0) // end of the copied text
	for _, p := range properties.Items {
		b = append(b, input[done:p.Start]...)
		b = appendOrReference(b, p)
		done = p.End
	}
	return append(b, input[done:]...)
}

// appendOrReference appends an anyOf of the given schema and the schema of references. Title, description and
// default become keywords next to the anyOf.
func appendOrReference(b []byte, schema *jsontext.Node) []byte {
	if schema.Member("pattern").Str() == reference.Pattern {
		return schema.Append(b)
	}
	var members []string
	rest := *schema
	rest.Items = nil
	for _, m := range schema.Items {
		switch m.Name() {
		case "title", "description", "default":
			members = append(members, m.Key+":"+m.String())
		default:
			rest.Items = append(rest.Items, m)
		}
	}
	members = append(members, `"anyOf":[`+rest.String()+","+referenceSchema+"]")
	return append(b, "{"+strings.Join(members, ",")+"}"...)
}

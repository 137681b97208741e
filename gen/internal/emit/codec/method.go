package codec

import (
	"strconv"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// basicMethod is the method of a value, and of an object, that reads a type
// without parts; "" for others.
func basicMethod(t *model.Type) string {
	size := ""
	if t.Bits > 0 {
		size = strconv.Itoa(t.Bits)
	}
	switch t.Kind {
	case model.Int:
		return "Int" + size
	case model.Uint:
		return "Uint" + size
	case model.Float:
		return "Float" + size
	}
	return unsized[t.Kind]
}

// unsized are those of types without a number of bits.
var unsized = map[model.Kind]string{
	model.Bool: "Bool", model.String: "Str", model.ByteText: "Str", model.Bytes: "Bytes", model.Any: "Any", model.Raw: "Raw",
	model.Number: "Number", model.Time: "Time", model.Duration: "Duration",
}

// short are the readers that an object offers for a member directly.
var short = map[string]bool{"Str": true, "Bool": true, "Int": true, "Int64": true, "Float64": true}

// ownWriter names the encoder's methods for the types that write themselves, by
// methods that a pointer to them has.
var ownWriter = map[model.Kind]string{
	model.Text: "Text", model.BigInt: "BigInt", model.Custom: "JSON", model.Opaque: "JSON",
}

// writeMethod names the encoder's methods for the types with a form of their own.
var writeMethod = map[model.Kind]string{
	model.Bytes: "Bytes", model.Any: "JSON", model.Raw: "RawJSON", model.Number: "Number",
	model.Time: "Time", model.Duration: "Duration",
}

// wholeMethod names the encoder's methods that write a Go type as it is.
var wholeMethod = map[string]string{
	"bool": "Bool", "string": "Str", "int64": "Int", "uint64": "Uint", "float64": "Float64", "float32": "Float32",
}

// convertingFunction names the functions that write all types of a kind.
var convertingFunction = map[model.Kind]string{
	model.Int: "EncodeInt", model.Uint: "EncodeUint", model.String: "EncodeStr",
}

// mapOf tells which functions of the runtime read and write a map with such keys.
func mapOf(key *model.Type) string {
	switch key.Kind {
	case model.String:
		return "Map"
	case model.Int, model.Uint:
		return "IntMap"
	}
	return "TextMap"
}

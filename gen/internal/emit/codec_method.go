package emit

import (
	"strconv"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// basicMethod returns the method of wire.Value, and of wire.Object, that reads a type without
// parts; "" for other types.
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
	return basicMethods[t.Kind]
}

// basicMethods are the methods for kinds without a size.
var basicMethods = map[model.Kind]string{
	model.Bool: "Bool", model.String: "Str", model.ByteText: "Str", model.Bytes: "Bytes", model.Any: "Any", model.Raw: "Raw",
	model.Number: "Number", model.Time: "Time", model.Duration: "Duration",
}

// memberReaders are the methods by which wire.Object reads a member directly.
var memberReaders = map[string]bool{"Str": true, "Bool": true, "Int": true, "Int64": true, "Float64": true}

// ownMethods are the encoder's methods for types that write themselves with methods of their
// pointer type.
var ownMethods = map[model.Kind]string{
	model.Text: "Text", model.BigInt: "BigInt", model.Custom: "JSON", model.Opaque: "JSON",
}

// writeMethods are the encoder's methods for types with a special form.
var writeMethods = map[model.Kind]string{
	model.Bytes: "Bytes", model.Any: "JSON", model.Raw: "RawJSON", model.Number: "Number",
	model.Time: "Time", model.Duration: "Duration", model.ErrorText: "Error",
}

// exactMethods are the encoder's methods that write a Go type without conversion.
var exactMethods = map[string]string{
	"bool": "Bool", "string": "Str", "int64": "Int", "uint64": "Uint", "float64": "Float64", "float32": "Float32",
}

// convertingFunctions are the functions that write any Go type of a kind.
var convertingFunctions = map[model.Kind]string{
	model.Int: "EncodeInt", model.Uint: "EncodeUint", model.String: "EncodeStr",
}

// mapFunction returns the name of the functions that read and write a map with keys of this type.
func mapFunction(key *model.Type) string {
	switch key.Kind {
	case model.String:
		return "Map"
	case model.Int, model.Uint:
		return "IntMap"
	case model.Represented:
		return "ConvertedMap"
	}
	return "TextMap"
}

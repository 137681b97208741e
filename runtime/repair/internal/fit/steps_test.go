package fit

import (
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
)

// recursive returns the schema of trees: an object with a number v and a part c.
func recursive(c string) string {
	return `{"type": "object", "properties": {"rec": {"type": "array", "items": {"$ref": "#/$defs/n"}}}, "additionalProperties": false, "$defs": {"n":
		{"type": "object", "properties": {"c": ` + c + `, "v": {"type": "integer"}}, "additionalProperties": false}}}`
}

// TestSteps checks that the steps of fitting arguments grow linearly with the text, even if schemas
// are recursive and every part has to be changed or has no reading.
func TestSteps(t *testing.T) {
	const most = 16 // steps a byte
	large := 64 << 10
	if testing.Short() {
		large = 8 << 10
	}
	for _, schema := range []string{
		`{"$ref": "#/$defs/n"}`,
		`{"anyOf": [{"$ref": "#/$defs/n"}, {"type": "null"}]}`,
		`{"anyOf": [{"$ref": "#/$defs/n"}, {"type": "string"}]}`,
		`{"anyOf": [{"$ref": "#/$defs/n"}, {"type": "array", "items": {"$ref": "#/$defs/n"}}, {"type": "null"}]}`,
		`{"oneOf": [{"$ref": "#/$defs/n"}, {"type": "object", "properties": {"v": {"$ref": "#/$defs/n"}}, "required": ["v"]}]}`,
		`{"allOf": [{"$ref": "#/$defs/n"}, {"$ref": "#/$defs/n"}]}`,
		`{"anyOf": [{"$ref": "#/$defs/n"}, {"$ref": "#/properties/rec"}, {"$ref": "#/$defs/n/properties/c/anyOf/0"}]}`,
	} {
		s, err := jsonschema.Parse([]byte(recursive(schema)))
		if err != nil {
			t.Fatal(err)
		}
		for _, leaf := range []string{`{"v":"1"}`, `{"v":"x"}`, `{"V":"1","c":[]}`, `[[{"v":"1"}]]`, `"{\"v\": \"1\"}"`} {
			for _, depth := range []int{1, 100} {
				unit := strings.Repeat(`{"c":`, depth) + leaf + strings.Repeat("}", depth) + ","
				var perByte [2]float64
				for i, size := range []int{1 << 10, large} {
					text := `{"rec":[` + strings.Repeat(unit, 1+size/len(unit)) + `]}`
					n := reader.New(text, 0, len(text)).ReadValue(reader.InText, s)
					f := New(text)
					f.Fits(f.fitArguments(n, s).value, s)
					if f.Err() != nil {
						t.Errorf("%s: %.200s: exhausted", schema, text)
					}
					perByte[i] = float64(jsonschema.StepsFor(len(text))-f.Left()) / float64(len(text))
				}
				if perByte[1] > most || perByte[1] > 1.5*perByte[0]+1 {
					t.Errorf("%s of %.150s: %.1f steps a byte of few, %.1f of many", schema, unit, perByte[0], perByte[1])
				}
			}
		}
	}
}

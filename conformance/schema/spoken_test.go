package schema

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/aiongen/aiongen/conformance/schema/spoken"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// generatedFields maps edge cases to the fields of spoken.Edges. Schemas that no Go type can express
// have none: half of a type (other kinds are allowed), lists with differing elements, references, and
// keywords that relate members to each other.
var generatedFields = map[string]string{
	`{"format":"hostname"}`:              "hostname",
	`{"format":"email"}`:                 "email",
	`{"format":"idn-email"}`:             "idn_email",
	`{"format":"date-time"}`:             "date_time",
	`{"format":"time"}`:                  "time",
	`{"format":"duration"}`:              "duration",
	`{"format":"iri"}`:                   "iri",
	`{"format":"iri-reference"}`:         "iri_reference",
	`{"format":"uri"}`:                   "uri",
	`{"format":"uri-template"}`:          "uri_template",
	`{"format":"json-pointer"}`:          "pointer",
	`{"format":"relative-json-pointer"}`: "relative",
	`{"format":"regex"}`:                 "regex",
	`{"format":"uuid"}`:                  "uuid",
	`{"format":"ipv4"}`:                  "ipv4",
	`{"format":"ipv6"}`:                  "ipv6",
	`{"description":"anything"}`:         "anything",
	`{"multipleOf":0.01}`:                "cents",
	`{"multipleOf":0.1}`:                 "tenths",
	`{"multipleOf":3}`:                   "threes",
	`{"multipleOf":1e-8}`:                "tiny",
	`{"type":"integer"}`:                 "integer",
	`{"minimum":9007199254740993}`:       "large",
	`{"maximum":1e3}`:                    "most",
	`{"exclusiveMinimum":0}`:             "above",
	`{"exclusiveMaximum":0.3}`:           "below",
	`{"minLength":2,"maxLength":2}`:      "two",
	`{"pattern":"^\\d+$"}`:               "digits",
	`{"uniqueItems":true}`:               "unique",
}

// roundedValues are arguments about which generated code reports something else, because the Go
// parameter has 64 bits, with reasons.
var roundedValues = map[string]string{
	`{"tenths":1e400}`:                  "no float is that large",
	`{"threes":1e20}`:                   "no integer of 64 bits is that large",
	`{"integer":1e400}`:                 "no integer of 64 bits is that large",
	`{"most":-1e999}`:                   "no float is that small",
	`{"most":1000.0000000000000000001}`: "as a float, it is 1000",
	`{"below":0.29999999999999999999}`:  "as a float, it is 0.3",
}

// TestGeneratedFaults checks that generated code reports the same faults for the edge cases, word for
// word, as the checker does with the schema of its tool.
func TestGeneratedFaults(t *testing.T) {
	generated := spoken.HoldTool().Tool
	d := generated.Definition()
	dynamic, err := schema.Dynamic(d, func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, edge := range edgeCases {
		field := generatedFields[edge.schema]
		if field == "" {
			continue
		}
		for _, value := range slices.Concat(edge.valid, edge.invalid) {
			arguments := `{"` + field + `":` + value + `}`
			ours, theirs := argumentFaults(t, generated, arguments), argumentFaults(t, dynamic, arguments)
			if slices.Equal(ours, theirs) == (roundedValues[arguments] != "") {
				t.Errorf("%s: generated code says\n %q, and by schema it is\n %q; they differ because %q", arguments, ours, theirs, roundedValues[arguments])
			}
		}
	}
}

// argumentFaults returns the faults that a tool reports for arguments.
func argumentFaults(t *testing.T, x tool.Tool, arguments string) []string {
	t.Helper()
	r := tool.NewRegistry()
	r.Replace(x)
	call, err := r.Match(tool.Request{Name: x.Definition().Name, Arguments: json.RawMessage(arguments)})
	return errorFaults(t, errors.Join(err, call.Check(t.Context())))
}

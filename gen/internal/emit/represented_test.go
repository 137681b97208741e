package emit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/represented"
)

const representedValues = `{"amount":"12.30 EUR","pointer":"0.01 USD","zero":"0.00 EUR","list":["1.00 EUR"],"named":["2.00 EUR","3.00 EUR"],` +
	`"array":["1.00 EUR","2.00 EUR"],"deep":{"a":[{"-1":"1.00 EUR"}]},"keys":{"blue":{"value":1,"unit":"C"},"red":{"value":2,"unit":"C"}},` +
	`"page":{"items":["4.00 EUR"],"next":null},"heat":{"value":20,"unit":"C"},"mail":"\"Ada\" <ada@example.com>","account":1,"accounts":[0,1],` +
	`"shape":{"radius":2},"maybe":3,"paint":"red","price":"5.00 EUR","cookie":"a=b","tags":["x","y"],"outer":{"Inner":{"Amount":"6.00 EUR"}},` +
	`"Temperature":{"value":-1,"unit":"C"},"Address":null}`

// TestRepresented calls tools whose types are represented as others.
func TestRepresented(t *testing.T) {
	r := tool.NewRegistry()
	if err := represented.Register(r); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"echo", representedValues, representedValues},
		{"echo_tree", `{"tree":{"name":"a","children":[{"name":"b"}]}}`, `{"name":"a","children":[{"name":"b"}]}`},
		{"pay", `{"amount":"1.00 EUR","from":1,"limit":null}`, `{"rest":"1.00 EUR","fee":null}`},
		{"pay", `{"amount":"1.00 EUR","from":1,"limit":"2.00 EUR","notes":["0.50 EUR"]}`, `{"rest":"1.00 EUR","fee":"0.50 EUR"}`},
		{"heat", `{"by":{"value":400.5},"color":"red"}`, `{"value":100.5}`},
		{"find", `{"number":1}`, `1`},
		{"find", `{"number":0}`, `null`},
		{"double", `{"amount":"7.00 EUR"}`, `{"rest":"7.00 EUR","fee":null}`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if call.Err != nil {
			t.Errorf("%s(%s): %v", tt.name, tt.arguments, call.Err)
		} else if diff := cmp.Diff(tt.want, string(call.Output)); diff != "" {
			t.Errorf("%s(%s): %s", tt.name, tt.arguments, diff)
		}
	}
}

// TestRepresentedFaults gives tools values that the functions of declarations reject.
func TestRepresentedFaults(t *testing.T) {
	r := tool.NewRegistry()
	if err := represented.Register(r); err != nil {
		t.Fatal(err)
	}
	broken := strings.NewReplacer("12.30 EUR", "12.3 EUR", `["1.00 EUR"]`, `["1.00 EUR",1]`, `"-1":"1.00 EUR"`, `"-1":"1.00"`,
		`"value":20`, `"value":-300`, `"unit":"C"},"mail"`, `"unit":"K"},"mail"`, `"account":1`, `"account":7`, `"paint":"red"`, `"paint":"pink"`, `"tags":["x","y"]`, `"tags":["x","x"]`).Replace(representedValues)
	call := r.Call(t.Context(), tool.Request{Name: "echo", Arguments: []byte(broken)})
	bad, ok := errors.AsType[*tool.ArgumentError](call.Err)
	if !ok {
		t.Fatal(call.Err)
	}
	var got []string
	for _, f := range bad.Faults {
		got = append(got, fmt.Sprintf("%s: %s", f.Pointer, f.Expected))
	}
	want := []string{
		`/amount: another string ("12.3 EUR" is not an amount such as 12.30 EUR)`,
		`/list/1: a string`,
		`/deep/a/0/-1: another string ("1.00" is not an amount such as 12.30 EUR)`,
		`/heat/unit: one of "C", "F" (strings)`,
		`/account: another value (there is no account 7)`,
		`/paint: one of "red", "blue" (strings)`,
		`/tags/1: each element once`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for arguments, want := range map[string]string{
		`{"by":{"value":-300},"color":"red"}`:         "/by",
		`{"by":{"value":1,"unit":"C"},"color":"red"}`: "/by/unit", // left out by the note
		`{"by":{"value":1},"color":"blue"}`:           "/color",
	} {
		call := r.Call(t.Context(), tool.Request{Name: "heat", Arguments: []byte(arguments)})
		if bad, ok := errors.AsType[*tool.ArgumentError](call.Err); !ok || len(bad.Faults) != 1 || bad.Faults[0].Pointer != want {
			t.Errorf("%s: got %v, want a fault at %s", arguments, call.Err, want)
		}
	}
	call = r.Call(t.Context(), tool.Request{Name: "heat", Arguments: []byte(`{"by":{"value":1},"color":"red"}`)})
	if err, ok := errors.AsType[*tool.OutputError](call.Err); !ok || err.Err.Error() != "colder than absolute zero" {
		t.Errorf("got %v, want the error of the function that encodes results", call.Err)
	}
}

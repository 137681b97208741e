package emit_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/custom"
)

// TestNulls reads null where encoding/json calls UnmarshalJSON, and compares the values.
func TestNulls(t *testing.T) {
	r := tool.NewRegistry()
	if err := custom.Register(r); err != nil {
		t.Fatal(err)
	}
	for _, arguments := range []string{
		`{"name":null,"any":null}`,
		`{"name":"a","any":1}`,
		`{"name":"a","any":1,"nick":null,"rest":null,"raw":null,"ptr":null,"ranged":null}`,
		`{"name":"a","any":1,"nick":"b","rest":[null],"raw":[null],"ptr":"c","ranged":3}`,
		`{"name":"a","any":1,"list":[null,"b"],"by_name":{"a":null},"raws":[null,1],"ptrs":[null,1],"pair":[null,"a"]}`,
		`{"name":"a","any":1,"inner":null}`,
		`{"name":"a","any":1,"count":3,"inner":null,"either":null}`,
		`{"name":"a","any":1,"next":{"name":null,"any":null,"nick":null}}`,
		`{"name":"a","any":1,"next":null,"list":null,"by_name":null}`,
	} {
		var want custom.Patch
		if err := json.Unmarshal([]byte(arguments), &want); err != nil {
			t.Fatal(err)
		}
		call := r.Call(t.Context(), tool.Request{Name: "apply", Arguments: []byte(arguments)})
		if call.Err != nil {
			t.Errorf("%s: %v", arguments, call.Err)
			continue
		}
		var got string
		if err := json.Unmarshal(call.Output, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(custom.Apply(want), got); diff != "" {
			t.Errorf("%s: not as encoding/json reads it\n%s", arguments, diff)
		}
	}
	for _, tt := range []struct{ arguments, want string }{
		{`{"name":"a","any":1,"strict":null}`, ""}, // UnmarshalJSON rejects null, so it counts as absent
		{`{"name":"a","any":1,"count":null}`, ""},  // to others, null means absent
		{`{"name":"a","any":1,"list":[1]}`, `/list/0: expected null or a string, found the number 1`},
		{`{"name":1,"any":1}`, `/name: expected null or a string, found the number 1`},
		{`{"name":"a","any":1,"ranged":"a"}`, `/ranged: expected an integer, found the string "a"`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: "apply", Arguments: []byte(tt.arguments)})
		got := ""
		if wrong, ok := errors.AsType[*tool.ArgumentError](call.Err); ok {
			got = wrong.Faults[0].String()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.arguments, got, tt.want)
		}
	}
}

package emit_test

import (
	"encoding/json"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/pointers"
)

// TestPointers returns nil: where nil is not a valid result, the call fails; where it is, the
// result is null. The schema allows exactly that.
func TestPointers(t *testing.T) {
	r := tool.NewRegistry()
	if err := pointers.Register(r); err != nil {
		t.Fatal(err)
	}
	const nothing = "the result cannot be written: it is nil although there is no error"
	for _, tt := range []struct{ name, arguments, want string }{
		{"find", `{"name":"ada"}`, `{"name":"ada"}`},
		{"find", `{"name":"nobody"}`, "error: find: " + nothing},
		{"find", `{"name":"error"}`, "error: find: there is no such user"},
		{"find_team", `{"name":"ada"}`, `{"users":[{"name":"ada"},null]}`},
		{"find_team", `{"name":"none"}`, "error: find_team: " + nothing},
		{"maybe", `{"name":"nobody"}`, `null`},
		{"maybe_name", `{"name":"nobody"}`, `null`},
		{"name", `{"name":"nobody"}`, "error: name: " + nothing},
		{"name", `{"name":"ada"}`, `{"name":"ada"}`},
		{"guess", `{"name":"nobody"}`, `null`},
		{"nick", `{"name":"nobody"}`, `null`},
		{"pair", `{"a":"ada","b":"nobody"}`, `{"first":{"name":"ada"},"second":null}`},
		{"count", `{"name":"nobody"}`, "error: count: " + nothing},
		{"literal", `{"name":"nobody"}`, "error: literal: " + nothing},
		{"lambda", `{"name":"nobody"}`, "error: lambda: " + nothing},
		{"guess_by_lambda", `{"name":"nobody"}`, `null`},
		{"boss", `{"name":"ada"}`, `null`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if got := outcome(call); got != tt.want {
			t.Errorf("%s(%s) = %s, want %s", tt.name, tt.arguments, got, tt.want)
		}
		var schema struct{ Type string }
		if err := json.Unmarshal(call.Definition().Output, &schema); err != nil {
			t.Fatal(err)
		}
		if mayBeNull := schema.Type == ""; tt.want == "null" && !mayBeNull || call.Err != nil && mayBeNull {
			t.Errorf("%s: %s, and its schema is %s", tt.name, tt.want, call.Definition().Output)
		}
	}
	call := r.Call(t.Context(), tool.Request{Name: "find", Arguments: []byte(`{"name":"nobody"}`)})
	const told = "find ran without an error and returned nothing: there may be nothing that matches its arguments. The same call again will not help."
	if got := tool.ModelText(call.Err); got != told {
		t.Errorf("a model is told %s", got)
	}
	if user, err := pointers.FindTool().Call(t.Context(), pointers.FindArgs{Name: "nobody"}); user != nil || err != nil {
		t.Errorf("a typed call returns %v, %v: what the function did", user, err)
	}
}

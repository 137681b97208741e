package emit_test

import (
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/accessors"
)

// TestAccessors calls tools that return interfaces with accessors.
func TestAccessors(t *testing.T) {
	r := tool.NewRegistry()
	if err := accessors.Register(r); err != nil {
		t.Fatal(err)
	}
	const rest = `"created":"1970-01-01T00:00:00Z","revision":7,"is_compressed":true,"key":"k","operation":"op-3","place":[1,2],"ttl":"1m0s","tags":{"t":[]},"value":"aw=="`
	for _, tt := range []struct{ name, arguments, want string }{
		{"get", `{"key":"k"}`, `{"config":{"bucket":"b","secret":"s"},` + rest + `}`},
		{"get", `{"key":""}`, `null`},
		{"get_short", `{"key":"k"}`, `{"config":{"bucket":"b"},"key":"k"}`},
		{"history", ``, `[{"config":{"bucket":"b"},"revision":7,"is_compressed":true,"key":"a","ttl":"1m0s"},null]`},
		{"pages", ``, `{"first":null,"by_key":{"a":{"height":2,"width":2}}}`},
		{"sizes", ``, `{"items":[{"height":3,"width":3}],"more":false}`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if call.Err != nil || string(call.Output) != tt.want {
			t.Errorf("%s(%s): %s, %v, want %s", tt.name, tt.arguments, call.Output, call.Err, tt.want)
		}
	}
	ctx := tool.WithScope(t.Context(), tool.NewScope())
	if call := r.Call(ctx, tool.Request{Name: "measure"}); call.Err != nil {
		t.Fatal(call.Err)
	}
	if call := r.Call(ctx, tool.Request{Name: "area", Arguments: []byte(`{"s":"<<var:size_1>>"}`)}); string(call.Output) != "25" {
		t.Errorf("area: %s, %v", call.Output, call.Err)
	}
}

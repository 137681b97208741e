package emit_test

import (
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/describing"
)

// TestDescribing calls tools whose notes describe fields.
func TestDescribing(t *testing.T) {
	r := tool.NewRegistry()
	if err := describing.Register(r); err != nil {
		t.Fatal(err)
	}
	const order = `{"customer":"Ada","lines":[{"id":1,"count":2,"a:b":{"id":3}}],"labels":{"x":{"text":"y"}},"kind":"fast","day":"2026-01-02"}`
	for _, tt := range []struct{ name, arguments, want string }{
		{"add", order, `{"customer":"Ada","lines":[{"id":1,"count":2,"a:b":{"id":3}}],"kind":"fast","day":"2026-01-02"}`},
		{"send", `{"order":` + order + `,"address":"a"}`, `{"lines":[{"id":1}]}`},
		{"send_named", `{"order":{"customer":"Ada","lines":[]},"address":"a"}`, `{"customer":"Ada","lines":[]}`},
		{"send_lambda", order, order},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if call.Err != nil || string(call.Output) != tt.want {
			t.Errorf("%s: %s, %v, want %s", tt.name, call.Output, call.Err, tt.want)
		}
	}
}

package emit_test

import (
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/populated"
)

// TestPopulated calls tools whose types have the JSON methods of the Azure SDK.
func TestPopulated(t *testing.T) {
	r := tool.NewRegistry()
	if err := populated.Register(r); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"create", `{"name":"n","g":{"location":"l","properties":{"provisioningState":"Ready","children":[{"managedBy":"m"}]},"tags":{"a":"b"},"template":[1],"createdAt":"2026-01-02T03:04:05Z"}}`,
			`{"createdAt":"2026-01-02T03:04:05Z","data":"raw","id":"n","kind":"Group","location":"l","properties":{"children":[{"kind":"Group","managedBy":"m"}],"provisioningState":"Ready"},"tags":{"a":"b"},"template":[1]}`},
		{"create", `{"name":"n","g":{"Location":"l","id":"x","data":"","kind":"Group","properties":{"provisioningState":1,"children":{}},"createdAt":"today"}}`,
			"fault: /g/Location /g/id /g/data /g/kind /g/properties/provisioningState /g/properties/children /g/createdAt /g/location"},
		{"get", `{"id":"x"}`, `{"id":"x","kind":"Group","properties":{"children":[null,{"kind":"Group","location":"x"}],"provisioningState":"Ready"}}`},
		{"get_location", `{"id":"x"}`, `{"properties":{"children":[null,{"location":"x"}]}}`},
		{"show", `{}`, `{"a":1}`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if got := describeCall(call); got != tt.want {
			t.Errorf("%s(%s): %s\nwant %s", tt.name, tt.arguments, got, tt.want)
		}
	}
}

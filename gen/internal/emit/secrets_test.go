package emit_test

import (
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/unseen"
)

// TestSecrets calls tools with types that contain secrets or that JSON cannot carry as a
// whole.
func TestSecrets(t *testing.T) {
	r := tool.NewRegistry()
	if err := unseen.Register(r); err != nil {
		t.Fatal(err)
	}
	in := tool.WithScope(t.Context(), tool.NewScope())
	for _, tt := range []struct{ name, arguments, want string }{
		{"configure", `{"o":{"AddSource":true},"level":1}`, `true`},
		{"configure", `{"o":{"AddSource":true,"Level":1},"level":1}`, "fault: /o/Level"},
		{"see", `{"url":"x"}`, `{"URL":"x","inner":{"deep":{"name":"d"},"by_name":{}}}`},
		{"look", `{"URL":"x","inner":{"deep":{"name":"d"},"by_name":{}}}`, `"xd"`},
		{"fetch", `{"url":"x"}`, `{"next":2}`},
		{"ask", `{"at":"https://u:SECRET@h/p"}`,
			`{"return_1":{"from":"https://u:xxxxx@h/p","header":{"Etag":["1"]},"links":["https://u:xxxxx@h/p"]},"return_2":"https://u:xxxxx@h/p"}`},
		{"rows", `{"text":"a,b\nc,d"}`, `{"ref":"<<var:reader_1>>","type":"*csv.Reader"}`},
		{"row", `{"r":{"ref":"<<var:reader_1>>","type":"*csv.Reader"}}`, `["a","b"]`},
		{"row", `{"r":"<<var:reader_1>>"}`, `["c","d"]`},
	} {
		call := r.Call(in, tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if got := outcome(call); got != tt.want {
			t.Errorf("%s(%s) = %s, want %s", tt.name, tt.arguments, got, tt.want)
		}
		if strings.Contains(string(call.Output), "SECRET") {
			t.Errorf("%s tells a secret", tt.name)
		}
	}
}

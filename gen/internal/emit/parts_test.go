package emit_test

import (
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/parts"
)

// TestParts calls tools whose entries with paths describe parts of arguments and results.
func TestParts(t *testing.T) {
	r := tool.NewRegistry()
	if err := parts.Register(r); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"create", `{"name":"n","retention":"interest"}`, `"{Name:n Retention:1 MaxAge:60 Subjects:[] Placement:<nil> Metadata:map[] Secret:} <nil>"`},
		{"create", `{"name":"n","retention":"other","max_age":0,"placement":{"cluster":"c","tags":[{"key":"k","value":"c"}]},"metadata":{"a":1},"secret":"s"}`,
			"fault: /retention /max_age /placement/tags/0/value /metadata/a /secret"},
		{"create_few", `{"name":"n","retention":"limits","placement":{"tags":[{"key":"k","value":1}]}}`, `"{Name:n Retention:0 MaxAge:0 Subjects:[] Placement:`},
		{"create_few", `{"name":"n","retention":"workqueue","placement":{"cluster":"c"}}`, "fault: /retention /placement/cluster /placement/tags"},
		{"create_few", `{"name":"n","retention":"limits"}`, "fault: /placement"},
		{"create_by_name", `{"name":"n","retention":"limits","placement":{"cluster":"c","tags":[{"value":1,"key":"k"}]}}`, "fault: /placement/cluster /placement/tags/0/key"},
		{"update", `{"name":"n","config":{"retention":"interest"},"hints":{"a":{"key":"k","value":3}}}`, `"n 1 0 int"`},
		{"update", `{"name":"n","hints":{}}`, `"n 0 0 <nil>"`},
		{"update", `{"name":"n","config":{"retention":"workqueue","secret":""},"hints":{"a":{"key":"k","value":"x"}}}`, "fault: /config/retention /config/secret /hints/a/value"},
		{"update_by_name", `{"name":"n","config":{"retention":"workqueue","max_age":9}}`, `"n 2 9 <nil>"`},
		{"update_by_name", `{"name":"n","config":{"retention":"limits"}}`, "fault: /config/retention /config/max_age"},
		{"get", `{"state":"map"}`, `{"config":{"name":"n","retention":"limits"},"state":{"a":1},"tags":[{"key":"k","value":7}]}`},
		{"get", `{"state":"int"}`, `error: get: the result cannot be written: /state: it is of type int in Go, not map[string]int as its note says: expected an object, found the number 1`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if got := describeCall(call); got != tt.want && !(tt.name == "create_few" && len(got) > len(tt.want) && got[:len(tt.want)] == tt.want) {
			t.Errorf("%s(%s): %s\nwant %s", tt.name, tt.arguments, got, tt.want)
		}
	}
}

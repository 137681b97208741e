package emit_test

import (
	"encoding/json"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/presence"
)

// TestPresence calls tools whose arguments are in structs that say whether there is a value. The functions return what
// is present.
func TestPresence(t *testing.T) {
	r := tool.NewRegistry()
	if err := presence.Register(r); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"create", `{"zone_id":"z","name":"n","kind":""}`, `{"kind":"","name":"n","zone_id":"z"}`},
		{
			"create", `{"name":"n","tags":[],"zone_id":"z","kind":"k","data":{"a":[1]},"direction":"asc","ttl":0,"until":"2026-01-31T00:00:00Z"}`,
			`{"data":{"a":[1]},"direction":"asc","kind":"k","name":"n","tags":[],"ttl":0,"until":"2026-01-31T00:00:00Z","zone_id":"z"}`,
		},
		{
			"create", `{"zone_id":"z","name":"n","kind":"k","comment":null,"tags":null,"data":null,"settings":null,"owner":null,"Raw":null}`,
			`{"Raw":null,"comment":null,"data":null,"kind":"k","name":"n","owner":null,"settings":null,"tags":null,"zone_id":"z"}`,
		},
		{"create", `{"zone_id":"z","name":"n","kind":"k","direction":null,"notes":null}`, `{"kind":"k","name":"n","zone_id":"z"}`}, // no null
		{"create", `{"zone_id":null,"name":null,"kind":null}`, `fault: /zone_id /name /kind`},
		{"create", `{}`, `fault: /zone_id /name /kind`},
		{"create", `{"zone_id":"z","name":"n","kind":"k","ZoneID":"z","comment":1,"direction":"up","settings":{"depth":"1"},"notes":2}`, `fault: /ZoneID /comment /direction /settings/depth /notes`},
		{"edit", `{"id":"i","params":{"zone_id":"z","name":"n","kind":"k","owner":{"name":"o"}}}`, `{"kind":"k","name":"n","owner":{"name":"o"},"zone_id":"z"}`},
		{
			"edit", `{"id":"i","params":{"zone_id":"z","name":"n","kind":"k","notes":"","settings":{"depth":1,"inner":{"depth":2,"only_ipv4":false,"inner":null}}}}`,
			`{"kind":"k","name":"n","notes":"","settings":{"depth":1,"inner":{"depth":2,"inner":null,"only_ipv4":false}},"zone_id":"z"}`,
		},
		{"create_named", `{"zone_id":"z","name":"n","kind":"k","comment":"c","tags":["a"],"data":{"a":1}}`, `{"comment":"c","data":{"a":1},"kind":"k","name":"n","tags":["a"],"ttl":60,"zone_id":"z"}`},
		{"create_named", `{"zone_id":"z","name":"n","kind":"k","comment":"c","ttl":null,"data":null,"settings":{"depth":3}}`, `{"comment":"c","data":null,"kind":"k","name":"n","settings":{"depth":3},"ttl":60,"zone_id":"z"}`},
		{"create_named", `{"zone_id":"z","name":"n","kind":"k","comment":null,"tags":["a","b","c"],"data":{"a":"b"},"settings":{"depth":3,"inner":null}}`, `fault: /comment /tags /data/a /settings/inner`},
		{"batch", `{}`, `{"body":null,"plain":[]}`},
		{
			"batch", `{"deletes":[{"id":"a"}],"by_name":{"x":{"depth":1}},"posts":[{"type":"apost","address":"b"},{"text":"c","type":"tpost","id":"d"}],"plain":[{"id":"e"}],"body":{"type":"apost","address":"f"}}`,
			`{"body":{"address":"f"},"by_name":{"x":{"depth":1}},"deletes":[{"id":"a"}],"plain":[{"id":"e"}],"posts":[{"address":"b"},{"id":"d","text":"c"}]}`,
		},
		{"batch", `{"deletes":[{}],"posts":[{"type":"tpost","id":"d"}]}`, `fault: /deletes/0/id /posts/0/text`},
		{"upload", `{"name":"n"}`, `"n"`},
		{"upload", `{"name":"n","file":"x"}`, `fault: /file`},
		{"remove", `{"id":"a","zone":{"b":1}}`, `fault: /zone`},
		{"remove", `{"id":"a","zone":"b"}`, `{"id":"a","zone":"b"}`},
		{"echo", `{"id":"a"}`, `{"zone_id":"a"}`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if got := outcome(call); got != tt.want {
			t.Errorf("%s(%s) = %s, want %s", tt.name, tt.arguments, got, tt.want)
		}
	}
}

// TestPresenceOfReference passes a value that JSON cannot carry.
func TestPresenceOfReference(t *testing.T) {
	r := tool.NewRegistry()
	if err := presence.Register(r); err != nil {
		t.Fatal(err)
	}
	scope := tool.NewScope()
	call := r.Call(tool.WithScope(t.Context(), scope), tool.Request{Name: "open", Arguments: []byte(`{"text":"content"}`)})
	if call.Err != nil {
		t.Fatal(call.Err)
	}
	var opened struct{ Ref string }
	if err := json.Unmarshal(call.Output, &opened); err != nil {
		t.Fatal(err)
	}
	call = r.Call(tool.WithScope(t.Context(), scope), tool.Request{Name: "upload_file", Arguments: []byte(`{"name":"n","file":"` + opened.Ref + `"}`)})
	if got, want := outcome(call), `"n: content"`; got != want {
		t.Errorf("upload_file = %s, want %s", got, want)
	}
}

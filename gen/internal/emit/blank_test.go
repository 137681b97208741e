package emit_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/blank"
)

// TestBlankResults calls functions whose results say nothing but the error, and functions with results that other
// calls need.
func TestBlankResults(t *testing.T) {
	r := tool.NewRegistry()
	if err := blank.Register(r); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, output, schema string }{
		{"delete", `{"id":"a"}`, `null`, `{"type":"null"}`},
		{"purge", ``, `null`, `{"type":"null"}`},
		{"ping", ``, `null`, `{"type":"null"}`},
		{"tag", `{"name":"a"}`, `null`, `{"type":"null"}`},
		{"close", ``, `null`, `{"type":"null"}`},
		{"make_hook", ``, `null`, `{"type":"null"}`},
		{"count", ``, `3`, `{"type":"integer"}`},
		{"check", ``, `{"a":{"Topic":"a","Err":null},"b":{"Topic":"b","Err":"no <b>"},"c":{"Topic":"c","Err":"code 7"},"d":{"Topic":"d","Err":null}}`, ``},
		{"check_all", ``, `{"failed":1,"all":[null,"no b"]}`, ``},
		{"dial", ``, `{"timeout":"lookup x: no such host","hidden":"hidden"}`, ``},
		{"reach", ``, `[null,{"name":"a"},{"name":"b","why":"x\ny"}]`, ``},
	} {
		definition, _ := r.Get(tt.name)
		if got := definition.Definition().Output; tt.schema != "" && string(got) != tt.schema {
			t.Errorf("%s has the output schema %s, want %s", tt.name, got, tt.schema)
		}
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if call.Err != nil || string(call.Output) != tt.output {
			t.Errorf("%s: %s, %v, want %s", tt.name, call.Output, call.Err, tt.output)
		}
	}
	if call := r.Call(t.Context(), tool.Request{Name: "delete", Arguments: []byte(`{"id":""}`)}); call.Err == nil || !strings.Contains(call.Err.Error(), "no such message") {
		t.Errorf("delete: %v", call.Err)
	}
	crash := r.Call(t.Context(), tool.Request{Name: "crash"})
	if _, ok := errors.AsType[*tool.PanicError](crash.Err); !ok {
		t.Errorf("crash: %s, %v", crash.Output, crash.Err)
	}
	for _, name := range []string{"begin", "open", "lock", "status", "sign", "compile", "make_key", "make_guard", "make_mark"} {
		if definition, _ := r.Get(name); !bytes.Contains(definition.Definition().Output, []byte("<<var:")) {
			t.Errorf("%s is not passed by reference: %s", name, definition.Definition().Output)
		}
	}
	ctx := tool.WithScope(t.Context(), tool.NewScope())
	begun := r.Call(ctx, tool.Request{Name: "begin"})
	if call := r.Call(ctx, tool.Request{Name: "commit", Arguments: []byte(`{"tx":"<<var:tx_1>>"}`)}); call.Err != nil {
		t.Errorf("begin: %s; commit: %v", begun.Output, call.Err)
	}
	compiled := r.Call(ctx, tool.Request{Name: "compile", Arguments: []byte(`{"text":"a"}`)})
	if call := r.Call(ctx, tool.Request{Name: "match", Arguments: []byte(`{"text":"a","rules":["<<var:rule_1>>"]}`)}); string(call.Output) != "true" {
		t.Errorf("compile: %s; match: %s, %v", compiled.Output, call.Output, call.Err)
	}
}

package emit_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/lambdas"
)

// TestLambdas calls tools that are lambdas.
func TestLambdas(t *testing.T) {
	var log bytes.Buffer
	r := tool.NewRegistry(tool.Use(middleware.WithLogger(slog.New(slog.NewTextHandler(&log, nil)))))
	if err := lambdas.Register(r); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"add", `{"a":2,"b":3}`, `5`},
		{"names", `{"prefix":"A"}`, `["ADA","ALAN"]`},
		{"describe", `{"name":"Ada"}`, `"Ada <ada@example.com>, 36 years"`},
		{"describe", `{"name":""}`, `null`},
		{"mail", `{"to":"a,b"}`, `2`},
		{"mail", `{"to":"a,b,c","subject":"s"}`, `3`},
		{"page", `{"items":["a","b","c"],"number":2,"size":2}`, `["c"]`},
		{"page", `{"items":["a","b","c"]}`, `["a","b","c"]`},
		{"grade", `{"points":79.5}`, `"fair"`},
		{"total", `{"rows":[{"price":1.255,"count":2},{"price":9,"count":0},{"price":3,"count":1}]}`, `5.51`},
		{"best", `{"prefix":"","least":2}`, `"grace@example.com"`},
		{"boss", `{"name":"Grace"}`, `"Howard"`},
		{"greet", `{"user_id":"Ada","polite":true}`, `"Hello, Ada <ada@example.com>!"`},
		{"greet", `{"user_id":"Ada","polite":false}`, `"Hello Ada"`},
		{"open", `{"name":"n","email_address":"e","age":39,"level":1,"tags":["t"]}`, `{"boss":null,"old":30,"tags":["t","new"],"user":"n"}`},
		{"rename", `{"userId":"a","new_name":"b"}`, `{"first":"a","last":"b"}`},
		{"forget", `{"user":""}`, `null`},
		{"logged", `{"text":" words "}`, `5`},
		{"clean", `{"text":"BANANA"}`, `"banana"`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if call.Err != nil || string(call.Output) != tt.want {
			t.Errorf("%s(%s) = %s, %v; want %s", tt.name, tt.arguments, call.Output, call.Err, tt.want)
		}
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"add", `{"a":9223372036854775807,"b":1}`, "OverflowError: the result does not fit a 64-bit integer (lambdas.aion:9:32)"},
		{"names", `{"prefix":"Z"}`, "nobody is called Z"},
		{"total", `{"rows":[{"count":1}]}`, "KeyError: 'price' (lambdas.aion:44:43)"},
		{"total", `{"rows":[{"price":"1","count":"2"}]}`, "TypeError: '>' not supported between instances of 'str' and 'int' (lambdas.aion:44:84)"},
		{"best", `{"prefix":"A","least":3}`, "IndexError: list index out of range (lambdas.aion:51:41)"},
		{"boss", `{"name":"Ada"}`, "AttributeError: 'NoneType' object has no attribute 'name' (lambdas.aion:58:32)"},
		{"rename", `{"userId":"","new_name":"b c"}`, ""},
		{"forget", `{"user":"","soft":false}`, "nobody to forget"},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		got := ""
		if call.Err != nil {
			got = strings.TrimPrefix(call.Err.Error(), tt.name+": ")
		}
		if got != tt.want {
			t.Errorf("%s(%s): %s\nwant %s", tt.name, tt.arguments, got, tt.want)
		}
	}
	if !strings.Contains(log.String(), "msg=words") {
		t.Errorf("the log is %q", log.String())
	}
}

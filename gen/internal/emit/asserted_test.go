package emit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/asserted"
)

// TestAsserted calls tools whose notes give interfaces a type.
func TestAsserted(t *testing.T) {
	r := tool.NewRegistry()
	if err := asserted.Register(r); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"find", `{"project":"a/b"}`, `"string <nil> []interface {}"`},
		{"find", `{"project":"7","id":9,"more":["a","b"]}`, `"string int []interface {} string string"`},
		{"find", `{"project":"7","id":null}`, `"string <nil> []interface {}"`},
		{"find", `{"project":null,"id":10,"more":[1,null]}`, "fault: /project /id /more/0 /more/1"},
		{"find", `{"project":""}`, "fault: /project"},
		{"find_named", `{"id":"b"}`, `"<nil> string []interface {}"`},
		{"find_named", `{"id":"c"}`, "fault: /id"},
		{"run", `{"filter":{"a":1}}`, `"map[string]int"`},
		{"run", `{"filter":{},"values":[{"x":1,"y":2}],"extra":{"a":"red"},"limit":3}`, `"map[string]int asserted.Point a:asserted.Color *int"`},
		{"run", `{"filter":{"a":"b"},"values":[{"x":1}],"extra":{"a":"pink"},"limit":0}`, "fault: /filter/a /values/0/y /extra/a /limit"},
		{"run_by_name", `{"filter":{"x":1},"values":[[1,2.5]],"extra":{"a":{"x":1,"y":2},"b":null}}`, "fault: /extra/b"},
		{"run_by_name", `{"filter":{"x":1},"values":[[1,2.5]],"extra":{"a":{"x":1,"y":2}}}`, `"asserted.Point []float64 a:*asserted.Point"`},
		{"run_by_name", `{"filter":{"x":1,"y":2},"limit":1}`, "fault: /filter/y /limit"},
		{"kinds", `{"a":"a","b":1,"c":true,"d":[1,null],"e":{"k":[1]},"f":{"x":1,"y":2},"g":["blue"],"h":"2026-01-02T03:04:05Z"}`,
			`"string float64 bool []interface {} map[string][]int *asserted.Point []asserted.Color time.Time"`},
		{"kinds", `{"a":1,"b":"x","c":0,"d":{},"e":{"k":["x"]},"f":null,"g":["pink"],"h":"today"}`, "fault: /a /b /c /d /e/k/0 /f /g/0 /h"},
		{"defaults", `{}`, `"2 3 \"red\" []string{} <nil>"`},
		{"defaults", `{"a":0.5,"b":1,"c":"blue","d":["x"],"e":{"x":1,"y":2}}`, `"0.5 1 \"blue\" []string{\"x\"} asserted.Point{X:1, Y:2, Label:\"\"}"`},
		{"get_int", `{"kind":"int"}`, `7`},
		{"get_int", `{"kind":"int64"}`, `1152921504606846976`},
		{"get_int", `{"kind":"float"}`, `2`},
		{"get_int", `{"kind":"nothing"}`, `null`},
		{"get_int", `{"kind":"half"}`, `error: get_int: the result cannot be written: it is of type float64 in Go, not int as its note says: expected an integer, found the number 0.5`},
		{"get_texts", `{"kind":"texts"}`, `["a","b"]`},
		{"get_texts", `{"kind":"nil slice"}`, `[]`},
		{"get_texts", `{"kind":"mixed"}`, `error: get_texts: the result cannot be written: it is of type []interface {} in Go, not []string as its note says: /1: expected a string, found the number 1`},
		{"get_point", `{"kind":"point"}`, `{"x":1}`},
		{"get_point", `{"kind":"pointer"}`, `error: get_point: the result cannot be written: it is of type *asserted.Point in Go, not asserted.Point as its note says`},
		{"get_pointer", `{"kind":"pointer"}`, `{"x":3,"y":0}`},
		{"get_dict", `{"kind":"map"}`, `{"x":1,"y":2}`},
		{"get_color", `{"kind":"color"}`, `"red"`},
		{"get_color", `{"kind":"text"}`, `"t"`},
		{"get_time", `{"kind":"time"}`, `"1970-01-01T00:00:00Z"`},
		{"get_time", `{"kind":"text"}`, `error: get_time: the result cannot be written: it is of type string in Go, not time.Time as its note says: expected a date and time such as 2006-01-02T15:04:05Z, found the string "t"`},
		{"rows", `{"kind":"text"}`, `{"key":"t","values":["t",null]}`},
		{"rows", `{"kind":"int"}`, `error: rows: the result cannot be written: /key: it is of type int in Go, not string as its note says: expected a string, found the number 7`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if got := describeCall(call); got != tt.want {
			t.Errorf("%s(%s): %s\nwant %s", tt.name, tt.arguments, got, tt.want)
		}
	}
}

// describeCall returns the output of a call, the pointers of its faults, or its other error.
func describeCall(call *tool.Call) string {
	if bad, ok := errors.AsType[*tool.ArgumentError](call.Err); ok {
		var pointers []string
		for _, f := range bad.Faults {
			pointers = append(pointers, f.Pointer)
		}
		return "fault: " + strings.Join(pointers, " ")
	}
	if call.Err != nil {
		return fmt.Sprintf("error: %v", call.Err)
	}
	return string(call.Output)
}

package emit_test

import (
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/clashes"
)

// TestClashes passes fields that encoding/json drops.
func TestClashes(t *testing.T) {
	r := tool.NewRegistry()
	if err := clashes.Register(r); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"list", `{"state":"open"}`, `"open 0 of 0"`},
		{"list", `{"state":"open","Offset":{"Page":2,"PerPage":10}}`, `"open 2 of 10"`},
		{"list", `{"state":"open","Cursor":{"Page":"next","PerPage":5,"After":"x"}}`, `"open 0 of 0, next of 5 after x"`},
		{"list", `{"state":"open","Page":2,"After":"x"}`, "fault: /Page /After"},
		{"list_page", `{"state":"open","Cursor":{"Page":"next"}}`, `"open 0 of 0, next of 0 after "`},
		{"list_page", `{"state":"open","Cursor":{},"Offset":{"Page":1}}`, "fault: /Cursor/Page /Offset"},
		{"cut", `{"name":"a","Rows":{"From":1,"To":2},"Columns":{"From":3,"To":4}}`, `"a{1 2} {3 4}"`},
		{"pair", `{"all":[{"Depth":1,"Shown":{"Depth":2}}]}`, `12`},
		{"lambda", `{"state":"open","Offset":{"PerPage":7},"Cursor":{"After":"x"}}`, `"open 7x"`},
		{"lambda", `{"state":"open"}`, `"open 0"`},
		{"count", ``, `{"state":"open","After":"x"}`},
	} {
		if got := outcome(r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})); got != tt.want {
			t.Errorf("%s(%s) = %s, want %s", tt.name, tt.arguments, got, tt.want)
		}
	}
}

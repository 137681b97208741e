package emit_test

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/literals"
	"github.com/aiongen/aiongen/testdata/golden/names"
	"github.com/aiongen/aiongen/testdata/golden/receivers"
)

type desk struct{}

func (desk) Find(_ context.Context, name string) (string, error) { return "found " + name, nil }
func (desk) Close(name string) error                             { return errors.New(name + " is closed") }
func (desk) String() string                                      { return "desk" }

// TestReceivers calls tools that are methods of various types.
func TestReceivers(t *testing.T) {
	texts := &receivers.Cache[string, string]{}
	number := receivers.Number(2)
	receivers.Desks = desk{}
	deps := receivers.Deps{
		CacheStringString: texts, CacheIntFloat64: &receivers.Cache[int, float64]{}, CacheStringInt: &receivers.Counts{},
		Desk: desk{}, Front: &receivers.Front{Replacer: strings.NewReplacer("a", "b"), Desk: desk{}}, Back: receivers.NewBack("x"),
		Number: &number, URL: &receivers.URL{}, URLURL: &url.URL{Host: "example.com:80"}, Stringer: desk{},
	}
	r := tool.NewRegistry()
	if err := receivers.Register(r, deps); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"get_text", `{"key":"k"}`, "get_text: there is no k"},
		{"sum", `{"list":[1,2]}`, `3`},
		{"find", `{"name":"x"}`, `"found x"`},
		{"close", `{"name":"x"}`, "close: x is closed"},
		{"show", ``, `"desk"`},
		{"replace", `{"s":"a"}`, `"b"`},
		{"front_find", `{"name":"y"}`, `"found y"`},
		{"names", ``, `[]`},
		{"back_names", ``, `["x"]`},
		{"add", `{"to":3}`, `5`},
		{"parse", `{"s":"s"}`, `"s"`},
		{"join", `{"elem":["a","b"]}`, `"//example.com:80/a/b"`},
		{"hostname", ``, `"example.com"`},
		{"host", ``, `"example.com"`},
		{"greet", `{"name":"Ada"}`, `"hello Ada"`},
		{"desks_find", `{"name":"z"}`, `"found z"`},
		{"shout", ``, `"desk"`},
	} {
		checkCall(t, r, tt.name, tt.arguments, tt.want)
	}
}

// TestNames calls tools whose names collide with other names.
func TestNames(t *testing.T) {
	r := tool.NewRegistry()
	if err := names.Register(r, names.Deps{Receiver: &names.Receiver{}, Deps: names.NewDeps()}); err != nil {
		t.Fatal(err)
	}
	const ids = `{"user_id":"a","user_id2":"b","user_id3":"c","range_":[{"X":1}]}`
	for _, tt := range []struct{ name, arguments, want string }{
		{"find", `{"in":{"X":[{"Lead":"l"}]},"type_":{"k":[{"A":[{"D":1},null]}]},"type":"t","arg_4":1,"func":"f","fn":"n"}`,
			"find: wrong arguments: /type_/k/0/A/1: expected an object, found null"},
		{"find", `{"in":{"X":[{"Lead":"l"}]},"type_":{"k":[{"A":[{"D":1},{"D":2}]}]},"type":"t","arg_4":1,"func":"f","fn":"n"}`,
			`{"return_1":{"k":[{"A":[{"D":1},{"D":2}]}]},"return_2":{"X":[{"Lead":"l"}]}}`},
		{"get_url", ids, `{"user_id2":"abc","user_id22":1}`},
		{"get-url", ids, `{"user_id2":"abc","user_id22":1}`},
		{"GetURL", ids, `{"user_id2":"abc","user_id22":1}`},
		{"_", `{"a":1,"b":2}`, `3`},
		{"__", `{"a":1,"b":2}`, `-1`},
		{"type", `{"a":1,"b":2}`, `-1`},
		{"init", ``, `""`},
		{"string", ``, `""`},
		{"do", `{"d":1,"in":{"X":2}}`, `""`},
		{"do_it", `{"r":"x"}`, `"x"`},
		{"literal", `{"x":["a"],"tool":""}`, `["a"]`},
	} {
		checkCall(t, r, tt.name, tt.arguments, tt.want)
	}
}

// TestFunctionLiterals calls function literals with names that would hide others, and
// functions of dot imports.
func TestFunctionLiterals(t *testing.T) {
	r := tool.NewRegistry()
	if err := literals.Register(r); err != nil {
		t.Fatal(err)
	}
	checkCall(t, r, "drift", `{"s":" ä "}`, `35`)
	checkCall(t, r, "dotted", `{"i":7}`, `"7"`)
	checkCall(t, r, "dotted_snake", `{"r":228}`, `2`)
}

// checkCall calls a tool and checks its output or error.
func checkCall(t *testing.T, r *tool.Registry, name, arguments, want string) {
	t.Helper()
	call := r.Call(t.Context(), tool.Request{Name: name, Arguments: []byte(arguments)})
	got := string(call.Output)
	if call.Err != nil {
		got = call.Err.Error()
	}
	if got != want {
		t.Errorf("%s(%s) = %s; want %s", name, arguments, got, want)
	}
}

package tool_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
)

// named returns tools without more than a name.
func named(names string) (tools []tool.Tool) {
	for _, name := range strings.Fields(names) {
		tools = append(tools, searchAs(&tool.Definition{Name: name}).Tool)
	}
	return tools
}

func TestRegistry(t *testing.T) {
	r := tool.NewRegistry()
	check := func(want string) {
		t.Helper()
		names := strings.Join(r.Names(), " ")
		var all []string
		for _, d := range r.All() {
			all = append(all, d.Name)
		}
		if names != want || strings.Join(all, " ") != want {
			t.Errorf("names %s, definitions %v, want %s", names, all, want)
		}
	}
	check("")
	if err := r.Register(named("c a b")...); err != nil {
		t.Error(err)
	}
	check("a b c")
	for _, tools := range []string{"d a", "d e d"} {
		var taken *tool.DuplicateError
		if err := r.Register(named(tools)...); !errors.As(err, &taken) || taken.Name != tools[len(tools)-1:] {
			t.Errorf("%s: %v", tools, err)
		}
	}
	check("a b c")
	r.Replace(append(named("d"), searchAs(&tool.Definition{Name: "a", Title: "A"}).Tool)...)
	check("a b c d")
	if x, ok := r.Get("a"); !ok || x.Definition().Title != "A" {
		t.Errorf("%v %v", x, ok)
	}
	r.Unregister("b", "x")
	check("a c d")
	if _, ok := r.Get("b"); ok {
		t.Error("b is there")
	}
}

func TestDefinitions(t *testing.T) {
	r := tool.NewRegistry()
	r.Replace(named("a b c")...)
	for _, test := range []struct{ names, want string }{{"", ""}, {"c a", "a c"}, {"b b", "b"}} {
		definitions, err := r.Definitions(strings.Fields(test.names)...)
		var got []string
		for _, d := range definitions {
			got = append(got, d.Name)
		}
		if err != nil || strings.Join(got, " ") != test.want {
			t.Errorf("%s: %v %v", test.names, got, err)
		}
	}
	var unknown *tool.UnknownToolError
	if _, err := r.Definitions("a", "ab"); !errors.As(err, &unknown) || unknown.Name != "ab" || !slices.Equal(unknown.Nearest, []string{"a", "b"}) {
		t.Error(err)
	}
}

func TestNearest(t *testing.T) {
	r := tool.NewRegistry()
	r.Replace(named("search searches send_mail get_user getUsers list a1 a2 a3 a4 crème")...)
	for name, want := range map[string]string{
		"serach": "search", "Search": "search searches", "sendmail": "send_mail", "get_users": "getUsers get_user", "a": "a1 a2 a3",
		"creme": "crème", "delete": "", "": "", strings.Repeat("a", 1<<20): "",
	} {
		_, err := r.Match(tool.Request{Name: name})
		var unknown *tool.UnknownToolError
		if !errors.As(err, &unknown) || unknown.Name != name || strings.Join(unknown.Nearest, " ") != want {
			t.Errorf("%.20s: %.200v", name, err)
		}
	}
}

// TestDefinitionJSON holds the JSON names.
func TestDefinitionJSON(t *testing.T) {
	d := tool.Definition{
		Name: "n", Title: "t", Description: "d", Link: "l", Input: []byte(`{"required":["b","a"]}`), Output: []byte("{}"), Example: []byte("{}"),
		Annotations: tool.Annotations{ReadOnly: true, Destructive: true, Idempotent: true, OpenWorld: true},
	}
	const want = `{"name":"n","title":"t","description":"d","link":"l","input":{"required":["b","a"]},"output":{},"example":{},` +
		`"annotations":{"read_only":true,"destructive":true,"idempotent":true,"open_world":true}}`
	text, err := json.Marshal(d)
	var back tool.Definition
	if err != nil || string(text) != want || json.Unmarshal(text, &back) != nil || !reflect.DeepEqual(back, d) {
		t.Errorf("%s %v", text, err)
	}
	if text, err := json.Marshal(tool.Definition{}); string(text) != `{"name":"","description":""}` {
		t.Errorf("%s %v", text, err)
	}
	if got := d.Required(); !slices.Equal(got, []string{"b", "a"}) {
		t.Error(got)
	}
	if got := (tool.Definition{}).Required(); got != nil {
		t.Error(got)
	}
	if got := (tool.Tool{}).Definition(); got.Name != "" {
		t.Error(got)
	}
}

// TestRegistryConcurrent changes a registry while it is used.
func TestRegistryConcurrent(t *testing.T) {
	r := hundredTools(t)
	var wg sync.WaitGroup
	for i := range 4 {
		name := fmt.Sprint("extra_", i)
		wg.Go(func() {
			for range 100 {
				if err := r.Register(named(name)...); err != nil {
					t.Error(err)
				}
				r.Replace(named(name)...)
				r.Unregister(name)
			}
		})
		wg.Go(func() {
			for range 200 {
				c := r.Call(t.Context(), tool.Request{Name: "search", Arguments: json.RawMessage(payload)})
				if c.Err != nil || string(c.Output) != `{"ok":true,"count":25,"message":"author"}` {
					t.Errorf("%s %v", c.Output, c.Err)
				}
				c = r.Call(t.Context(), tool.Request{Name: "search", Arguments: json.RawMessage(fiveMistakesAndOne)})
				if c.Err == nil {
					t.Error("no error")
				}
				if n := len(r.Names()); n < 100 || n > 104 {
					t.Errorf("%d tools", n)
				}
				r.All()
				r.Get(name)
			}
		})
	}
	wg.Wait()
	if n := len(r.Names()); n != 100 {
		t.Errorf("%d tools", n)
	}
}

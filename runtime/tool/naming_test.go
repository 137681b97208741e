package tool_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// Two packages with tools of the same names are used in one program.
func ExampleRegistry_With() {
	get := tool.NewTypedAction(&tool.Definition{Name: "get"}, wire.NoArguments, func(context.Context, struct{}) error { return errors.New("not found") }).Tool
	list := tool.NewTypedAction(&tool.Definition{Name: "list"}, wire.NoArguments, func(context.Context, struct{}) error { return nil }).Tool

	r := tool.NewRegistry()
	fmt.Println(r.With(tool.Prefix("github_")).Register(get, list))
	fmt.Println(r.With(tool.Rename(map[string]string{"get": "read"}), tool.Prefix("desk_")).Register(get, list))
	fmt.Println(r.Names())
	fmt.Println(r.Call(context.Background(), tool.Request{Name: "desk_read"}).Err)
	// Output:
	// <nil>
	// <nil>
	// [desk_list desk_read github_get github_list]
	// desk_read: not found
}

// toolsOf returns generated tools of a package.
func toolsOf(path string, names ...string) (tools []tool.Tool) {
	for _, name := range names {
		tools = append(tools, tool.Generated(&tool.Definition{Name: name, Package: path}, func(context.Context, *tool.Invocation) {}))
	}
	return tools
}

// TestWith checks that tools registered through a view are known only by their new names, and that
// everything else uses these.
func TestWith(t *testing.T) {
	swap := tool.Rename(map[string]string{"get": "list", "list": "get"})
	for _, tt := range []struct {
		view func(*tool.Registry) *tool.Registry
		want []string
	}{
		{func(r *tool.Registry) *tool.Registry { return r.With() }, []string{"get", "list"}},
		{func(r *tool.Registry) *tool.Registry { return r.With(tool.Prefix("")) }, []string{"get", "list"}},
		{func(r *tool.Registry) *tool.Registry { return r.With(swap) }, []string{"list", "get"}},
		{func(r *tool.Registry) *tool.Registry { return r.With(tool.Prefix("a_"), tool.Prefix("b_")) }, []string{"b_a_get", "b_a_list"}},
		{func(r *tool.Registry) *tool.Registry { return r.With(tool.Prefix("b_")).With(tool.Prefix("a_")) }, []string{"b_a_get", "b_a_list"}},
		{func(r *tool.Registry) *tool.Registry {
			return r.With(tool.Prefix("a_"), tool.Rename(map[string]string{"a_get": "get"}))
		}, []string{"get", "a_list"}},
		{func(r *tool.Registry) *tool.Registry {
			none, _ := r.With(tool.Prefix("a_")).Select()
			return none
		}, []string{"a_get", "a_list"}},
	} {
		for _, register := range []func(*tool.Registry, ...tool.Tool) error{(*tool.Registry).Register, (*tool.Registry).Replace} {
			r := tool.NewRegistry()
			if err := register(tt.view(r), toolsOf("example.com/a", "get", "list")...); err != nil {
				t.Error(err)
			}
			if got := r.Names(); !slices.Equal(got, slices.Sorted(slices.Values(tt.want))) {
				t.Errorf("names %q, want %q", got, tt.want)
			}
			for _, name := range r.Names() {
				c := r.Call(t.Context(), tool.Request{Name: name})
				if found, _ := r.Get(name); c.Err != nil || c.Definition().Name != name || found.Definition().Name != name || found.Definition().Package != "example.com/a" {
					t.Errorf("%s: %v %+v", name, c.Err, c.Definition())
				}
			}
		}
	}
	original := toolsOf("example.com/a", "get")
	if err := tool.NewRegistry().With(tool.Prefix("a_")).Register(original...); err != nil || original[0].Definition().Name != "get" {
		t.Errorf("%v %s", err, original[0].Definition().Name)
	}
}

// TestWithFaults checks that tools that cannot have their new names are reported, and that nothing is
// registered.
func TestWithFaults(t *testing.T) {
	for _, tt := range []struct {
		naming tool.Naming
		want   string
	}{
		{tool.Rename(map[string]string{"gte": "x", "zzzz": "y"}), `unknown tool "gte", did you mean get?`},
		{tool.Rename(map[string]string{"get": "list"}), `a tool "list" is registered already, by example.com/b`},
		{tool.Rename(map[string]string{"get": " "}), `tool " " cannot be registered: it has no name`},
		{tool.Prefix("a\n"), `tool "a\nget" cannot be registered: a name is 1 to 128 letters, digits, underscores, dots, slashes and hyphens`},
		{tool.Prefix("p q "), `tool "p q get" cannot be registered: a name is 1 to 128 letters, digits, underscores, dots, slashes and hyphens`},
		{tool.Rename(map[string]string{"get": "it's"}), `tool "it's" cannot be registered: a name is 1 to 128 letters, digits, underscores, dots, slashes and hyphens`},
		{tool.Prefix(""), `a tool "get" is registered already: by example.com/a, and now by example.com/b; rename one of them with tool.Prefix or tool.Rename`},
	} {
		r := tool.NewRegistry()
		if err := r.Register(toolsOf("example.com/a", "get")...); err != nil {
			t.Fatal(err)
		}
		err := r.With(tt.naming).Register(toolsOf("example.com/b", "get", "list")...)
		if err == nil || err.Error() != tt.want || len(r.Names()) != 1 {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
	late := tool.NewRegistry().With(tool.Prefix("a_"), tool.Rename(map[string]string{"get": "x"}))
	if err := late.Register(toolsOf("example.com/b", "get")...); err == nil || err.Error() != `unknown tool "get"` {
		t.Errorf("a naming uses the names before an earlier one: %v", err)
	}
	if err := tool.NewRegistry().With(tool.Rename(map[string]string{"get": "x", "list": "y"})).Replace(toolsOf("example.com/b", "list")...); err != nil {
		t.Error(err)
	}
	if err := tool.NewRegistry().With(tool.Prefix("a_")).Register(tool.Tool{}); err == nil {
		t.Error("the zero Tool is registered")
	}
}

// TestDuplicate checks that the error names the tool that has a name, also for tools from JSON.
func TestDuplicate(t *testing.T) {
	for _, tt := range []struct{ first, second, want string }{
		{"example.com/a", "example.com/b", `a tool "t" is registered already: by example.com/a, and now by example.com/b; rename one of them with tool.Prefix or tool.Rename`},
		{"example.com/a", "", `a tool "t" is registered already: by example.com/a, and now by hand; rename one of them with tool.Prefix or tool.Rename`},
		{"", "example.com/b", `a tool "t" is registered already: by hand, and now by example.com/b; rename one of them with tool.Prefix or tool.Rename`},
		{"example.com/a", "example.com/a", `a tool "t" is registered already, by example.com/a`},
		{"", "", `a tool "t" is registered already`},
	} {
		r := tool.NewRegistry()
		_ = r.Register(toolsOf(tt.first, "t")...)
		err := r.Register(toolsOf(tt.second, "t")...)
		var taken *tool.DuplicateError
		if !errors.As(err, &taken) || taken.First != tt.first || taken.Second != tt.second || err.Error() != tt.want {
			t.Errorf("got %v, want %s", err, tt.want)
		}
		if back := fromJSON(t, &tool.Call{Err: err}).Err; back.Error() != tt.want {
			t.Errorf("from JSON %v, want %s", back, tt.want)
		}
	}
}

package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// namedTools returns tools that have only a name.
func namedTools(names string) (tools []tool.Tool) {
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
	if err := r.Register(namedTools("c a b")...); err != nil {
		t.Error(err)
	}
	check("a b c")
	for _, tools := range []string{"d a", "d e d"} {
		var taken *tool.DuplicateError
		if err := r.Register(namedTools(tools)...); !errors.As(err, &taken) || taken.Name != tools[len(tools)-1:] {
			t.Errorf("%s: %v", tools, err)
		}
	}
	check("a b c")
	r.Replace(append(namedTools("d"), searchAs(&tool.Definition{Name: "a", Title: "A"}).Tool)...)
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
	r.Replace(namedTools("a b c")...)
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
	r.Replace(namedTools("search searches send_mail get_user getUsers list a1 a2 a3 a4 crème")...)
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

// TestDefinitionJSON checks the JSON names.
func TestDefinitionJSON(t *testing.T) {
	d := tool.Definition{
		Name: "n", Title: "t", Description: "d", Link: "l", Input: []byte(`{"required":["b","a"]}`), Output: []byte("{}"), Example: []byte("{}"),
		Annotations: tool.Annotations{ReadOnly: true, Additive: true, Idempotent: true, ClosedWorld: true},
	}
	const want = `{"name":"n","title":"t","description":"d","link":"l","input":{"required":["b","a"]},"output":{},"example":{},` +
		`"annotations":{"read_only":true,"additive":true,"idempotent":true,"closed_world":true}}`
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
				if err := r.Register(namedTools(name)...); err != nil {
					t.Error(err)
				}
				r.Replace(namedTools(name)...)
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

// TestRegistryLoad makes 10,000 calls from many goroutines while tools are added, removed and
// replaced. A call that begins after a tool was replaced runs the new one.
func TestRegistryLoad(t *testing.T) {
	version := func(n int64) tool.Tool {
		return tool.NewTypedTool(&tool.Definition{Name: "version"}, wire.Value.Int64, func(_ context.Context, after int64) (int64, error) {
			if n < after {
				return 0, fmt.Errorf("version %d ran after %d was there", n, after)
			}
			return n, nil
		}, (*wire.Encoder).Int).Tool
	}
	var ran atomic.Int64
	r := tool.NewRegistry(tool.Use(middleware.Limit(64), func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			ran.Add(1)
			return next(ctx, c)
		}
	}))
	if err := r.Register(append(namedTools("search"), version(0))...); err != nil {
		t.Fatal(err)
	}
	view, err := r.Select("version", "search")
	if err != nil {
		t.Fatal(err)
	}
	var last atomic.Int64
	var stop atomic.Bool
	var changing, calling sync.WaitGroup
	changing.Go(func() {
		for n := int64(1); !stop.Load(); n++ {
			r.Replace(version(n))
			last.Store(n)
			if err := view.Register(namedTools("x y z")...); err != nil {
				t.Error(err)
			}
			r.Unregister("x", "y", "z")
		}
	})
	const goroutines, each = 20, 500
	for g := range goroutines {
		caller := []*tool.Registry{r, view}[g%2]
		calling.Go(func() {
			for i := 0; i < each; i += 5 {
				after := fmt.Appendf(nil, "%d", last.Load())
				requests := []tool.Request{
					{Name: "version", Arguments: after},
					{Name: "search", Arguments: json.RawMessage(payload)},
					{Name: "search", Arguments: json.RawMessage(fiveMistakesAndOne)},
				}
				calls := append(caller.CallAll(t.Context(), requests, tool.Batch{}), caller.Call(t.Context(), requests[0]))
				matched, err := caller.Match(requests[1])
				if err != nil {
					t.Error(err)
					return
				}
				matched.Invoke(t.Context())
				var bad *tool.ArgumentError
				if !errors.As(calls[2].Err, &bad) || bad.Count != 6 {
					t.Errorf("%v", calls[2].Err)
				}
				for _, c := range []*tool.Call{calls[0], calls[1], calls[3], matched} {
					if c.Status != tool.StatusCompleted {
						t.Errorf("%s %v", c.Request.Name, c.Err)
					}
				}
				if n := len(view.All()); n != 2 {
					t.Errorf("the view has %d tools", n)
				}
			}
		})
	}
	calling.Wait()
	stop.Store(true)
	changing.Wait()
	if n := ran.Load(); n != goroutines*each {
		t.Errorf("%d calls", n)
	}
}

// TestRegisterZero checks that an invalid tool is refused with all tools that are registered with it.
func TestRegisterZero(t *testing.T) {
	r := tool.NewRegistry()
	for _, x := range []tool.Tool{{}, tool.Tool{}.Tolerant(nil), tool.New(nil, func(context.Context, *tool.Invocation) {}), tool.New(&tool.Definition{Name: "c"}, nil)} {
		if err := r.Register(append(namedTools("a b"), x)...); err == nil || len(r.Names()) != 0 {
			t.Errorf("got %v, %v", err, r.Names())
		}
	}
	r.Replace(append(namedTools("a"), tool.Tool{})...)
	if names := r.Names(); !slices.Equal(names, []string{"a"}) {
		t.Errorf("got %v", names)
	}
	if c := r.Call(t.Context(), tool.Request{}); tool.Code(c.Err) != "unknown_tool" {
		t.Errorf("got %v", c.Err)
	}
}

// TestMatchThenChange checks that a matched call runs the tool that was registered at that time.
func TestMatchThenChange(t *testing.T) {
	saying := func(text string) tool.Tool {
		return textTool("t", func(context.Context, struct{}) (string, error) { return text, nil }).Tool
	}
	r := tool.NewRegistry()
	r.Replace(saying("old"))
	first, err := r.Match(tool.Request{Name: "t"})
	if err != nil {
		t.Fatal(err)
	}
	r.Replace(saying("new"))
	second, err := r.Match(tool.Request{Name: "t"})
	if err != nil {
		t.Fatal(err)
	}
	r.Unregister("t")
	first.Invoke(t.Context())
	second.Invoke(t.Context())
	if string(first.Output) != `"old"` || string(second.Output) != `"new"` {
		t.Errorf("%s %v, %s %v", first.Output, first.Err, second.Output, second.Err)
	}
}

// TestRegisterCopies checks that later changes of the passed slice have no effect.
func TestRegisterCopies(t *testing.T) {
	r := tool.NewRegistry()
	tools := namedTools("a b")
	r.Replace(tools...)
	tools[0] = tool.Tool{}
	if x, ok := r.Get("a"); !ok || x.Definition().Name != "a" {
		t.Errorf("got %v, %v", x, ok)
	}
}

func TestSelect(t *testing.T) {
	r := tool.NewRegistry()
	r.Replace(namedTools("a b c search")...)
	view, err := r.Select("search", "a", "a")
	if err != nil {
		t.Fatal(err)
	}
	state := func() string {
		var all, available []string
		for _, d := range view.All() {
			all = append(all, d.Name)
		}
		for _, d := range view.Available(nil) {
			available = append(available, d.Name)
		}
		if !slices.Equal(all, view.Names()) || !slices.Equal(available, view.Names()) {
			t.Errorf("all %v, available %v, names %v", all, available, view.Names())
		}
		return strings.Join(all, " ")
	}
	if got := state(); got != "a search" {
		t.Error(got)
	}
	arguments := json.RawMessage(payload)
	if c := view.Call(t.Context(), tool.Request{Name: "search", Arguments: arguments}); c.Err != nil {
		t.Error(c.Err)
	}

	var unknown *tool.UnknownToolError
	if c := view.Call(t.Context(), tool.Request{Name: "b", Arguments: arguments}); !errors.As(c.Err, &unknown) || !slices.Equal(unknown.Nearest, []string{"a"}) {
		t.Errorf("it calls, or names, more than it offers: %v", c.Err)
	}
	if _, err := view.Match(tool.Request{Name: "c"}); !errors.As(err, &unknown) {
		t.Error(err)
	}
	if _, err := view.Definitions("a", "b"); !errors.As(err, &unknown) || unknown.Name != "b" {
		t.Error(err)
	}
	if _, ok := view.Get("b"); ok {
		t.Error("b is there")
	}
	for _, c := range view.CallAll(t.Context(), []tool.Request{{Name: "b"}}, tool.Batch{}) {
		if !errors.As(c.Err, &unknown) {
			t.Error(c.Err)
		}
	}
	if _, err := view.Select("a", "b"); !errors.As(err, &unknown) || unknown.Name != "b" {
		t.Error(err)
	}
	if none, err := r.Select(); err != nil || len(none.Names()) != 0 {
		t.Errorf("%v %v", none, err)
	}

	// A view of a view offers the tools that both offer.
	narrow, err := view.Select("search")
	if err != nil || !slices.Equal(narrow.Names(), []string{"search"}) {
		t.Errorf("%v %v", narrow.Names(), err)
	}
	if c := narrow.Call(t.Context(), tool.Request{Name: "a", Arguments: arguments}); !errors.As(c.Err, &unknown) || len(unknown.Nearest) != 0 {
		t.Errorf("%v", c.Err)
	}

	// It follows the registry, but offers only the tools that it was created for.
	r.Unregister("a")
	if got := state(); got != "search" {
		t.Error(got)
	}
	if err := view.Register(namedTools("a d")...); err != nil {
		t.Error(err)
	}
	if got := state(); got != "a search" || !slices.Equal(r.Names(), []string{"a", "b", "c", "d", "search"}) {
		t.Error(got, r.Names())
	}
}

// TestAvailable offers the tools that can be called in a scope.
func TestAvailable(t *testing.T) {
	always := tool.NewTypedAction(&tool.Definition{Name: "always", Input: []byte(searchInput)}, wire.NoArguments, nil)
	takes := tool.NewTypedAction(&tool.Definition{Name: "takes"}, wire.Ref[io.Reader], nil).Tool.RequireVariables(wire.Fits[io.Reader])
	both := tool.NewTypedTool(&tool.Definition{Name: "both"}, wire.Ref[io.Reader], nil, wire.EncodeRef[io.Writer]).
		Tool.RequireVariables(wire.Fits[io.Reader], wire.Fits[fmt.Stringer]).StoreResult("writer")
	r := tool.NewRegistry()
	scoped := tool.NewTypedAction(&tool.Definition{Name: "scoped"}, wire.NoArguments, nil).Tool.RequireVariables()
	r.Replace(always.Tool, takes, both, openTool("").Tool, scoped)
	for _, tt := range []struct {
		scope *tool.Scope
		want  string
	}{
		{nil, "always"},
		{tool.NewScope(), "always open scoped"},
		{scopeWith(t, map[string]any{"n": 7, "f": func() {}}), "always open scoped"},
		{scopeWith(t, map[string]any{"x": &source{}}), "always open scoped takes"},
		{scopeWith(t, map[string]any{"x": &source{}, "late": time.Second}), "always both open scoped takes"},
		{scopeWith(t, map[string]any{"x": strings.NewReader("")}, tool.ReferToValues()), "always open scoped takes"},
	} {
		var got []string
		for _, d := range r.Available(tt.scope) {
			got = append(got, d.Name)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("got %v, want %s", got, tt.want)
		}
	}
	if got := r.Names(); len(got) != 5 {
		t.Errorf("got %v", got)
	}
}

// TestRegisterAtomic checks that concurrent readers see all of a batch or nothing.
func TestRegisterAtomic(t *testing.T) {
	r := tool.NewRegistry()
	names := strings.Fields("a b c d e f g h")
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for !stop.Load() {
				if n := len(r.Names()); n != 0 && n != len(names) {
					t.Errorf("%d tools", n)
				}
			}
		})
	}
	for range 300 {
		if err := r.Register(namedTools("a b c d e f g h")...); err != nil {
			t.Error(err)
		}
		if err := r.Register(namedTools("x y z a")...); err == nil {
			t.Error("a name was taken twice")
		}
		r.Unregister(names...)
	}
	stop.Store(true)
	wg.Wait()
}

func TestChanged(t *testing.T) {
	r := tool.NewRegistry()
	r.Replace(namedTools("a")...)
	view, err := r.Select("a")
	if err != nil {
		t.Fatal(err)
	}
	isClosed := func(c <-chan struct{}) bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
	for _, test := range []struct {
		name   string
		change func()
	}{
		{"register", func() { _ = r.Register(namedTools("b c")...) }},
		{"replace", func() { r.Replace(namedTools("a")...) }},
		{"unregister", func() { r.Unregister("b") }},
		{"through a view", func() { view.Replace(namedTools("d")...) }},
		{"one after other", func() { r.Replace(namedTools("a")...); r.Replace(namedTools("b")...) }},
	} {
		changed, seen := r.Changed(), view.Changed()
		if isClosed(changed) || isClosed(seen) {
			t.Errorf("%s: told before", test.name)
		}
		test.change()
		if !isClosed(changed) || !isClosed(seen) {
			t.Errorf("%s: not told", test.name)
		}
	}
	changed := r.Changed()
	if err := r.Register(namedTools("a e")...); err == nil || isClosed(changed) {
		t.Errorf("%v: told of a change that was none", err)
	}
}

// TestDeep decodes arguments at the maximum depth.
func TestDeep(t *testing.T) {
	text := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	r := tool.NewRegistry(tool.MaxDepth(math.MaxInt))
	r.Replace(tool.NewTypedAction(&tool.Definition{Name: "any"}, wire.Value.Any, func(context.Context, any) error { return nil }).Tool)
	if c := r.Call(t.Context(), tool.Request{Name: "any", Arguments: json.RawMessage(text)}); c.Err != nil {
		t.Error(c.Err)
	}
	if c := r.Call(t.Context(), tool.Request{Name: "any", Arguments: json.RawMessage("[" + text + "]")}); c.Err == nil {
		t.Error("no error")
	}
}

// TestAnnotate checks that it has no effect, whatever its arguments.
func TestAnnotate(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() {
		_ = tool.Annotate(Search, tool.ReadOnly, tool.Title("Search"), tool.Example("no JSON"))
		_ = tool.Annotate(nil)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestNoRoom checks that with a limit of zero, every result is too long.
func TestNoRoom(t *testing.T) {
	for _, limit := range []int{0, -1} {
		r := tool.NewRegistry(tool.MaxOutput(limit))
		r.Replace(textTool("t", func(context.Context, struct{}) (string, error) { return "", nil }).Tool)
		if c := r.Call(t.Context(), tool.Request{Name: "t"}); tool.Code(c.Err) != "invalid_output" {
			t.Errorf("%d bytes: %v", limit, c.Err)
		}
	}
}

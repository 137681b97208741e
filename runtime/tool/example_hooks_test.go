package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// call calls a tool with arguments.
func call(ctx context.Context, r *tool.Registry, name, arguments string) *tool.Call {
	return r.Call(ctx, tool.Request{Name: name, Arguments: json.RawMessage(arguments)})
}

// Hooks receive arguments and results as Go values. Every call has the arguments as received and as
// executed.
func ExampleTypedTool_Before() {
	area := areaTool().
		Before(func(_ context.Context, a *areaArgs) error {
			if a.Width > 1000 {
				return errors.New("no field is that wide")
			}
			a.Height = max(a.Height, 1)
			return nil
		}).
		After(func(_ context.Context, a *areaArgs, r *float64) error {
			*r = float64(int(*r))
			return nil
		})
	r := tool.NewRegistry()
	r.Replace(area.Tool)

	ctx := context.Background()
	c := call(ctx, r, "area", `{"width": 2.5, "height": 0.5}`)
	fmt.Printf("%s for %s, which was %s\n", c.Output, c.Arguments, c.Request.Arguments)
	c = call(ctx, r, "area", `{"width": 2000, "height": 1}`)
	fmt.Println(tool.ModelText(c.Err))
	// Output:
	// 2 for {"width":2.5,"height":1}, which was {"width": 2.5, "height": 0.5}
	// area failed: no field is that wide
}

// Values that JSON cannot represent stay in a scope. The model sees and writes names.
func ExampleScope() {
	open := tool.NewTypedTool(&tool.Definition{Name: "open"}, wire.Value.Str,
		func(_ context.Context, text string) (io.Reader, error) { return strings.NewReader(text), nil },
		wire.EncodeRef).Tool.StoreResult("reader")
	read := tool.NewTypedTool(&tool.Definition{Name: "read"}, wire.Ref[io.Reader],
		func(_ context.Context, r io.Reader) (string, error) { b, err := io.ReadAll(r); return string(b), err },
		(*wire.Encoder).Str).Tool.RequireVariables(wire.Fits[io.Reader])
	r := tool.NewRegistry()
	r.Replace(open, read)

	scope := tool.NewScope()
	defer scope.Close()
	offered := func() (names []string) {
		for _, d := range r.Available(scope) {
			names = append(names, d.Name)
		}
		return names
	}
	ctx := tool.WithScope(context.Background(), scope)
	fmt.Println(offered())
	fmt.Println(string(call(ctx, r, "open", `"some text"`).Output))
	fmt.Println(offered())
	fmt.Println(string(call(ctx, r, "read", `"<<var:reader_1>>"`).Output))
	// Output:
	// [open]
	// {"ref":"<<var:reader_1>>","type":"io.Reader"}
	// [open read]
	// "some text"
}

// Several calls run in parallel. The results are in the order of the requests.
func ExampleRegistry_CallAll() {
	r := tool.NewRegistry()
	r.Replace(areaTool().Tool)
	var requests []tool.Request
	for _, arguments := range []string{`{"width":2,"height":3}`, `{"width":-1,"height":3}`, `{"width":4,"height":5}`} {
		requests = append(requests, tool.Request{Name: "area", Arguments: json.RawMessage(arguments)})
	}
	for _, c := range r.CallAll(context.Background(), requests, tool.Batch{Concurrent: 2}) {
		fmt.Printf("%s %s%s\n", c.Status, c.Output, tool.ModelText(c.Err))
	}
	// Output:
	// completed 6
	// failed area failed: a side is negative
	// completed 20
}

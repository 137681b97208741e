package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// A handwritten tool: how its arguments are decoded, what it does, how its result is encoded.
func ExampleNewTypedTool() {
	definition := &tool.Definition{
		Name:        "shout",
		Description: "Says a word louder.",
		Input:       json.RawMessage(`{"type":"object","properties":{"word":{"type":"string"}},"required":["word"],"additionalProperties":false}`),
		Output:      json.RawMessage(`{"type":"string"}`),
	}
	shout := tool.NewTypedTool(definition, func(v wire.Value) (word string) {
		o := v.Object()
		word = o.Str("word")
		o.Done()
		return word
	}, func(_ context.Context, word string) (string, error) {
		return strings.ToUpper(word), nil
	}, (*wire.Encoder).Str)

	r := tool.NewRegistry()
	if err := r.Register(shout.Tool); err != nil {
		panic(err)
	}
	fmt.Println(string(call(context.Background(), r, "shout", `{"word": "hey"}`).Output))

	loud, err := shout.Call(context.Background(), "without a model")
	fmt.Println(loud, err)
	// Output:
	// "HEY"
	// WITHOUT A MODEL <nil>
}

// New is for tools whose Go types are unknown when the program is built.
func ExampleNew() {
	echo := tool.New(&tool.Definition{Name: "echo"}, func(_ context.Context, in *tool.Invocation) {
		arguments := in.Arguments().Raw()
		if in.Ready() {
			in.Result().RawJSON("", arguments)
		}
	})
	r := tool.NewRegistry()
	r.Replace(echo)
	fmt.Println(string(call(context.Background(), r, "echo", `{"any": ["thing"]}`).Output))
	// Output: {"any":["thing"]}
}

// errBusy reports that it is temporary.
type errBusy struct{}

func (errBusy) Error() string   { return "the line is busy" }
func (errBusy) Retryable() bool { return true }

// The same error for three readers: a program, its operator, and the model.
func ExampleModelText() {
	r := tool.NewRegistry()
	r.Replace(tool.NewTypedAction(&tool.Definition{Name: "dial"}, wire.NoArguments, func(context.Context, struct{}) error { return errBusy{} }).Tool)
	for _, name := range []string{"dial", "dail"} {
		err := call(context.Background(), r, name, "{}").Err
		fmt.Println(tool.Code(err), tool.Retryable(err))
		fmt.Println(err)
		fmt.Println(tool.ModelText(err))
	}
	// Output:
	// tool_failed true
	// dial: the line is busy
	// dial failed: the line is busy
	// The same call may succeed later.
	// unknown_tool false
	// unknown tool "dail", did you mean dial?
	// There is no tool "dail". Did you mean dial?
}

// Middleware sees every call, including those of unknown tools.
func ExampleUse() {
	log := func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			output, err := next(ctx, c)
			fmt.Printf("%s: %q %q\n", c.Request.Name, output, tool.Code(err))
			return output, err
		}
	}
	r := tool.NewRegistry(tool.Use(log, middleware.Timeout(time.Minute), middleware.Limit(8)))
	r.Replace(areaTool().Tool)
	call(context.Background(), r, "area", `{"width": 2, "height": 3}`)
	call(context.Background(), r, "volume", `{}`)
	// Output:
	// area: "6" ""
	// volume: "" "unknown_tool"
}

// Invalid text of a model is read again as it was most likely intended. Package repair does that for
// many mistakes; this example knows one.
func ExampleTolerant() {
	quoted := func(arguments string, _ json.RawMessage) (tool.RepairedArguments, error) {
		value := strings.ReplaceAll(arguments, `'`, `"`)
		if value == arguments {
			return tool.RepairedArguments{}, errors.New("there are no single quotes")
		}
		return tool.RepairedArguments{Value: json.RawMessage(value), Edits: []tool.Edit{{Kind: "quotes"}}}, nil
	}
	r := tool.NewRegistry(tool.Tolerant(quoted))
	r.Replace(areaTool().Tool)
	c := call(context.Background(), r, "area", `{'width': 2, 'height': 3}`)
	fmt.Println(string(c.Output), string(c.Arguments), c.Repairs[0].Kind)
	// Output: 6 {"width": 2, "height": 3} quotes
}

// A view offers some of the tools, for example to a specific model or step.
func ExampleRegistry_Select() {
	r := tool.NewRegistry()
	none := func(context.Context, struct{}) error { return nil }
	for _, name := range []string{"find", "delete"} {
		r.Replace(tool.NewTypedAction(&tool.Definition{Name: name}, wire.NoArguments, none).Tool)
	}
	readers, err := r.Select("find")
	fmt.Println(readers.Names(), err)
	fmt.Println(call(context.Background(), readers, "delete", "{}").Err)
	_, err = r.Select("fnd")
	fmt.Println(err)
	// Output:
	// [find] <nil>
	// unknown tool "delete"
	// unknown tool "fnd", did you mean find?
}

// A function learns from its context for whom it is called.
func ExampleCallFrom() {
	r := tool.NewRegistry()
	r.Replace(tool.NewTypedAction(&tool.Definition{Name: "greet"}, wire.NoArguments, func(ctx context.Context, _ struct{}) error {
		fmt.Println("hello,", tool.CallFrom(ctx).Request.Meta["user"])
		return nil
	}).Tool)
	r.Call(context.Background(), tool.Request{Name: "greet", Meta: map[string]string{"user": "Ada"}})
	// Output: hello, Ada
}

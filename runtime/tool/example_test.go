package tool_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// area is the function that the model can call.
func area(_ context.Context, width, height float64) (float64, error) {
	if width < 0 || height < 0 {
		return 0, fmt.Errorf("a side is negative")
	}
	return width * height, nil
}

var areaDefinition = tool.Definition{
	Name:        "area",
	Description: "The area of a rectangle.",
	Input: json.RawMessage(`{"type":"object","properties":{"width":{"type":"number"},"height":{"type":"number"}},` +
		`"required":["width","height"],"additionalProperties":false}`),
	Output: json.RawMessage(`{"type":"number"}`),
}

type areaArgs struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// decodeAreaArgs decodes the arguments. aiongen generates such functions, and functions like areaTool.
func decodeAreaArgs(v wire.Value) (x areaArgs) {
	o := v.Object()
	x.Width = o.Float64("width")
	x.Height = o.Float64("height")
	o.Done()
	return x
}

func areaTool() *tool.TypedTool[areaArgs, float64] {
	return tool.NewTypedTool(&areaDefinition, decodeAreaArgs, func(ctx context.Context, a areaArgs) (float64, error) {
		return area(ctx, a.Width, a.Height)
	}, (*wire.Encoder).Float64)
}

func Example() {
	r := tool.NewRegistry()
	if err := r.Register(areaTool().Tool); err != nil {
		panic(err)
	}
	for _, arguments := range []string{
		`{"width": 2, "height": 3.5}`,
		`{"width": "2", "hight": 3.5}`,
		`{"width": -2, "height": 3.5}`,
		`{"width": 2, `,
	} {
		call := r.Call(context.Background(), tool.Request{Name: "area", Arguments: json.RawMessage(arguments)})
		if call.Err != nil {
			fmt.Println(call.Status, call.Err)
			continue
		}
		fmt.Println(call.Status, string(call.Output))
	}
	// Output:
	// completed 7
	// failed area: wrong arguments: /width: expected a number, found the string "2"; /hight: expected the key height, found the key "hight"; /height: expected a value, found nothing
	// failed area: a side is negative
	// failed area: wrong arguments: arguments: expected a key in double quotes at byte 13, found the end of the text
}

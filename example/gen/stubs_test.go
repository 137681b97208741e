package gen_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/example/gen"
	"github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestStubs calls the two smallest tools with valid and invalid arguments. The same call must always
// have the same outcome.
func TestStubs(t *testing.T) {
	registry := tool.NewRegistry()
	if err := gen.Register(registry, gen.Deps{Desk: tools.NewDesk(time.Now)}); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, arguments, want string }{
		{"echo", `{"text":"hi"}`, `completed "hi"`},
		{"echo", `{}`, "failed invalid_arguments /text: expected a value, found nothing"},
		{"echo", `{"text":7}`, "failed invalid_arguments /text: expected a string, found the number 7"},
		{"calculator", `{"operation":"add","a":5,"b":3}`, "completed 8"},
		{"calculator", `{"operation":"subtract","a":5,"b":3.5}`, "completed 1.5"},
		{"calculator", `{"operation":"multiply","a":5,"b":-3}`, "completed -15"},
		{"calculator", `{"operation":"divide","a":5,"b":2}`, "completed 2.5"},
		{"calculator", `{"operation":"divide","a":5,"b":0}`, "failed tool_failed division by zero"},
		{"calculator", `{"operation":"pow","a":5,"b":3}`, `failed invalid_arguments /operation: expected one of "add", "subtract", "multiply", "divide" (strings), found the string "pow"`},
		{"calculator", `{"operation":"add","a":"5"}`, `failed invalid_arguments /a: expected a number, found the string "5"; /b: expected a value, found nothing`},
	} {
		for range 2 {
			call := registry.Call(t.Context(), tool.Request{Name: test.name, Arguments: []byte(test.arguments)})
			got := fmt.Sprintf("%s %s", call.Status, call.Output)
			if call.Err != nil {
				text := strings.TrimPrefix(strings.TrimPrefix(call.Err.Error(), test.name+": "), "wrong arguments: ")
				got = fmt.Sprintf("%s %s %s", call.Status, tool.Code(call.Err), text)
			}
			if got != test.want {
				t.Errorf("%s%s:\n got %s\nwant %s", test.name, test.arguments, got, test.want)
			}
		}
	}
}

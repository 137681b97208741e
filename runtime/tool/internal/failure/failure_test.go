package failure_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/tool/internal/failure"
)

// failed is a type of error for all failures.
type failed struct{ failure.Failure }

func (f *failed) Error() string { return f.Text() }
func (f *failed) Unwrap() error { return f.Cause }

var types = failure.Types{
	Of: func(err error) (failure.Failure, bool) {
		f, ok := err.(*failed)
		if !ok {
			return failure.Failure{}, false
		}
		return f.Failure, true
	},
	Make: func(f failure.Failure) error { return &failed{f} },
}

func Example() {
	err := types.Make(failure.Failure{Kind: failure.Tool, Tool: "find", Cause: errors.New("closed today")})
	fmt.Println(types.Code(err), types.Retryable(err))
	fmt.Println(err)
	fmt.Println(types.ModelText(err))
	text, _ := json.Marshal(types.Record(err))
	fmt.Println(string(text))
	// Output:
	// tool_failed false
	// find: closed today
	// find failed: closed today
	// {"type":"ToolError","code":"tool_failed","text":"find: closed today","tool":"find","cause":{"type":"*errors.errorString","text":"closed today"}}
}

// TestRecord: every kind comes back from JSON as what it was.
func TestRecord(t *testing.T) {
	for kind := failure.UnknownTool; kind <= failure.Ask; kind++ {
		f := failure.Failure{Kind: kind, Tool: "a", Variable: "v", Packages: [2]string{"x", "y"}, Pointer: "/p", Value: "sorry", Stack: []byte("s"), Cause: context.Canceled,
			Questions: []ask.Question{ask.Person("Sure?", nil)}, Given: []ask.Answer{ask.Roots().Decline()}, Nobody: true}
		if kind == failure.Panic {
			f.Cause = nil
		}
		err := types.Make(f)
		text, bad := json.Marshal(types.Record(err))
		var r failure.Record
		if bad == nil {
			bad = json.Unmarshal(text, &r)
		}
		if bad != nil {
			t.Fatal(bad)
		}
		back := types.Error(&r)
		if back.Error() != err.Error() || types.Code(back) != types.Code(err) || types.Code(err) == "" || types.ModelText(back) != types.ModelText(err) ||
			kind != failure.Panic && !errors.Is(back, context.Canceled) {
			t.Errorf("kind %d: got %v, want %v", kind, back, err)
		}
	}
}

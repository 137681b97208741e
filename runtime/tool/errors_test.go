package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
)

// allErrors returns one error of each type, whose causes wrap context.Canceled.
func allErrors() []error {
	cause := fmt.Errorf("the cause: %w", context.Canceled)
	faults := []tool.Fault{{Pointer: "/a", Expected: "a string", Found: "nothing"}}
	return []error{
		&tool.UnknownToolError{Name: "serch", Nearest: []string{"search"}},
		&tool.DuplicateError{Name: "t", First: "a/gen", Second: "b/gen"},
		&tool.DefinitionError{Tool: "t", Err: cause},
		&tool.ArgumentError{Tool: "t", Faults: faults, Count: 7, Repair: cause},
		&tool.TruncatedError{Tool: "t"},
		&tool.ToolError{Tool: "t", Err: cause},
		&tool.DeniedError{Tool: "t"},
		&tool.ApprovalError{Tool: "t"},
		&tool.UnknownOutcomeError{Err: cause},
		&tool.ScopeError{Name: "v", Err: cause},
		&tool.PanicError{Tool: "t", Value: "sorry", Stack: []byte("main.go:7")},
		&tool.OutputError{Tool: "t", Pointer: "/p", Err: cause},
		&tool.AskError{Tool: "t", Questions: []tool.Question{tool.AskPerson("Sure?", nil)}, Given: []tool.Answer{tool.AskRoots().Decline()}, Nobody: true, Err: cause},
	}
}

// TestErrorRecord checks that every error survives the JSON of a call, and that its JSON is then the
// same.
func TestErrorRecord(t *testing.T) {
	for _, err := range allErrors() {
		text, failed := json.Marshal(&tool.Call{Err: err})
		var back tool.Call
		if failed == nil {
			failed = json.Unmarshal(text, &back)
		}
		if failed != nil {
			t.Fatal(failed)
		}
		if reflect.TypeOf(back.Err) != reflect.TypeOf(err) || back.Err.Error() != err.Error() || tool.ModelText(back.Err) != tool.ModelText(err) || tool.Retryable(back.Err) != tool.Retryable(err) {
			t.Errorf("%T became %T: %v", err, back.Err, back.Err)
		}
		if code := err.(interface{ Code() string }).Code(); code == "" || tool.Code(err) != code || tool.Code(back.Err) != code {
			t.Errorf("%T has the code %q, and then %q", err, code, tool.Code(back.Err))
		}
		if errors.Is(back.Err, context.Canceled) != errors.Is(err, context.Canceled) {
			t.Errorf("%T lost its cause", err)
		}
		if own, failed := json.Marshal(err); failed != nil || !bytes.Contains(text, own) {
			t.Errorf("%T is %s alone, and %s in a call: %v", err, own, text, failed)
		}
	}
}

// TestForeignModelText checks that an error of this package in the cause of another error does not
// provide its text for models.
func TestForeignModelText(t *testing.T) {
	inner := &tool.DeniedError{Tool: "inner"}
	err := &tool.ToolError{Tool: "t", Err: fmt.Errorf("it called another: %w", inner)}
	if got := tool.ModelText(err); got != "t failed: it called another: inner: the call is not allowed" {
		t.Error(got)
	}
}

// TestCallFormat checks that a record in a newer format is refused.
func TestCallFormat(t *testing.T) {
	err := json.Unmarshal([]byte(`{"format":2}`), new(tool.Call))
	if want := "the record of a call has format 2, want at most 1"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func ExampleToolError_MarshalJSON() {
	text, err := json.Marshal(&tool.ToolError{Tool: "find", Err: errors.New("closed today")})
	fmt.Println(string(text), err)
	// Output:
	// {"type":"ToolError","code":"tool_failed","text":"find: closed today","tool":"find","cause":{"type":"*errors.errorString","text":"closed today"}} <nil>
}

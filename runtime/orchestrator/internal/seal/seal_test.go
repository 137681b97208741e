package seal_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/orchestrator/internal/seal"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestCopy holds that a copy of a copy is the same, byte for byte, and that no
// value changes but in how it is written.
func TestCopy(t *testing.T) {
	for raw, want := range map[string]string{
		`{ "b" : 1.50, "a" : [ ] }`:       `{"b":1.50,"a":[]}`,
		`"<a href=\"x\">&"`:               `"<a href=\"x\">&"`,
		`"\u003ca\u003e\u0026"`:           `"<a>&"`,
		`"a backslash: \\u003c \\\u003c"`: `"a backslash: \\u003c \\<"`,
		"\"\u2028\"":                      `"\u2028"`,
	} {
		once := seal.Copy(json.RawMessage(raw))
		if twice := seal.Copy(once); string(once) != want || string(twice) != want {
			t.Errorf("%s became %s, then %s", raw, once, twice)
		}
		var before, after any
		if json.Unmarshal([]byte(raw), &before) != nil || json.Unmarshal(once, &after) != nil || !reflect.DeepEqual(before, after) {
			t.Errorf("%s became another value: %s", raw, once)
		}
	}
}

func TestTime(t *testing.T) {
	local := time.Date(2026, 3, 2, 10, 0, 0, 1, time.FixedZone("", 3600))
	if got := seal.Time(local); got != time.Date(2026, 3, 2, 9, 0, 0, 1, time.UTC) {
		t.Error(got)
	}
	if got := seal.Time(time.Unix(1<<40, 0)); !got.IsZero() {
		t.Error(got)
	}
}

func TestID(t *testing.T) {
	for id, good := range map[string]bool{"": false, "a": true, "a/b": false, "\x00 ä": true, "\xff": false, strings.Repeat("x", 256): true, strings.Repeat("x", 257): false} {
		if err := seal.ID(id); (err == nil) != good {
			t.Errorf("%.20q: %v", id, err)
		}
	}
}

// TestCall holds that what a caller returns is kept as what it was asked for.
func TestCall(t *testing.T) {
	request := tool.Request{ID: "r/1/1", Name: "add", Arguments: json.RawMessage(`{"a":1}`)}
	integer := json.RawMessage(`{"type":"integer"}`)
	for name, test := range map[string]struct {
		call *tool.Call
		want string
	}{
		"a result":         {&tool.Call{Status: tool.StatusCompleted, Output: json.RawMessage("3")}, "completed 3 <nil>"},
		"another type":     {&tool.Call{Status: tool.StatusCompleted, Output: json.RawMessage(`"3"`)}, "failed  add: the result cannot be written: expected an integer, found the string \"3\""},
		"no result":        {&tool.Call{Status: tool.StatusCompleted}, "failed  add: the result cannot be written: expected an integer, found null"},
		"an error":         {&tool.Call{Status: tool.StatusPending, Err: errors.New("x"), Output: json.RawMessage("3")}, "failed  x"},
		"it was cancelled": {&tool.Call{Status: tool.StatusCancelled, Err: errors.New("x")}, "cancelled  x"},
		"nothing":          {nil, "failed  the caller returned no final call"},
	} {
		got := seal.Call(test.call, request, integer)
		if text := fmt.Sprintf("%s %s %v", got.Status, got.Output, got.Err); text != test.want || got.ID != request.ID || got.Request.Name != "add" {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// TestUnusable judges nothing by a schema that cannot be used.
func TestUnusable(t *testing.T) {
	for output, want := range map[string]tool.Status{`3`: tool.StatusCompleted, `{`: tool.StatusFailed} {
		got := seal.Call(&tool.Call{Status: tool.StatusCompleted, Output: json.RawMessage(output)}, tool.Request{Name: "add"}, json.RawMessage(`{"$ref":"https://schemas.invalid/x"}`))
		if got.Status != want {
			t.Errorf("%s: %s, %v", output, got.Status, got.Err)
		}
	}
}

func Example() {
	kept := seal.Copy(json.RawMessage(`{ "link" : "\u003ca\u003e" }`))
	fmt.Println(string(kept))
	// Output: {"link":"<a>"}
}

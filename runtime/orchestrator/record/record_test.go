package record_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/record"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/google/go-cmp/cmp"
)

func TestNewError(t *testing.T) {
	fault := tool.Fault{Pointer: "/a", Expected: "b", Found: "c"}
	known := &record.Error{Kind: record.EmptyAnswer, Text: "x"}
	for name, test := range map[string]struct {
		err  error
		want record.Error
	}{
		"any":       {errors.New("bad \xff"), record.Error{Kind: "error", Step: "1", Text: "bad \uFFFD"}},
		"model":     {&llm.Error{Kind: llm.Unreachable}, record.Error{Kind: "unreachable", Step: "1", Text: "model: unreachable", Retry: true}},
		"plan":      {&plan.Error{Faults: []tool.Fault{fault}, Count: 1}, record.Error{Kind: "invalid_plan", Step: "1", Text: "wrong plan: /a: expected b, found c", Faults: []tool.Fault{fault}}},
		"arguments": {&tool.ArgumentError{Tool: "t", Faults: []tool.Fault{fault}, Count: 1}, record.Error{Kind: "invalid_arguments", Step: "1", Text: "t: wrong arguments: /a: expected b, found c", Faults: []tool.Fault{fault}}},
		"its own":   {known, record.Error{Kind: record.EmptyAnswer, Step: "1", Text: "x"}},
		"of a tool": {&tool.ToolError{Tool: "t", Err: &record.Error{Kind: record.Busy, Step: "9", Text: "y"}}, record.Error{Kind: "tool_failed", Step: "1", Text: "t: y"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := *record.NewError("1", test.err)
			if known != test.err && !errors.Is(&got, test.err) {
				t.Error("it does not wrap the error")
			}
			got.Err = nil
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if known.Step != "" {
		t.Error("an error was changed")
	}
}

func Example() {
	var e record.Event
	line := `{"event":"step_end","time":"2026-03-02T09:00:00Z","run":"42","step_id":"1","result":{"step_id":"1","execution_mode":"tool","success":true,"result":{"id":7}}}`
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		fmt.Println(err)
		return
	}
	if e.Kind == record.StepEnd && e.Result.Success {
		fmt.Println(e.Run, e.Step, e.Result.Mode, string(e.Result.Result))
	}
	// Output: 42 1 tool {"id":7}
}

package cyclelog_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/cyclelog"
	"github.com/aiongen/aiongen/runtime/orchestrator/record"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/google/go-cmp/cmp"
)

// executeOld runs two steps, the second of which fails.
func executeOld(t *testing.T, events func(record.Event)) *orchestrator.Result {
	t.Helper()
	answers := []string{`{"goal":"g","steps":[{"step_id":"1","description":"d","agent":"llm"},{"step_id":"2","description":"e","agent":"llm"}]}`, "fine", ""}
	model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		answer := answers[0]
		answers = answers[1:]
		return llm.Response{Text: answer}, nil
	})
	clock := orchestrator.Clock(func() time.Time { return time.Unix(0, 0) })
	result, err := orchestrator.New(model, &memory.Map{}, orchestrator.Tools(tool.NewRegistry()), clock, orchestrator.Events(events)).
		Execute(t.Context(), orchestrator.Input{ID: "r", Request: "x"})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestOldLines(t *testing.T) {
	var b bytes.Buffer
	log := cyclelog.Old(&b)
	executeOld(t, log.Event)
	if err := log.Err(); err != nil {
		t.Fatal(err)
	}
	want := []string{"errors", "llm_output", "plan_state", "run", "step_number", "supervisor_actions", "timestamp", "tool_calls", "ttl_remaining"}
	var shown []string
	for line := range strings.Lines(b.String()) {
		var cycle map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &cycle); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(cycle))); diff != "" {
			t.Error(diff)
		}
		shown = append(shown, string(cycle["run"])+" "+string(cycle["step_number"])+" "+string(cycle["ttl_remaining"])+" "+string(cycle["errors"]))
	}
	if diff := cmp.Diff([]string{`"r" 1 50 []`, `"r" 2 49 []`, `"r" 3 48 [{"code":"empty_answer","step_id":"2","text":"the model gave no answer"}]`}, shown); diff != "" {
		t.Error(diff)
	}
	var again bytes.Buffer
	executeOld(t, cyclelog.Old(&again).Event)
	if again.String() != b.String() {
		t.Error("the same run has another log")
	}
}

func TestOldUnwritable(t *testing.T) {
	f, err := os.Open(os.DevNull) // for reading
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	log := cyclelog.Old(f)
	if result := executeOld(t, log.Event); len(result.State.Results) != 2 {
		t.Error("the log stopped the run")
	}
	if _, ok := errors.AsType[*os.PathError](log.Err()); !ok {
		t.Errorf("the log has error %v", log.Err())
	}
}

func ExampleOld() {
	log := cyclelog.Old(os.Stdout)
	orchestrator.New(nil, &memory.Map{}, nil, orchestrator.Events(log.Event))
	log.Event(record.Event{Kind: record.CycleEnd, Run: "42", Cycle: &record.Cycle{Number: 1, TTL: 50}})
	// Output:
	// {"run":"42","step_number":1,"plan_state":null,"llm_output":null,"supervisor_actions":null,"tool_calls":null,"ttl_remaining":50,"errors":null,"timestamp":"0001-01-01T00:00:00Z"}
}

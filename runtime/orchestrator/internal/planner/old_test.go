package planner_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/planner"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestOld replays recorded journals. Runs must continue as they started, even if the program now
// reads, repairs or compiles differently. A missing file is written; existing ones are never changed.
func TestOld(t *testing.T) {
	for name, make := range worlds {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("testdata", "journals", name+".jsonl")
			if _, err := os.Stat(path); os.IsNotExist(err) && *update {
				writeJournal(t, make(), path)
			}
			j, want := readJournal(t, path)
			env := &run.Env{
				Journal: j,
				Model:   llm.Func(func(context.Context, llm.Request) (llm.Response, error) { panic("the model is asked") }),
				Tools:   caller(func(context.Context, tool.Request) *tool.Call { panic("a tool is called") }),
			}
			result, err := env.Replay(t.Context(), "r", planner.Settings{AfterFailure: "another", Parallel: 1}.Run, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, result); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func writeJournal(t *testing.T, w *world, path string) {
	t.Helper()
	j := new(journal.Map)
	w.begin(t, j)
	settle(t, w, func() journal.Journal { return j })
	var b bytes.Buffer
	for _, e := range entries(t, j) {
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// readJournal returns a recorded journal and the result in its last entry.
func readJournal(t *testing.T, path string) (j *journal.Map, result *run.Result) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	j = new(journal.Map)
	var end json.RawMessage
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for n := 0; lines.Scan(); n++ {
		var e journal.Entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		if err := j.Append(t.Context(), "r", n, e); err != nil {
			t.Fatal(err)
		}
		end = e.Data
	}
	result = &run.Result{Status: run.Completed}
	if err := json.Unmarshal(end, result); err != nil { // the entry has the field names of a result
		t.Fatal(err)
	}
	if result.Error != nil {
		result.Status = run.Failed
	}
	return j, result
}

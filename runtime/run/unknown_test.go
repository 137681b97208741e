package run_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/internal/testdata/dying"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestUnknownTool checks that a tool that the run did not have at its start is never called, even if
// it was registered since. Wherever a worker dies, nobody is asked about its outcome.
func TestUnknownTool(t *testing.T) {
	for kill := 1; kill < 6; kill++ {
		for _, after := range []bool{false, true} {
			var w world
			j := new(journal.Map)
			createRun(t, w.env(j), run.Limits{})
			f := func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
				calls, err := fx.Call(request("1", "tga", "{}"), request("1", "find", "{}"), request("1", "drop", "{}"))
				if err != nil {
					return nil, err
				}
				return json.Marshal(fmt.Sprint(calls[0].Err) + " " + tool.Code(calls[2].Err))
			}
			_, _ = w.env(dying.Journal(j, kill, after)).Execute(t.Context(), "r", f, nil)
			result := execute(t, w.env(j), f, run.Completed)
			if text := string(result.Answer); !strings.Contains(text, "tag") || !strings.HasSuffix(text, ` unknown_tool"`) || result.Usage.ToolCalls != 1 {
				t.Errorf("killed at %d, it is %s with %+v", kill, text, result.Usage)
			}
			if w.happened("tga")+w.happened("drop") > 0 {
				t.Errorf("killed at %d, there was %v", kill, w.effects)
			}
			for _, e := range entries(t, j) {
				if e.Kind == "request" {
					t.Errorf("killed at %d, there is a request of %s", kill, e.Effect)
				}
			}
		}
	}
}

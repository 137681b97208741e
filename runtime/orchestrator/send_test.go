package orchestrator_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestSendMisfit checks that values from a person are checked against the schemas of the tool when
// they are sent, and that refused ones change nothing.
func TestSendMisfit(t *testing.T) {
	edit := func(arguments string) run.Signal {
		return run.Approve("r/1/1", "ada", json.RawMessage(arguments))
	}
	supply := func(output string) run.Signal { return run.Supply("r/1/1", json.RawMessage(output)) }
	for name, test := range map[string]struct {
		step   string
		signal run.Signal
		code   string
		places []string // the error names it
	}{
		"arguments":            {"send", edit(`{"to":7,"nn":1}`), "invalid_input", []string{`arguments of "send"`, "/to: ", "/nn: "}},
		"arguments that fit":   {"send", edit(`{"to":"eve","n":1}`), "", nil},
		"no arguments":         {"send", run.Approve("r/1/1", "ada", nil), "", nil},
		"a variable":           {"send", edit(`{"n":"<<var:count>>"}`), "", nil},
		"beside a variable":    {"send", edit(`{"n":"<<var:count>>","to":"eve","nn":"<<<var:x>>"}`), "invalid_input", []string{"/nn: "}},
		"text of one":          {"send", edit(`{"n":"<<<var:count>>"}`), "invalid_input", []string{"/n: "}},
		"around a variable":    {"send", edit(`["<<var:count>>"]`), "invalid_input", []string{`invalid arguments of "send": `}},
		"another call":         {"send", run.Approve("r/9/9", "ada", json.RawMessage(`7`)), "not_waiting", nil},
		"a supply of approval": {"send", supply(`"sent"`), "not_waiting", nil},
		"output":               {"pay", supply(`{"paid":true}`), "invalid_input", []string{`invalid output of "pay"`}},
		"output null":          {"pay", supply(`null`), "invalid_input", []string{`invalid output of "pay"`}},
		"output that fits":     {"pay", supply(`"paid"`), "", nil},
		"no output":            {"pay", run.Supply("r/1/1", nil), "invalid_input", []string{"the output is missing"}},
		"odd output schema":    {"odd", supply(`{"paid":true}`), "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			ctx, die := context.WithCancel(t.Context())
			unknown := func(ctx context.Context) (any, error) {
				die()
				<-ctx.Done()
				return nil, ctx.Err()
			}
			w.during["pay"], w.during["odd"] = unknown, unknown
			if err := w.Register(w.tool(t, "odd", tool.Annotations{})); err != nil {
				t.Fatal(err)
			}
			o := w.orchestrator(t)
			if test.step == "odd" {
				o = w.orchestrator(t, orchestrator.Journal(&oddSchemas{&w.Map}))
			}
			r := start(t, o, orchestrator.Input{Plan: steps(test.step + " {}")})
			if _, err := r.Execute(ctx); err != nil {
				t.Fatal(err)
			}
			execute(t, r, run.Waiting)
			for e := range w.Read(t.Context(), "r", 0) {
				if odd := strings.Contains(string(e.Data), `"output":{"type":"strong"}`); odd != (test.step == "odd" && e.N == 0) {
					t.Fatalf("entry %d is odd: %t", e.N, odd)
				}
			}
			err := r.Send(t.Context(), test.signal)
			if tool.Code(err) != test.code {
				t.Fatalf("it is refused with %q: %v", tool.Code(err), err)
			}
			for _, place := range test.places {
				if !strings.Contains(err.Error(), place) {
					t.Errorf("there is no %q in: %v", place, err)
				}
			}
			if err == nil {
				return
			}
			for info := range w.Runs(t.Context(), journal.Filter{}) {
				if info.Status != run.Waiting || info.Kind != "stop" {
					t.Errorf("something was appended: %+v", info)
				}
			}
		})
	}
}

// oddSchemas is a journal of runs that started with invalid output schemas.
type oddSchemas struct{ journal.Journal }

func (j oddSchemas) Append(ctx context.Context, run string, n int, entries ...journal.Entry) error {
	for i, e := range entries {
		entries[i].Data = json.RawMessage(strings.ReplaceAll(string(e.Data), `"output":{"type":"string"}`, `"output":{"type":"strong"}`))
	}
	return j.Journal.Append(ctx, run, n, entries...)
}

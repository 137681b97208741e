package temporal_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	enums "go.temporal.io/api/enums/v1"
	history "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	sdkworker "go.temporal.io/sdk/worker"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/aiongen/aiongen/adapters/temporal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
)

var updateHistories = flag.Bool("update", false, "record the histories in testdata anew")

// replayOptions are the options for histories of a client without codec and storage.
var replayOptions sdkworker.WorkflowReplayerOptions

// recording is an engine whose runs are replayed at the end of the test.
type recording struct {
	*temporal.Engine
	mu  sync.Mutex
	ids []string
}

func newRecording(t *testing.T, c client.Client, e *temporal.Engine, store memory.Store) *recording {
	r, options := &recording{Engine: e}, replayOptions
	if store != nil {
		options.ExternalStorage = temporal.Storage(store)
	}
	t.Cleanup(func() {
		for _, id := range r.ids {
			if err := e.Replay(bytes.NewReader(readHistory(t, c, id)), options); err != nil {
				t.Errorf("replay of %q: %v", id, err)
			}
		}
	})
	return r
}

func (r *recording) Start(ctx context.Context, in orchestrator.Input) (string, error) {
	id, err := r.Engine.Start(ctx, in)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.ids = append(r.ids, id)
	}
	return id, err
}

// readHistory returns the history of a run.
func readHistory(t *testing.T, c client.Client, id string) []byte {
	t.Helper()
	var h history.History
	events := c.GetWorkflowHistory(context.WithoutCancel(t.Context()), url.PathEscape(id), "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		if err != nil {
			t.Fatal(err)
		}
		h.Events = append(h.Events, event)
	}
	text, err := protojson.Marshal(&h)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// recordedRuns are the runs of the recorded histories: their calls and what happens to them. Together they contain
// every kind of event that a run's workflow can have.
var recordedRuns = map[string]struct {
	calls   []string
	broken  string // kind of the model's error, until it is repaired
	options []temporal.Option
	goesOn  func(c caller, id string) error
	has     []enums.EventType
}{
	"calls": {calls: []string{"look", "look", "note", "pay", "look"}},
	"answered": {calls: []string{"confirm"}, goesOn: func(c caller, id string) error {
		call := c.waitForResult(id).Calls[0]
		return c.Send(c.test.Context(), id, run.Reply(call.Call, call.Questions[0].Accept(json.RawMessage(`{"sure":true}`))))
	}},
	"denied": {calls: []string{"confirm", "pay"}, goesOn: func(c caller, id string) error {
		return c.Send(c.test.Context(), id, run.Deny(c.waitForResult(id).Calls[0].Call, "no"))
	}},
	"cancelled": {calls: []string{"pay", "confirm"}, goesOn: func(c caller, id string) error {
		c.waitForResult(id)
		return c.Send(c.test.Context(), id, run.Cancel("enough"))
	}},
	"stored": {calls: []string{"note", "look"}, options: []temporal.Option{temporal.Store(new(memory.Map))},
		has: []enums.EventType{enums.EVENT_TYPE_MARKER_RECORDED}},
	"refused": {calls: []string{"confirm"}, goesOn: func(c caller, id string) error {
		call := c.waitForResult(id).Calls[0].Call
		if c.Send(c.test.Context(), id, run.Deny("another", "no")) == nil {
			return errors.New("it is taken")
		}
		late := map[string]any{"n": 9, "call": map[string]string{"id": call}} // of an activity that does not exist
		err := c.client.SignalWorkflow(c.test.Context(), id, "", "aiongen.Late", late)
		return errors.Join(err, c.Send(c.test.Context(), id, run.Deny(call, "no")))
	}, has: []enums.EventType{enums.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED, enums.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_COMPLETED}},
	"rested": {calls: []string{"pay"}, broken: llm.ServerError, options: []temporal.Option{temporal.ModelRetryTimeout(time.Millisecond)}, goesOn: func(c caller, id string) error {
		c.waitUntil(func() bool {
			s, err := c.Status(c.test.Context(), id)
			return err == nil && s.Result.Status == run.Interrupted
		})
		return errors.Join(c.world.shouldBreak(""), c.Send(c.test.Context(), id, run.Cancel("enough")))
	}, has: []enums.EventType{enums.EVENT_TYPE_TIMER_STARTED}},
	"woken": {calls: []string{"pay"}, broken: llm.Unauthorized, goesOn: func(c caller, id string) error {
		if r := c.waitForResult(id); r.Status != run.Interrupted {
			return fmt.Errorf("%+v", r)
		}
		return errors.Join(c.world.shouldBreak(""), c.Wake(c.test.Context(), id))
	}, has: []enums.EventType{enums.EVENT_TYPE_ACTIVITY_TASK_FAILED}},
}

// TestReplay checks that this program can continue runs of older programs.
func TestReplay(t *testing.T) {
	for name, run := range recordedRuns {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("testdata", name+".json")
			c := newCaller(t, sharedServer.Address())
			var err error
			if c.Engine, err = newEngine(c.client, t.Name(), c.world, run.options...); err != nil {
				t.Fatal(err)
			}
			if *updateHistories {
				startWorker(t, c.Engine)
				if err := c.world.shouldBreak(run.broken); err != nil {
					t.Fatal(err)
				}
				id := c.startRun(run.calls...)
				if run.goesOn != nil {
					if err := run.goesOn(c, id); err != nil {
						t.Fatal(err)
					}
				}
				c.waitForResult(id)
				var text bytes.Buffer
				if err := json.Indent(&text, readHistory(t, c.client, id), "", " "); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, append(text.Bytes(), '\n'), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, kind := range run.has {
				if want := `"` + enums.EventType_name[int32(kind)] + `"`; !strings.Contains(string(text), want) {
					t.Errorf("it has no %s", want)
				}
			}
			if err := c.Replay(bytes.NewReader(text), replayOptions); err != nil {
				t.Error(err)
			}
			other := strings.Replace(string(text), `"aiongen.Call"`, `"aiongen.Model"`, 1)
			if err := c.Replay(strings.NewReader(other), replayOptions); err == nil {
				t.Error("a program that did something else may go on with it")
			}
		})
	}
}

// TestReplayCodec checks that encoded histories need the codec.
func TestReplayCodec(t *testing.T) {
	t.Parallel()
	codec := converter.NewCodecDataConverter(converter.GetDefaultDataConverter(), converter.NewZlibCodec(converter.ZlibCodecOptions{AlwaysEncode: true}))
	c, err := client.Dial(client.Options{HostPort: sharedServer.Address(), Logger: discardLogger{}, DataConverter: codec})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	e, err := newEngine(c, t.Name(), world(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	startWorker(t, e)
	id, r := executeRun(t, e, planOf("pay", "spoil"))
	text := readHistory(t, c, id)
	if r.Status != run.Failed || bytes.Contains(text, []byte("spoilt")) {
		t.Errorf("%+v, in clear", r)
	}
	if err := e.Replay(bytes.NewReader(text), sdkworker.WorkflowReplayerOptions{DataConverter: codec}); err != nil {
		t.Error(err)
	}
	if err := e.Replay(bytes.NewReader(text), replayOptions); err == nil || !strings.Contains(err.Error(), "needs the codec") {
		t.Error(err)
	}
}

// TestDrift checks that outcomes of other calls are detected.
func TestDrift(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "calls.json"))
	if err != nil {
		t.Fatal(err)
	}
	var h history.History
	if err := protojson.Unmarshal(text, &h); err != nil {
		t.Fatal(err)
	}
	var done []*history.ActivityTaskCompletedEventAttributes
	for _, event := range h.Events {
		if a := event.GetActivityTaskCompletedEventAttributes(); a != nil {
			done = append(done, a)
		}
	}
	if len(done) < 2 {
		t.Fatal(len(done))
	}
	done[0].Result, done[1].Result = done[1].Result, done[0].Result
	if text, err = protojson.Marshal(&h); err != nil {
		t.Fatal(err)
	}
	c := newCaller(t, sharedServer.Address())
	if err := c.Replay(bytes.NewReader(text), replayOptions); err == nil {
		t.Error("outcomes are taken for those of other calls")
	}
}

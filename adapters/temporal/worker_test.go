package temporal_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.temporal.io/sdk/client"

	"github.com/aiongen/aiongen/adapters/temporal"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Environment variables that make the test binary run a worker, with the server and the world.
const (
	workerAddress = "AIONGEN_TEST_WORKER"
	workerWorld   = "AIONGEN_TEST_WORLD"
	workerQueue   = "AIONGEN_TEST_QUEUE"
)

// testHeartbeat is short to keep tests fast.
const testHeartbeat = time.Second

// world is a folder with the effects of workers, which tests inspect, and with doors, at which calls and the model wait
// while they are closed.
type world string

// recordEffect records an effect of a call.
func (w world) recordEffect(call, tool string) error { return w.appendLine("effects", call+" "+tool) }

// appendLine appends a line to a file in one write, so that a killed worker writes all or nothing.
func (w world) appendLine(file, line string) error {
	f, err := os.OpenFile(filepath.Join(string(w), file), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line + "\n")
	return errors.Join(err, f.Close())
}

// recordEvent records the outcomes of calls in events.
func (w world) recordEvent(_ context.Context, e run.Event) {
	end, ok := e.What.(run.CallEnd)
	if !ok {
		return
	}
	text, err := json.Marshal(end.Call)
	if err == nil {
		err = w.appendLine("told", string(text))
	}
	if err != nil {
		panic(err)
	}
}

// recordedCalls returns the recorded outcomes.
func (w world) recordedCalls() (calls []tool.Call) {
	text, _ := os.ReadFile(filepath.Join(string(w), "told"))
	for line := range strings.Lines(string(text)) {
		var c tool.Call
		if json.Unmarshal([]byte(line), &c) == nil {
			calls = append(calls, c)
		}
	}
	return calls
}

// recordOnce records an effect of a call unless one is already recorded. A killed worker records all or nothing.
func (w world) recordOnce(call, tool string) error {
	err := os.Mkdir(filepath.Join(string(w), oncePrefix+url.PathEscape(call+" "+tool)), 0o700)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	return err
}

const oncePrefix = "once "

// countEffects returns the number of effects of each call.
func (w world) countEffects() map[string]int {
	text, _ := os.ReadFile(filepath.Join(string(w), "effects"))
	n := map[string]int{}
	for line := range strings.Lines(string(text)) {
		n[strings.TrimSpace(line)]++
	}
	found, _ := os.ReadDir(string(w))
	for _, f := range found {
		if name, is := strings.CutPrefix(f.Name(), oncePrefix); is {
			name, _ = url.PathUnescape(name)
			n[name]++
		}
	}
	return n
}

// shouldBreak makes the model fail with an error of a kind, or work again if kind is empty.
func (w world) shouldBreak(kind string) error {
	if kind == "" {
		return os.RemoveAll(w.doorFile("model breaks"))
	}
	return os.WriteFile(w.doorFile("model breaks"), []byte(kind), 0o600)
}

func (w world) doorFile(name string) string { return filepath.Join(string(w), "door "+name) }

// passDoor reports that it has arrived at a door, and waits while the door is closed.
func (w world) passDoor(ctx context.Context, name string) error {
	for {
		f, err := os.OpenFile(w.doorFile(name), os.O_WRONLY|os.O_TRUNC, 0o600) // does not create a door that was just opened
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err == nil {
			_, err = f.WriteString("reached")
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// worker is a worker process.
type worker struct {
	test *testing.T
	*os.Process
	world world
}

// newWorker starts a worker process and waits until it works.
func newWorker(t *testing.T, address, queue string, w world) worker {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), workerAddress+"="+address, workerQueue+"="+queue, workerWorld+"="+string(w))
	c.Stderr = t.Output()
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err == nil {
		_, err = bufio.NewReader(out).ReadString('\n')
	}
	if err != nil {
		t.Fatal(err)
	}
	p := worker{t, c.Process, w}
	t.Cleanup(func() { p.sendSignal(syscall.SIGKILL); _ = c.Wait() })
	return p
}

func (w worker) sendSignal(s syscall.Signal) {
	if err := w.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		w.test.Error(err)
	}
}

// stopGracefully suspends the worker. When it continues, it must not learn that Temporal has given it up, because that
// would cancel its call before it returns.
func (w worker) stopGracefully() {
	if err := os.WriteFile(w.world.muteFile(w.Pid), nil, 0o600); err != nil {
		w.test.Error(err)
	}
	w.sendSignal(syscall.SIGSTOP)
}

// muteFile is a file whose existence blocks the heartbeats of a process.
func (w world) muteFile(process int) string {
	return filepath.Join(string(w), fmt.Sprint("mute ", process))
}

// CheckCallAllowed implements the SDK's TrafficController.
func (w world) CheckCallAllowed(_ context.Context, method string, _, _ any) error {
	if !strings.HasSuffix(method, "/RecordActivityTaskHeartbeat") {
		return nil
	}
	if _, err := os.Stat(w.muteFile(os.Getpid())); err != nil {
		return nil
	}
	return errors.New("this worker is not heard of")
}

// runWorkerProcess runs a worker until it is asked to stop.
func runWorkerProcess(address string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	w := world(os.Getenv(workerWorld))
	c, err := client.Dial(client.Options{HostPort: address, Logger: discardLogger{}, TrafficController: w})
	if err != nil {
		return err
	}
	defer c.Close()
	e, err := newEngine(c, os.Getenv(workerQueue), w, temporal.Events(w.recordEvent))
	if err != nil {
		return err
	}
	fmt.Println("works")
	if err := e.Work(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// newEngine returns an engine whose tools have effects in a world: pay with each call, spoil too before it fails, note
// once per call ID, look never, and confirm after a question.
func newEngine(c client.Client, queue string, w world, options ...temporal.Option) (*temporal.Engine, error) {
	return newEngineWithTools(toolDefinitions, c, queue, w, options...)
}

// toolDefinitions are the definitions of the tools.
var toolDefinitions = []tool.Definition{
	{Name: "pay"},
	{Name: "spoil"},
	{Name: "confirm"},
	{Name: "note", Annotations: tool.Annotations{Idempotent: true}},
	{Name: "look", Annotations: tool.Annotations{ReadOnly: true}},
}

func newEngineWithTools(definitions []tool.Definition, c client.Client, queue string, w world, options ...temporal.Option) (*temporal.Engine, error) {
	tools := tool.NewRegistry()
	for _, d := range definitions {
		d.Description = "Does " + d.Name + "."
		d.Input = json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"},"door":{"type":"string"}},"additionalProperties":false}`)
		d.Output = json.RawMessage(`{"type":"string"}`)
		made, err := schema.Dynamic(d, func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
			return callTestTool(ctx, w, d.Name, args)
		})
		if err == nil {
			err = tools.Register(made)
		}
		if err != nil {
			return nil, err
		}
	}
	model := llm.Func(func(ctx context.Context, _ llm.Request) (llm.Response, error) {
		err := w.passDoor(ctx, "model")
		if kind, broken := os.ReadFile(w.doorFile("model breaks")); broken == nil {
			err = &llm.Error{Kind: string(kind)}
		}
		return llm.Response{Text: "done", Usage: llm.Usage{Input: 1, Output: 1}}, err
	})
	return temporal.New(c, queue, model, tools, append(options, temporal.HeartbeatTimeout(testHeartbeat), temporal.Grace(2*time.Second),
		temporal.RunOptions(orchestrator.Plan{AfterFailure: orchestrator.Continue}))...)
}

func callTestTool(ctx context.Context, w world, name string, args json.RawMessage) (json.RawMessage, error) {
	var in struct{ Door string }
	if err := json.Unmarshal(args, &in); err != nil {
		return nil, err
	}
	call := tool.CallFrom(ctx).ID
	does := name == "pay" || name == "spoil"
	var err error
	switch name {
	case "confirm":
		var answers []tool.Answer
		if err = w.passDoor(ctx, in.Door); err != nil {
			return nil, err
		}
		answers, err = tool.ExchangeFrom(ctx).Ask(ctx, tool.AskPerson("Really?", json.RawMessage(`{"type":"object","properties":{"sure":{"type":"boolean"}}}`)))
		does = err == nil && answers[0].Accepted()
	case "note":
		err = w.recordOnce(call, name)
	}
	if does {
		tool.ExchangeFrom(ctx).Attach(content.Text("receipt"))
		err = w.recordEffect(call, name)
	}
	if err == nil {
		time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond)
		err = w.passDoor(ctx, in.Door)
	}
	if err == nil && name == "spoil" {
		err = errors.New("it is spoilt")
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(call)
}

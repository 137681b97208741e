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
	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Variables by which this program is a worker: of a server, and in a world.
const (
	workerAddress = "AIONGEN_TEST_WORKER"
	workerWorld   = "AIONGEN_TEST_WORLD"
	workerQueue   = "AIONGEN_TEST_QUEUE"
)

// silence is short, so that tests need not wait for it.
const silence = time.Second

// world is a folder with what workers did, seen from outside, and with doors, at which
// calls and the model wait while they are shut.
type world string

// did notes an effect of a call.
func (w world) did(call, tool string) error { return w.add("effects", call+" "+tool) }

// add adds a line to a file, at once, so that a worker which is killed writes all or none.
func (w world) add(file, line string) error {
	f, err := os.OpenFile(filepath.Join(string(w), file), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line + "\n")
	return errors.Join(err, f.Close())
}

// tell notes what came of a call, for a run whose worker tells of it.
func (w world) tell(_ context.Context, e record.Event) {
	end, ok := e.What.(record.CallEnd)
	if !ok {
		return
	}
	text, err := json.Marshal(end.Call)
	if err == nil {
		err = w.add("told", string(text))
	}
	if err != nil {
		panic(err)
	}
}

// told are the calls of whose end workers told.
func (w world) told() (calls []tool.Call) {
	text, _ := os.ReadFile(filepath.Join(string(w), "told"))
	for line := range strings.Lines(string(text)) {
		var c tool.Call
		if json.Unmarshal([]byte(line), &c) == nil {
			calls = append(calls, c)
		}
	}
	return calls
}

// once notes an effect of a call unless that was noted before, at once: who is killed does
// so or not.
func (w world) once(call, tool string) error {
	err := os.Mkdir(filepath.Join(string(w), onceDid+url.PathEscape(call+" "+tool)), 0o700)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	return err
}

const onceDid = "once "

// effects are how often each call did something.
func (w world) effects() map[string]int {
	text, _ := os.ReadFile(filepath.Join(string(w), "effects"))
	n := map[string]int{}
	for line := range strings.Lines(string(text)) {
		n[strings.TrimSpace(line)]++
	}
	found, _ := os.ReadDir(string(w))
	for _, f := range found {
		if name, is := strings.CutPrefix(f.Name(), onceDid); is {
			name, _ = url.PathUnescape(name)
			n[name]++
		}
	}
	return n
}

// breaks has the model fail with an error of a kind; none has it answer.
func (w world) breaks(kind string) error {
	if kind == "" {
		return os.RemoveAll(w.door("model breaks"))
	}
	return os.WriteFile(w.door("model breaks"), []byte(kind), 0o600)
}

func (w world) door(name string) string { return filepath.Join(string(w), "door "+name) }

// pass goes through a door. It says that it is there, and waits while it is shut.
func (w world) pass(ctx context.Context, name string) error {
	for {
		f, err := os.OpenFile(w.door(name), os.O_WRONLY|os.O_TRUNC, 0o600) // which makes no door that was opened just now
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

// worker is a process that works.
type worker struct {
	test *testing.T
	*os.Process
	world world
}

// newWorker returns when the process works.
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
	t.Cleanup(func() { p.send(syscall.SIGKILL); _ = c.Wait() })
	return p
}

func (w worker) send(s syscall.Signal) {
	if err := w.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		w.test.Error(err)
	}
}

// stop has the worker stand still. When it goes on it does not learn that Temporal has given
// it up: a call that learns so before it returns comes to nothing.
func (w worker) stop() {
	if err := os.WriteFile(w.world.mute(w.Pid), nil, 0o600); err != nil {
		w.test.Error(err)
	}
	w.send(syscall.SIGSTOP)
}

// mute is a file that, while it is there, keeps a process from being heard of.
func (w world) mute(process int) string {
	return filepath.Join(string(w), fmt.Sprint("mute ", process))
}

// CheckCallAllowed is that of the SDK's TrafficController.
func (w world) CheckCallAllowed(_ context.Context, method string, _, _ any) error {
	if !strings.HasSuffix(method, "/RecordActivityTaskHeartbeat") {
		return nil
	}
	if _, err := os.Stat(w.mute(os.Getpid())); err != nil {
		return nil
	}
	return errors.New("this worker is not heard of")
}

// beWorker is what a worker does, until it is asked to end.
func beWorker(address string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	w := world(os.Getenv(workerWorld))
	c, err := client.Dial(client.Options{HostPort: address, Logger: quiet{}, TrafficController: w})
	if err != nil {
		return err
	}
	defer c.Close()
	e, err := newEngine(c, os.Getenv(workerQueue), w, temporal.Events(w.tell))
	if err != nil {
		return err
	}
	fmt.Println("works")
	if err := e.Work(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// newEngine has tools that act in a world: pay does it each time it is called, and so does
// spoil, which then fails, note once for a call, look not at all, and confirm asks first.
func newEngine(c client.Client, queue string, w world, options ...temporal.Option) (*temporal.Engine, error) {
	return engineOf(claims, c, queue, w, options...)
}

// claims are what tools claim to do.
var claims = []tool.Definition{
	{Name: "pay"},
	{Name: "spoil"},
	{Name: "confirm"},
	{Name: "note", Annotations: tool.Annotations{Idempotent: true}},
	{Name: "look", Annotations: tool.Annotations{ReadOnly: true}},
}

func engineOf(definitions []tool.Definition, c client.Client, queue string, w world, options ...temporal.Option) (*temporal.Engine, error) {
	tools := tool.NewRegistry()
	for _, d := range definitions {
		d.Description = "Does " + d.Name + "."
		d.Input = json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"},"door":{"type":"string"}},"additionalProperties":false}`)
		d.Output = json.RawMessage(`{"type":"string"}`)
		made, err := schema.Dynamic(d, func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
			return act(ctx, w, d.Name, args)
		})
		if err == nil {
			err = tools.Register(made)
		}
		if err != nil {
			return nil, err
		}
	}
	model := llm.Func(func(ctx context.Context, _ llm.Request) (llm.Response, error) {
		err := w.pass(ctx, "model")
		if kind, broken := os.ReadFile(w.door("model breaks")); broken == nil {
			err = &llm.Error{Kind: string(kind)}
		}
		return llm.Response{Text: "done", Usage: llm.Usage{Input: 1, Output: 1}}, err
	})
	return temporal.New(c, queue, model, tools, append(options, temporal.Silence(silence), temporal.Grace(2*time.Second),
		temporal.Runs(orchestrator.Plan{AfterFailure: orchestrator.Continue}))...)
}

func act(ctx context.Context, w world, name string, args json.RawMessage) (json.RawMessage, error) {
	var in struct{ Door string }
	if err := json.Unmarshal(args, &in); err != nil {
		return nil, err
	}
	call := tool.CallFrom(ctx).ID
	does := name == "pay" || name == "spoil"
	var err error
	switch name {
	case "confirm":
		var answers []ask.Answer
		if err = w.pass(ctx, in.Door); err != nil {
			return nil, err
		}
		answers, err = tool.ExchangeFrom(ctx).Ask(ctx, ask.Person("Really?", json.RawMessage(`{"type":"object","properties":{"sure":{"type":"boolean"}}}`)))
		does = err == nil && answers[0].Accepted()
	case "note":
		err = w.once(call, name)
	}
	if does {
		tool.ExchangeFrom(ctx).Attach(content.Text("receipt"))
		err = w.did(call, name)
	}
	if err == nil {
		time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond)
		err = w.pass(ctx, in.Door)
	}
	if err == nil && name == "spoil" {
		err = errors.New("it is spoilt")
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(call)
}

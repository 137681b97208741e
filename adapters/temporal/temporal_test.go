package temporal_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"go.temporal.io/sdk/client"

	"github.com/aiongen/aiongen/adapters/temporal"
	"github.com/aiongen/aiongen/adapters/temporal/internal/server"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator/enginetest"
	"github.com/aiongen/aiongen/runtime/tool"
)

// shared is the server of tests that leave it alone.
var shared *server.Server

// TestMain: without a server there is nothing to test; in CI that is an error.
func TestMain(m *testing.M) {
	if address := os.Getenv(workerAddress); address != "" {
		if err := beWorker(address); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(testMain(m))
}

// payloads is where clients of this process keep what is large.
var payloads = new(memory.Map)

// dial returns a client of a server.
func dial(t testing.TB, address string) client.Client {
	t.Helper()
	c, err := client.Dial(client.Options{HostPort: address, Identity: "test", Logger: quiet{}, ExternalStorage: temporal.Storage(payloads)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// quiet is a logger that says nothing.
type quiet struct{}

func (quiet) Debug(string, ...any) {}
func (quiet) Info(string, ...any)  {}
func (quiet) Warn(string, ...any)  {}
func (quiet) Error(string, ...any) {}

// work has a worker work; it is stopped when stop returns.
func work(t *testing.T, e *temporal.Engine) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := e.Work(ctx); ctx.Err() == nil {
			t.Error(err)
		}
	}()
	stop = sync.OnceFunc(func() { cancel(); <-ended })
	t.Cleanup(stop)
	return stop
}

// TestSuite: runs are the same as on every other engine.
func TestSuite(t *testing.T) {
	c := dial(t, shared.Address())
	enginetest.Run(t, func(t *testing.T, model llm.Model, tools *tool.Registry) (enginetest.Engine, func()) {
		e, err := temporal.New(c, t.Name(), model, tools, temporal.Grace(10*time.Millisecond), temporal.Outputs(8<<20))
		if err != nil {
			t.Fatal(err)
		}
		stop := work(t, e)
		return newRecording(t, c, e, payloads), func() { stop(); stop = work(t, e) }
	})
}

func testMain(m *testing.M) int {
	var err error
	if shared, err = server.New(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		if errors.Is(err, server.ErrMissing) && os.Getenv("CI") == "" {
			fmt.Fprintln(os.Stderr, "nothing is tested; it would be an error if CI were set")
			return 0
		}
		return 1
	}
	code := m.Run()
	if err := shared.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	return code
}

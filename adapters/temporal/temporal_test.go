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

// sharedServer is a server for tests that do not kill it.
var sharedServer *server.Server

// TestMain skips all tests if Temporal is not installed, except in CI.
func TestMain(m *testing.M) {
	if address := os.Getenv(workerAddress); address != "" {
		if err := runWorkerProcess(address); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(runTests(m))
}

// payloadStore stores the large payloads of this process's clients.
var payloadStore = new(memory.Map)

// dialServer returns a client of a server.
func dialServer(t testing.TB, address string) client.Client {
	t.Helper()
	c, err := client.Dial(client.Options{HostPort: address, Identity: "test", Logger: discardLogger{}, ExternalStorage: temporal.Storage(payloadStore)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// discardLogger discards all messages.
type discardLogger struct{}

func (discardLogger) Debug(string, ...any) {}
func (discardLogger) Info(string, ...any)  {}
func (discardLogger) Warn(string, ...any)  {}
func (discardLogger) Error(string, ...any) {}

// startWorker starts a worker. The function stop stops it and waits for it.
func startWorker(t *testing.T, e *temporal.Engine) (stop func()) {
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

// TestSuite runs the tests that all engines must pass.
func TestSuite(t *testing.T) {
	c := dialServer(t, sharedServer.Address())
	enginetest.Run(t, func(t *testing.T, model llm.Model, tools *tool.Registry, events enginetest.Events) (enginetest.Engine, func()) {
		e, err := temporal.New(c, t.Name(), model, tools, temporal.Events(events), temporal.Grace(10*time.Millisecond), temporal.MaxCallBytes(8<<20))
		if err != nil {
			t.Fatal(err)
		}
		stop := startWorker(t, e)
		return newRecording(t, c, e, payloadStore), func() { stop(); stop = startWorker(t, e) }
	})
}

func runTests(m *testing.M) int {
	var err error
	if sharedServer, err = server.New(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		if errors.Is(err, server.ErrMissing) && os.Getenv("CI") == "" {
			fmt.Fprintln(os.Stderr, "nothing is tested; it would be an error if CI were set")
			return 0
		}
		return 1
	}
	code := m.Run()
	if err := sharedServer.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	return code
}

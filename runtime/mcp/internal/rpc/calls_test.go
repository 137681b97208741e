package rpc_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/rpc"
)

func ExampleCalls() {
	calls := rpc.NewCalls(time.Minute, slog.Default())
	fmt.Println(calls.Begin())
	go calls.End()
	fmt.Println(calls.Drain())
	fmt.Println(calls.Begin())
	// Output:
	// true
	// <nil>
	// false
}

// TestDrain checks that calls have until the limit, and then a short time to react to their
// cancellation.
func TestDrain(t *testing.T) {
	for _, tt := range []struct {
		name      string
		take      time.Duration
		heeds     bool
		cancelled bool
		deaf      bool
	}{
		{"quick", 59 * time.Second, true, false, false},
		{"too long", time.Hour, true, true, false},
		{"deaf", time.Hour, false, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				calls := rpc.NewCalls(time.Minute, slog.New(slog.DiscardHandler))
				calls.Begin()
				ctx, done := calls.BindContext(t.Context())
				cancelled := false
				go func() {
					defer calls.End()
					defer done()
					heed := ctx.Done()
					if !tt.heeds {
						heed = nil
					}
					select {
					case <-time.After(tt.take):
					case <-heed:
					}
					cancelled = ctx.Err() != nil
				}()
				if err := calls.Drain(); (err != nil) != tt.deaf {
					t.Error(err)
				}
				if tt.deaf {
					time.Sleep(2 * time.Hour)
				}
				synctest.Wait()
				if cancelled != tt.cancelled {
					t.Errorf("cancelled: %v", cancelled)
				}
				if err := calls.Drain(); err != nil {
					t.Error("again:", err)
				}
			})
		})
	}
}

// TestTransport checks that the calls of a client are waited for until they are answered or the client
// has disconnected. Messages during the shutdown are refused, except pings and answers.
func TestTransport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := rpc.NewCalls(time.Hour, slog.New(slog.DiscardHandler))
		here, there := sdk.NewInMemoryTransports()
		client, err := here.Connect(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		server, err := calls.WrapTransport(there).Connect(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		send := func(message string) {
			m, err := jsonrpc.DecodeMessage([]byte(message))
			if err == nil {
				err = client.Write(t.Context(), m)
			}
			if err != nil {
				t.Error(err)
			}
		}
		var got []string
		go func() {
			for {
				m, err := server.Read(context.Background())
				if err != nil {
					return
				}
				if r, ok := m.(*jsonrpc.Request); ok {
					got = append(got, r.Method)
				} else {
					got = append(got, "answer")
				}
			}
		}()
		send(`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`)
		send(`{"jsonrpc":"2.0","id":2,"method":"tools/call"}`)
		send(`{"jsonrpc":"2.0","id":3,"method":"subscriptions/listen"}`)
		synctest.Wait()
		drained := make(chan error, 1)
		go func() { drained <- calls.Drain() }()
		synctest.Wait()
		send(`{"jsonrpc":"2.0","id":4,"method":"ping"}`)
		send(`{"jsonrpc":"2.0","id":5,"result":{}}`)
		go send(`{"jsonrpc":"2.0","id":6,"method":"tools/call"}`)
		m, err := client.Read(t.Context())
		if r, ok := m.(*jsonrpc.Response); err != nil || !ok || r.ID.Raw() != int64(6) || r.Error == nil || r.Error.Error() != rpc.ErrShuttingDown.Error() {
			t.Errorf("%v, %+v", err, m)
		}
		synctest.Wait()
		if want := "[tools/call tools/call subscriptions/listen ping answer]"; fmt.Sprint(got) != want {
			t.Errorf("%v came, not %s", got, want)
		}
		go func() { _, _ = client.Read(t.Context()) }()
		if err := server.Write(t.Context(), &jsonrpc.Response{ID: jsonrpc.ID{}}); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if len(drained) > 0 {
			t.Error("it does not wait for calls that run")
		}
		if err := client.Close(); err != nil { // nobody waits for answers
			t.Error(err)
		}
		if err := <-drained; err != nil {
			t.Error(err)
		}
	})
}

package temporal_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	common "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"github.com/aiongen/aiongen/adapters/temporal"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/run"
)

// TestStorage checks that large payloads are in the store instead of the history.
func TestStorage(t *testing.T) {
	t.Parallel()
	store := new(memory.Map)
	c, err := client.Dial(client.Options{HostPort: sharedServer.Address(), Logger: discardLogger{}, ExternalStorage: temporal.Storage(store)})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	e, err := temporal.New(c, t.Name(), finalAnswer, newLongTool(t, 3<<20), temporal.MaxCallBytes(8<<20))
	if err != nil {
		t.Fatal(err)
	}
	startWorker(t, e)
	r, bytes := runToEnd(t, c, e, planOf("long", "long"))
	if r.Status != run.Completed || bytes > 64<<10 {
		t.Errorf("the history has %d bytes; it stands at %s", bytes, r.Status)
	}
	kept := 0
	for entry, err := range store.Search(t.Context(), "payload/") {
		if err != nil {
			t.Fatal(err)
		}
		kept += len(entry.Value)
	}
	if kept < 6<<20 {
		t.Errorf("the store has %d bytes", kept)
	}
}

// TestStorageFails checks that a brief failure of the store does not leave a call with an unknown outcome.
func TestStorageFails(t *testing.T) {
	t.Parallel()
	store := new(failingStore)
	c, err := client.Dial(client.Options{HostPort: sharedServer.Address(), Logger: discardLogger{}, ExternalStorage: temporal.Storage(store)})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	e, err := temporal.New(c, t.Name(), finalAnswer, newLongTool(t, 100<<10))
	if err != nil {
		t.Fatal(err)
	}
	startWorker(t, e)
	if r, _ := runToEnd(t, c, e, planOf("long")); r.Status != run.Completed || store.written.Load() < 3 || store.read.Load() < 3 {
		t.Errorf("%+v; asked %d and %d times", r, store.written.Load(), store.read.Load())
	}
}

// failingStore is a store whose first operations fail.
type failingStore struct {
	memory.Map
	written, read atomic.Int64
}

func (f *failingStore) Write(ctx context.Context, key string, value any) error {
	if f.written.Add(1) < 3 {
		return errors.New("out of order")
	}
	return f.Map.Write(ctx, key, value)
}

func (f *failingStore) Read(ctx context.Context, key string) (json.RawMessage, bool, error) {
	if f.read.Add(1) < 3 {
		return nil, false, errors.New("out of order")
	}
	return f.Map.Read(ctx, key)
}

// TestStorageWrongPayload checks that missing and changed payloads are rejected.
func TestStorageWrongPayload(t *testing.T) {
	store := new(memory.Map)
	driver := temporal.Storage(store).Drivers[0]
	payload := &common.Payload{Data: []byte("some payload")}
	claims, err := driver.Store(converter.StorageDriverStoreContext{Context: t.Context()}, []*common.Payload{payload})
	if err != nil {
		t.Fatal(err)
	}
	retrieve := func() (string, error) {
		back, err := driver.Retrieve(converter.StorageDriverRetrieveContext{Context: t.Context()}, claims)
		if err != nil {
			return "", err
		}
		return string(back[0].Data), nil
	}
	if back, err := retrieve(); err != nil || back != "some payload" {
		t.Errorf("%q, %v", back, err)
	}
	key := "payload/" + claims[0].ClaimData["sha256"]
	if err := store.Write(t.Context(), key, []byte("another")); err != nil {
		t.Fatal(err)
	}
	if back, err := retrieve(); err == nil {
		t.Errorf("it is %q", back)
	}
	if err := store.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if back, err := retrieve(); err == nil {
		t.Errorf("it is %q", back)
	}
}

// TestResultReportsQueryError checks that Result reports why it cannot read the status without the workers' store.
func TestResultReportsQueryError(t *testing.T) {
	t.Parallel()
	engine := func(store memory.Store) *temporal.Engine {
		c, err := client.Dial(client.Options{HostPort: sharedServer.Address(), Logger: discardLogger{}, ExternalStorage: temporal.Storage(store)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		e, err := newEngine(c, t.Name(), world(t.TempDir()))
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	e := engine(new(memory.Map))
	startWorker(t, e)
	in := planOf("confirm")
	in.Plan.Goal = strings.Repeat("x", 64<<10) // large enough for Storage
	id, r := executeRun(t, e, in)
	if r.Status != run.Waiting {
		t.Fatalf("%+v", r)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if r, err := engine(new(memory.Map)).Result(ctx, id); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "the store has no payload") {
		t.Errorf("%+v, %v", r, err)
	}
}

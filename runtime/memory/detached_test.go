package memory_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/memory"
)

// contextStore is a store that records the context of a write.
type contextStore struct {
	memory.Map
	ctx context.Context
}

func (s *contextStore) Write(ctx context.Context, key string, value any) error {
	s.ctx = ctx
	return s.Map.Write(ctx, key, value)
}

type ctxKey struct{}

// TestDetached checks that writes continue after their context is done, and that reads do not.
func TestDetached(t *testing.T) {
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), ctxKey{}, "ada"))
	cancel()
	store := &contextStore{}
	view := memory.Detached(store)
	if err := view.Write(ctx, "a", 1); err != nil {
		t.Fatal(err)
	}
	deadline, bounded := store.ctx.Deadline()
	if !bounded || time.Until(deadline) > 10*time.Second || store.ctx.Value(ctxKey{}) != "ada" {
		t.Errorf("the store got %v", store.ctx)
	}
	if store.ctx.Err() == nil {
		t.Error("the context outlives the write")
	}
	if value, found, err := view.Read(t.Context(), "a"); string(value) != "1" || !found || err != nil {
		t.Errorf("%s, %t, %v", value, found, err)
	}
	if _, _, err := view.Read(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("what is only read is interrupted: %v", err)
	}
}

func ExampleDetached() {
	var store memory.Map
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // somebody pressed Ctrl-C while a tool did its work
	err := memory.Detached(&store).Write(ctx, "result", "sent")
	value, _, _ := store.Read(context.Background(), "result")
	fmt.Println(string(value), err)
	// Output: "sent" <nil>
}

package pace_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aiongen/aiongen/runtime/tool/internal/pace"
)

func Example() {
	ctx, cancel := context.WithCancel(context.Background())
	q := pace.NewQueue(1)
	fmt.Println(q.Enter(ctx))
	cancel()
	fmt.Println(q.Enter(ctx))
	q.Leave()
	// Output:
	// <nil>
	// context canceled
}

// TestRate: within any span there are as many as may be, and one whose context is
// done while it waits takes the turn of nobody.
func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, start := pace.NewRate(2, time.Second), time.Now()
		wait := func(ctx context.Context) string {
			err := r.Wait(ctx)
			return fmt.Sprint(time.Since(start), err)
		}
		short, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		for i, want := range []string{"0s <nil>", "0s <nil>", "500ms context deadline exceeded", "1s <nil>", "1s <nil>", "2s <nil>"} {
			ctx := t.Context()
			if i == 2 {
				ctx = short
			}
			if got := wait(ctx); got != want {
				t.Errorf("the %dth: %s, want %s", i, got, want)
			}
		}
	})
}

package budget_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/budget"
)

// TestLimits checks that each resource can be used up to its limit and not beyond, and
// that the first failure stays.
func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		resource budget.Resource
		use      func(*budget.Budget, int) bool
	}{
		{budget.Steps, (*budget.Budget).UseSteps},
		{budget.Bytes, (*budget.Budget).UseBytes},
		{budget.Levels, (*budget.Budget).CheckDepth},
	} {
		b := budget.New(t.Context())
		limit := int(tt.resource.Limit())
		if !tt.use(b, limit) || b.Err() != nil {
			t.Errorf("%s: %v at the limit", tt.resource, b.Err())
		}
		if tt.use(b, limit+1) {
			t.Errorf("%s: allowed beyond the limit", tt.resource)
		}
		for _, use := range []func(*budget.Budget, int) bool{(*budget.Budget).UseSteps, (*budget.Budget).UseBytes, (*budget.Budget).CheckDepth} {
			if use(b, 1) {
				t.Errorf("%s: something is left", tt.resource)
			}
		}
		over, ok := errors.AsType[*budget.Error](b.Err())
		if !ok || over.Resource != tt.resource || over.Limit != int64(limit) {
			t.Errorf("%s: %v", tt.resource, b.Err())
		}
	}
}

// TestContext checks that steps fail soon after the context has ended.
func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := budget.New(ctx)
	if !b.UseSteps(1) {
		t.Error("failed before the context ended")
	}
	cancel()
	steps := 0
	for b.UseSteps(1) && steps < 10_000 {
		steps++
	}
	if steps > 2_000 || !errors.Is(b.Err(), context.Canceled) {
		t.Errorf("%d more steps, %v", steps, b.Err())
	}
}

// TestConcurrent counts steps that several goroutines take.
func TestConcurrent(t *testing.T) {
	b := budget.New(t.Context())
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			for range 1000 {
				b.UseSteps(1)
				b.UseBytes(2)
			}
			b.CheckDepth(n)
		})
	}
	all.Wait()
	if used := b.Usage(); used[budget.Steps] != 4000 || used[budget.Bytes] != 8000 {
		t.Errorf("%v", used)
	}
}

// TestNilBudget checks that a nil Budget has no limits.
func TestNilBudget(t *testing.T) {
	var b *budget.Budget
	if !b.UseSteps(budget.MaxSteps+1) || !b.UseBytes(budget.MaxBytes+1) || !b.CheckDepth(budget.MaxDepth+1) || b.Err() != nil {
		t.Error("a nil Budget has limits")
	}
}

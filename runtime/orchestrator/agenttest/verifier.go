package agenttest

import (
	"context"
	"fmt"
	"sync"
	"testing"
)

// verifier is a [testing.TB] that collects errors instead of failing a test. Its Fatalf panics with the
// verifier.
type verifier struct {
	testing.TB
	ctx context.Context

	mu     sync.Mutex
	faults []error
}

// Helper implements [testing.TB].
func (v *verifier) Helper() {}

// Context implements [testing.TB].
func (v *verifier) Context() context.Context { return v.ctx }

// Errorf implements [testing.TB].
func (v *verifier) Errorf(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.faults = append(v.faults, fmt.Errorf(format, args...))
}

// Fatalf implements [testing.TB].
func (v *verifier) Fatalf(format string, args ...any) {
	v.Errorf(format, args...)
	panic(v)
}

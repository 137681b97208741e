package failure_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/failure"
	"github.com/aiongen/aiongen/internal/budget"
)

func divide(by int) int { return 1 / by }

// TestCatch checks that a panic becomes an error that names the call that panicked.
func TestCatch(t *testing.T) {
	err := failure.Catch(func() { divide(0) })
	panicked, ok := errors.AsType[*failure.PanicError](err)
	if !ok || !strings.Contains(err.Error(), "divide by zero") || !strings.Contains(panicked.Stack, "failure_test.") {
		t.Fatalf("%#v", err)
	}
	if err := failure.Catch(func() {}); err != nil {
		t.Error(err)
	}
}

// TestReport checks which errors are reported, with the name of the package.
func TestReport(t *testing.T) {
	spent := budget.New(t.Context())
	spent.Nest(budget.MaxDepth + 1)
	at := diag.Span{File: "a.aion"}
	for _, tt := range []struct {
		err  error
		code diag.Code
	}{
		{nil, ""},
		{context.Canceled, ""},
		{spent.Err(), "over-budget"},
		{failure.Catch(func() { divide(0) }), "internal"},
		{errors.New("cannot print"), "internal"},
	} {
		var list diag.List
		failure.Report(&list, "example.com/m", at, tt.err)
		if tt.code == "" {
			if len(list) > 0 {
				t.Errorf("%v: %v", tt.err, list)
			}
			continue
		}
		if len(list) != 1 || list[0].Code != tt.code || list[0].Span != at || !strings.Contains(list[0].Message, "package example.com/m: ") || !failure.Is(list[0]) {
			t.Errorf("%v: %v", tt.err, list)
		}
	}
}

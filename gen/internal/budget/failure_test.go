package budget_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/budget"
)

func divideByZero() {
	zero := 0
	_ = 1 / zero
}

// TestCatch checks that a panic becomes an error that names the call that panicked.
func TestCatch(t *testing.T) {
	err := budget.Catch(divideByZero)
	panicked, ok := errors.AsType[*budget.PanicError](err)
	if !ok || !strings.Contains(err.Error(), "divide by zero") || !strings.Contains(panicked.Stack, "failure_test.") {
		t.Fatalf("%#v", err)
	}
	if err := budget.Catch(func() {}); err != nil {
		t.Error(err)
	}
}

// TestReportFailure checks which errors are reported, with the name of the package.
func TestReportFailure(t *testing.T) {
	spent := budget.New(t.Context())
	spent.CheckDepth(budget.MaxDepth + 1)
	at := diag.Span{File: "a.aion"}
	for _, tt := range []struct {
		err  error
		code diag.Code
	}{
		{nil, ""},
		{context.Canceled, ""},
		{spent.Err(), "over-budget"},
		{budget.Catch(divideByZero), "internal"},
		{errors.New("cannot print"), "internal"},
	} {
		var list diag.List
		budget.ReportFailure(&list, "example.com/m", at, tt.err)
		if tt.code == "" {
			if len(list) > 0 {
				t.Errorf("%v: %v", tt.err, list)
			}
			continue
		}
		if len(list) != 1 || list[0].Code != tt.code || list[0].Span != at || !strings.Contains(list[0].Message, "package example.com/m: ") || !budget.IsFailure(list[0]) {
			t.Errorf("%v: %v", tt.err, list)
		}
	}
}

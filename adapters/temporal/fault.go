package temporal

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	sdk "go.temporal.io/sdk/temporal"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
)

// toTemporalError returns an error in the form in which Temporal records it. The type is the
// error's code. An activity that fails with a transient error is retried, after the delay that
// the model's provider asks for.
func toTemporalError(err error) error {
	if err == nil {
		return nil
	}
	e := run.NewError(err)
	var detail any = e
	options := sdk.ApplicationErrorOptions{NonRetryable: !e.Retry}
	if model, ok := errors.AsType[*llm.Error](err); ok {
		detail, options.NextRetryDelay = model, model.RetryAfter
	}
	options.Details = []any{detail}
	return sdk.NewApplicationErrorWithOptions(e.Kind, e.Kind, options) // only the details have the text, because only details pass the client's codec
}

// withContextError adds ctx.Err() to an error that was caused by the end of ctx.
func withContextError(ctx context.Context, err error) error {
	if isTimeout(err) { // the server's deadline may pass a moment before that of ctx
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
	if err == nil || ctx.Err() == nil || errors.Is(err, ctx.Err()) {
		return err
	}
	return fmt.Errorf("%w: %w", ctx.Err(), err)
}

// isTimeout reports whether the end of a context may have caused an error.
func isTimeout(err error) bool {
	_, late := errors.AsType[*serviceerror.DeadlineExceeded](err)
	_, stopped := errors.AsType[*serviceerror.Canceled](err)
	_, update := errors.AsType[*client.WorkflowUpdateServiceTimeoutOrCanceledError](err)
	return late || stopped || update
}

// terminatedError returns the error of a run whose workflow somebody ended from outside. Workflows
// of this package never end with an error of their own.
func terminatedError(status enums.WorkflowExecutionStatus) error {
	how := map[enums.WorkflowExecutionStatus]string{
		enums.WORKFLOW_EXECUTION_STATUS_TERMINATED: "terminated",
		enums.WORKFLOW_EXECUTION_STATUS_TIMED_OUT:  "timed out",
		enums.WORKFLOW_EXECUTION_STATUS_CANCELED:   "cancelled",
	}
	return &run.Error{Kind: "terminated", Text: "the workflow of the run was " + cmp.Or(how[status], "failed") + " from outside"}
}

// fromTemporalError returns the error that was passed to toTemporalError, without the name of the
// activity and the machine that Temporal adds.
func fromTemporalError(err error) error {
	if e, ok := errors.AsType[*sdk.WorkflowExecutionError](err); ok {
		return terminatedError(workflowStatus(e.Unwrap()))
	}
	if e, ok := errors.AsType[*sdk.ActivityError](err); ok {
		err = e.Unwrap()
	}
	application, ok := errors.AsType[*sdk.ApplicationError](err)
	if !ok || !application.HasDetails() {
		return err
	}
	var detail json.RawMessage
	var e run.Error
	if application.Details(&detail) != nil || json.Unmarshal(detail, &e) != nil || e.Kind == "" {
		return err
	}
	return &e
}

// workflowStatus returns the status of a workflow that ended with err.
func workflowStatus(err error) enums.WorkflowExecutionStatus {
	_, terminated := errors.AsType[*sdk.TerminatedError](err)
	_, late := errors.AsType[*sdk.TimeoutError](err)
	_, cancelled := errors.AsType[*sdk.CanceledError](err)
	switch {
	case terminated:
		return enums.WORKFLOW_EXECUTION_STATUS_TERMINATED
	case late:
		return enums.WORKFLOW_EXECUTION_STATUS_TIMED_OUT
	case cancelled:
		return enums.WORKFLOW_EXECUTION_STATUS_CANCELED
	}
	return enums.WORKFLOW_EXECUTION_STATUS_FAILED
}

// abandonedCallError returns the error of an idempotent call that Temporal no longer retries.
func abandonedCallError(err error) error {
	timeout, ok := errors.AsType[*sdk.TimeoutError](err)
	switch {
	case ok && timeout.TimeoutType() == enums.TIMEOUT_TYPE_START_TO_CLOSE:
		return &run.Error{Kind: "timeout", Text: "the call exceeded its time limit"}
	case ok:
		return &run.Error{Kind: "worker_lost", Text: fmt.Sprintf("%d workers in a row were lost during the call", maxLostWorkers)}
	}
	return fromTemporalError(err)
}

// modelError is like fromTemporalError, for errors of a model.
func modelError(err error) error {
	var e llm.Error
	if application, ok := errors.AsType[*sdk.ApplicationError](err); ok && application.HasDetails() && application.Details(&e) == nil && e.Kind != "" {
		return &e
	}
	if _, lost := errors.AsType[*sdk.TimeoutError](err); lost { // not an error of the model
		return &run.Error{Kind: "worker_lost", Text: "no worker answered in time", Retry: true}
	}
	return fromTemporalError(err)
}

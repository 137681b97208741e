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
	"github.com/aiongen/aiongen/runtime/run/record"
)

// goes returns an error as it goes through Temporal. Its type is its code; one that may
// pass has an activity tried again, as soon as whom it comes from says.
func goes(err error) error {
	if err == nil {
		return nil
	}
	e := record.NewError(err)
	var detail any = e
	options := sdk.ApplicationErrorOptions{NonRetryable: !e.Retry}
	if model, ok := errors.AsType[*llm.Error](err); ok {
		detail, options.NextRetryDelay = model, model.RetryAfter
	}
	options.Details = []any{detail}
	return sdk.NewApplicationErrorWithOptions(e.Kind, e.Kind, options) // the text is in the details alone, which codecs see
}

// because returns an error, and that ctx is done where that is why.
func because(ctx context.Context, err error) error {
	if timedOut(err) { // as Temporal may say a moment before ctx does
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

// timedOut reports whether an error may be that ctx is done.
func timedOut(err error) bool {
	_, late := errors.AsType[*serviceerror.DeadlineExceeded](err)
	_, stopped := errors.AsType[*serviceerror.Canceled](err)
	_, update := errors.AsType[*client.WorkflowUpdateServiceTimeoutOrCanceledError](err)
	return late || stopped || update
}

// outside is the error of a run whose workflow somebody ended: none ends with an error by
// itself.
func outside(status enums.WorkflowExecutionStatus) error {
	how := map[enums.WorkflowExecutionStatus]string{
		enums.WORKFLOW_EXECUTION_STATUS_TERMINATED: "terminated",
		enums.WORKFLOW_EXECUTION_STATUS_TIMED_OUT:  "timed out",
		enums.WORKFLOW_EXECUTION_STATUS_CANCELED:   "cancelled",
	}
	return &record.Error{Kind: "terminated", Text: "the workflow of the run was " + cmp.Or(how[status], "failed") + " from outside"}
}

// came returns an error that went through Temporal, as far as it did: without the activity
// that it comes of, and the machine.
func came(err error) error {
	if of, is := errors.AsType[*sdk.WorkflowExecutionError](err); is {
		return outside(statusOf(of.Unwrap()))
	}
	if of, is := errors.AsType[*sdk.ActivityError](err); is {
		err = of.Unwrap()
	}
	application, ok := errors.AsType[*sdk.ApplicationError](err)
	if !ok || !application.HasDetails() {
		return err
	}
	var detail json.RawMessage
	var e record.Error
	if application.Details(&detail) != nil || json.Unmarshal(detail, &e) != nil || e.Kind == "" {
		return err
	}
	return &e
}

// statusOf is that of a workflow which ended with an error.
func statusOf(err error) enums.WorkflowExecutionStatus {
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

// givenUp returns why a call is not made again that may be.
func givenUp(err error) error {
	timeout, is := errors.AsType[*sdk.TimeoutError](err)
	switch {
	case is && timeout.TimeoutType() == enums.TIMEOUT_TYPE_START_TO_CLOSE:
		return &record.Error{Kind: "timeout", Text: "the call took longer than a call may"}
	case is:
		return &record.Error{Kind: "worker_lost", Text: fmt.Sprintf("%d workers were lost in the call, one after the other", mostLost)}
	}
	return came(err)
}

// cameOfModel is came of the error of a model.
func cameOfModel(err error) error {
	var e llm.Error
	if application, ok := errors.AsType[*sdk.ApplicationError](err); ok && application.HasDetails() && application.Details(&e) == nil && e.Kind != "" {
		return &e
	}
	if _, lost := errors.AsType[*sdk.TimeoutError](err); lost { // as long as there is patience: it is no fault of the model
		return &record.Error{Kind: "worker_lost", Text: "no worker has answered in time", Retry: true}
	}
	return came(err)
}

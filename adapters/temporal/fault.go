package temporal

import (
	"encoding/json"
	"errors"

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
	return sdk.NewApplicationErrorWithOptions(e.Text, e.Kind, options)
}

// came returns an error that went through Temporal, as far as it did.
func came(err error) error {
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

// cameOfModel is came of the error of a model.
func cameOfModel(err error) error {
	var e llm.Error
	if application, ok := errors.AsType[*sdk.ApplicationError](err); ok && application.HasDetails() && application.Details(&e) == nil && e.Kind != "" {
		return &e
	}
	return came(err)
}

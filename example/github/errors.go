package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/go-github/v74/github"

	"github.com/aiongen/aiongen/runtime/tool"
)

// explainErrors replaces errors of go-github, which contain URLs and Go structs, by text for a model.
func explainErrors(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
		output, err := next(ctx, c)
		var failed *tool.ToolError
		if errors.As(err, &failed) {
			if text := describeRefusal(failed.Err); text != "" {
				err = &tool.ToolError{Tool: failed.Tool, Err: apiError{failed.Err, text}}
			}
		}
		return output, err
	}
}

// describeRefusal returns GitHub's error message, or "" if err is not a response of GitHub.
func describeRefusal(err error) string {
	var limited *github.RateLimitError
	var slower *github.AbuseRateLimitError
	var refused *github.ErrorResponse
	switch {
	case errors.As(err, &limited):
		return "GitHub takes no more calls before " + limited.Rate.Reset.UTC().Format(time.RFC3339) + ". Say so, and make no more before then."
	case errors.As(err, &slower):
		return "GitHub asks to be called less often. Wait for some minutes."
	case errors.As(err, &refused):
		return describeResponse(refused)
	}
	return ""
}

func describeResponse(e *github.ErrorResponse) string {
	parts := []string{fmt.Sprintf("GitHub answered %d %s", e.Response.StatusCode, e.Message)}
	for _, fault := range e.Errors {
		parts = append(parts, strings.Join(strings.Fields(fault.Field+" "+fault.Code+" "+fault.Message), " "))
	}
	if e.Response.StatusCode == http.StatusNotFound {
		parts = append(parts, "there is no such thing, or the token may not see it")
	}
	return strings.Join(parts, "; ") + "."
}

// apiError is an error with a text for the model.
type apiError struct {
	error
	modelText string
}

// ModelText implements the interface that tool.ModelText looks for.
func (e apiError) ModelText() string { return e.modelText }
func (e apiError) Unwrap() error     { return e.error }

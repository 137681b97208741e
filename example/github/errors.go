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

// explain has a model told in words what GitHub refused. In go-github's own words
// there are addresses and Go's structs.
func explain(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
		output, err := next(ctx, c)
		var failed *tool.ToolError
		if errors.As(err, &failed) {
			if told := refusal(failed.Err); told != "" {
				err = &tool.ToolError{Tool: failed.Tool, Err: apiError{failed.Err, told}}
			}
		}
		return output, err
	}
}

// refusal says what GitHub answered, if it did.
func refusal(err error) string {
	var limited *github.RateLimitError
	var slower *github.AbuseRateLimitError
	var refused *github.ErrorResponse
	switch {
	case errors.As(err, &limited):
		return "GitHub takes no more calls before " + limited.Rate.Reset.UTC().Format(time.RFC3339) + ". Say so, and make no more before then."
	case errors.As(err, &slower):
		return "GitHub asks to be called less often. Wait for some minutes."
	case errors.As(err, &refused):
		return answered(refused)
	}
	return ""
}

func answered(e *github.ErrorResponse) string {
	said := []string{fmt.Sprintf("GitHub answered %d %s", e.Response.StatusCode, e.Message)}
	for _, fault := range e.Errors {
		said = append(said, strings.Join(strings.Fields(fault.Field+" "+fault.Code+" "+fault.Message), " "))
	}
	if e.Response.StatusCode == http.StatusNotFound {
		said = append(said, "there is no such thing, or the token may not see it")
	}
	return strings.Join(said, "; ") + "."
}

// apiError is an error with what a model is told of it.
type apiError struct {
	error
	told string
}

// ModelText is what tool.ModelText asks for.
func (e apiError) ModelText() string { return e.told }
func (e apiError) Unwrap() error     { return e.error }

package gemini

import (
	"cmp"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

// kinds maps statuses of the API to kinds of [llm.Error]. The HTTP status is less precise.
var kinds = map[string]string{
	"RESOURCE_EXHAUSTED": llm.RateLimited, "UNAVAILABLE": llm.ServerError, "INTERNAL": llm.ServerError,
	"UNKNOWN": llm.ServerError, "ABORTED": llm.ServerError, "CANCELLED": llm.ServerError, "DATA_LOSS": llm.ServerError,
	"DEADLINE_EXCEEDED": llm.Timeout, "UNAUTHENTICATED": llm.Unauthorized, "PERMISSION_DENIED": llm.Unauthorized,
	"INVALID_ARGUMENT": llm.BadRequest, "FAILED_PRECONDITION": llm.BadRequest, "NOT_FOUND": llm.BadRequest,
	"OUT_OF_RANGE": llm.BadRequest, "UNIMPLEMENTED": llm.BadRequest, "ALREADY_EXISTS": llm.BadRequest,
}

// reportedError returns the error that the endpoint reports in the body of a response.
func reportedError(answer *endpoint.Answer) *llm.Error {
	body, _ := answer.ReadAll() // an incomplete report is still useful
	document := endpoint.ParseMembers(body)
	if list := endpoint.ParseItems(body); len(list) > 0 {
		document = endpoint.ParseMembers(list[0])
	}
	return newError(answer, document.Object("error"), string(body))
}

// newError returns the error for a report. If the report has no message, body is the message.
func newError(answer *endpoint.Answer, report endpoint.Members, body string) *llm.Error {
	reasons, wait := readDetails(report)
	message, status := cmp.Or(report.Text("message"), body), answer.Status()
	if !answer.Failed() {
		status = report.Count("code")
	}
	kind := kinds[report.Text("status")]
	if kind == "" {
		kind = llm.StatusKind(status)
	}
	switch {
	case kind == llm.RateLimited && (strings.Contains(reasons, "PerDay") || strings.Contains(message, "credits are depleted")):
		kind = llm.QuotaExceeded
	case kind == llm.BadRequest && strings.Contains(reasons, "API_KEY_"):
		kind = llm.Unauthorized
	case kind == llm.BadRequest && llm.IsContextFull(message):
		kind = llm.ContextFull
	}
	e := answer.NewError(kind, message)
	e.Status, e.RetryAfter = status, cmp.Or(wait, e.RetryAfter)
	return e
}

// readDetails reads the details of a report. It returns the reasons, such as API_KEY_INVALID or the names
// of quotas, separated by spaces, and how long the endpoint asks the client to wait.
func readDetails(report endpoint.Members) (reasons string, wait time.Duration) {
	for _, raw := range report.List("details") {
		detail := endpoint.ParseMembers(raw)
		if delay, err := time.ParseDuration(detail.Text("retryDelay")); err == nil && delay > 0 {
			wait = delay
		}
		reasons += " " + detail.Text("reason")
		for _, violation := range detail.List("violations") {
			reasons += " " + endpoint.ParseMembers(violation).Text("quotaId")
		}
	}
	return reasons, wait
}

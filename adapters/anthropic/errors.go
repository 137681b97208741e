package anthropic

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

// kinds maps the types of API errors to kinds of [llm.Error].
var kinds = map[string]string{
	"authentication_error":  llm.Unauthorized,
	"permission_error":      llm.Unauthorized,
	"billing_error":         llm.QuotaExceeded,
	"invalid_request_error": llm.BadRequest,
	"not_found_error":       llm.BadRequest,
	"request_too_large":     llm.ContextFull,
	"rate_limit_error":      llm.RateLimited,
	"timeout_error":         llm.Timeout,
	"overloaded_error":      llm.ServerError,
	"api_error":             llm.ServerError,
}

// reportedError returns the error that the API reports in a body or an event. For a body without a
// report, such as a page of a proxy, the kind depends on the status, and the body is the message.
func reportedError(answer *endpoint.Answer, body []byte) *llm.Error {
	report := endpoint.ParseMembers(body)
	message := report.Object("error").Text("message")
	text, status := strings.ToLower(message), answer.Status()
	kind := kinds[report.Object("error").Text("type")]
	switch {
	case kind == "" && answer.Failed():
		kind = llm.StatusKind(status)
	case kind == "":
		kind = llm.ServerError
	}
	switch {
	case strings.Contains(text, "credit balance is too low"), strings.Contains(text, "specified api usage limits"):
		kind = llm.QuotaExceeded
	case kind != llm.BadRequest:
	case llm.IsContextFull(text), strings.Contains(text, "exceed context limit"), status == http.StatusRequestEntityTooLarge:
		kind = llm.ContextFull
	}
	message = cmp.Or(message, string(body))
	if id := report.Text("request_id"); id != "" {
		message += " (request " + id + ")"
	}
	return answer.NewError(kind, message)
}

package responses

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

// errorReport is an error that the endpoint reports.
type errorReport struct{ code, kind, param, message string }

// parseReport reads the body of an error response. The report is its member "error", or the body itself.
func parseReport(body []byte) errorReport {
	m := endpoint.ParseMembers(body)
	if inner := m.Object("error"); inner != nil {
		m = inner
	}
	r := errorReport{m.Text("code"), m.Text("type"), m.Text("param"), m.Text("message")}
	r.message = cmp.Or(r.message, r.code, r.kind, string(body))
	return r
}

// errorKind returns the kind of [llm.Error]. status is 200 if the error is part of an answer.
func (r errorReport) errorKind(status int) string {
	switch {
	case r.code == "insufficient_quota" || r.kind == "insufficient_quota":
		return llm.QuotaExceeded
	case status != http.StatusTooManyRequests && llm.IsContextFull(r.code+"\n"+r.message):
		return llm.ContextFull
	case status < 200 || status >= 300:
		return llm.StatusKind(status)
	case strings.HasPrefix(r.code, "rate_limit") || strings.HasPrefix(r.kind, "rate_limit"):
		return llm.RateLimited
	case r.code == "invalid_api_key":
		return llm.Unauthorized
	case isServerCode(cmp.Or(r.code, r.kind)):
		return llm.ServerError
	}
	return llm.BadRequest
}

// isServerCode reports whether the code of an error in an answer means that the endpoint failed. Other
// codes, such as invalid_prompt and invalid_image, mean that the request is invalid.
func isServerCode(code string) bool {
	return slices.Contains([]string{"", "error", "server_error", "vector_store_timeout", "internal_error", "server_is_overloaded", "slow_down"}, code)
}

// newError returns the error that the endpoint reports.
func (r *request) newError(report errorReport) *llm.Error {
	return r.answer.NewError(report.errorKind(r.answer.Status()), report.message)
}
